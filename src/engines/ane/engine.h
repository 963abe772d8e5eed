/* An open engine, shared by the files of this folder. */
#ifndef ANE_ENGINE_H
#define ANE_ENGINE_H

#include "engines/ane/framework.h"
#include "engines/ane/options.h"
#include "engines/worker.h"

struct ane_chain;

typedef struct ane_engine {
    worker_thing thing;
    ane_framework framework;
    ane_options options;
    worker *worker; /* of the products: the framework's call returns when the device is done */
    struct ane_chain *chain; /* once its limit was asked for */
    char helper[4096];       /* "": compile in this process */
} ane_engine;

#endif
