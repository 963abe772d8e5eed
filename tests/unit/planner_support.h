/* Models and machines for the tests of the planner. */
#ifndef PLANNER_SUPPORT_H
#define PLANNER_SUPPORT_H

#include "yoke/planner.h"

/* Each must succeed; the test fails with the library's text otherwise. */
yoke_planner_model *planner_open(const char *what, yoke_format format);
yoke_planner_model *planner_create(const char *name);
void planner_add(yoke_planner_model *model, const char *role, size_t n, size_t k, size_t count,
                 yoke_format format);
yoke_planner_machine planner_chip(const char *chip);
void planner_keep(yoke_planner_machine *machine, const char *first, const char *second);
yoke_planner_prediction planner_predict(const yoke_planner_model *model,
                                        const yoke_planner_machine *machine, size_t prompt,
                                        size_t context);

/* An engine of known figures. */
yoke_planner_engine planner_engine(const char *name, double gbps, double tflops, double call_us);

/* The product of that role; the test fails when there is none. */
const yoke_planner_product *planner_product(const yoke_planner_model *model, const char *role);

#endif
