/* What the parts of yoke plan share. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "yoke/planner.h"

/* What was asked for and what came out. */
typedef struct planned {
    const yoke_planner_model *model;
    yoke_planner_machine machine;
    yoke_planner_request request;
    yoke_planner_prediction prediction;
} planned;

/* What the figures leave out, a sentence each; NULL past the end. */
const char *plan_left_out(const planned *p, size_t index);

/* Tables for people. Errors: YOKE_ERR_MEMORY. */
yoke_status plan_print(const planned *p, yoke_error *err);

/* Errors: those of output_open and output_commit. */
yoke_status plan_write_json(const planned *p, const char *path, yoke_error *err);

#endif
