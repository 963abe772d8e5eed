/* An open engine, as the library keeps it. */
#ifndef ENGINES_HANDLE_H
#define ENGINES_HANDLE_H

#include <stdatomic.h>

#include "yoke/yoke.h"

struct yoke_engine {
    const yoke_engine_class *class;
    void *self; /* what the class's open made */
    char *specification;
    yoke_engine_info info;
    atomic_bool
        lost; /* it did not answer before a deadline: whatever it still does, we stay away */
};

/* YOKE_ERR_ENGINE when the engine is lost. */
yoke_status handle_check(const yoke_engine *engine, yoke_error *err);

#endif
