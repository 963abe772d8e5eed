/* A weight as two programs: for one row of x, and for many. */
#ifndef COREML_PREPARE_H
#define COREML_PREPARE_H

#include "engines/coreml/engine.h"
#include "engines/coreml/form.h"

typedef struct coreml_prepared {
    worker_job job; /* of compiling */
    const coreml_engine *engine;
    coreml_layout *layout;
    coreml_package package;
    coreml_form one, many;
} coreml_prepared;

/* Errors: YOKE_ERR_UNSUPPORTED (the format), YOKE_ERR_SHAPE, YOKE_ERR_IO, YOKE_ERR_MEMORY,
 * YOKE_ERR_ENGINE, YOKE_ERR_TIMEOUT (it was not compiled in time, and the engine is then stuck). */
yoke_status coreml_prepare(coreml_engine *e, const yoke_matrix *w, coreml_prepared **out,
                           yoke_prepare_report *report, yoke_error *err);
void coreml_release(void *engine, void *prepared); /* the engine's entry */

/* "CPU" and so on, as in messages. */
const char *coreml_placement_name(coreml_placement placement);

#endif
