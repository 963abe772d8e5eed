/* An open Core ML engine, shared by the files of this folder. */
#ifndef COREML_ENGINE_H
#define COREML_ENGINE_H

#include "engines/coreml/api.h"
#include "engines/worker.h"

typedef struct coreml_options {
    coreml_units units;
    size_t rows;         /* of the program for many rows of x */
    uint64_t compile_ns; /* how long a compilation may take */
    bool round;          /* weights of other formats are rounded to f16 */
} coreml_options;

typedef struct coreml_engine {
    worker_thing thing;
    apple objc;
    coreml_options options;
    worker *worker; /* every call of Core ML is on its thread */
} coreml_engine;

#endif
