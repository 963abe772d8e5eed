/* What a tune measured, as tables for people. */
#ifndef CLI_TUNE_PRINT_H
#define CLI_TUNE_PRINT_H

#include "yoke/bench.h"
#include "yoke/tune.h"

/* What is tuned, opened. */
typedef struct tune_work {
    yoke_host *host;
    yoke_context *context;
    yoke_engine *engines[YOKE_SPLIT_MAX_ENGINES];
    size_t count;
    yoke_artefact *artefact;
    yoke_profile *profile;
} tune_work;

void tune_print(const tune_work *w, const yoke_tune_options *options);

#endif
