/* What the parts of yoke bench share. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "choice.h"
#include "weight.h"
#include "yoke/bench.h"

/* What was asked for. */
typedef struct bench_request {
    weight_request weight;
    choice engines;  /* of the suites of one engine */
    choice together; /* of those of several, where they are others */
    yoke_bench_options options;
    const char *json;
    const char *db;
    bool no_history;
    const char *plugins;
} bench_request;

/* What --suite all stands for. */
#define BENCH_EVERY_SUITE ((unsigned)(YOKE_BENCH_ALL | YOKE_BENCH_CONTENTION | YOKE_BENCH_SPLIT))

/* Chooses the engines that were not named, and tries each that is to take part; what is left out
 * for want of engines becomes a note.
 * Errors: YOKE_ERR_USAGE, those of yoke_engine_open. */
yoke_status bench_choose_engines(bench_request *r, yoke_context *context, yoke_record *record,
                                 yoke_error *err);

/* Adds the engines that are not ready, which are part of the answer, with the reason. */
yoke_status bench_add_absent(const yoke_context *context, yoke_record *record, yoke_error *err);

#endif
