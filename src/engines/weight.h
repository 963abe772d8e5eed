/* A prepared weight, as the library keeps it. */
#ifndef ENGINES_WEIGHT_H
#define ENGINES_WEIGHT_H

#include "engines/handle.h"

struct yoke_weight {
    yoke_engine *engine;
    void *prepared; /* what the engine's prepare made; NULL when rows or cols is 0 */
    size_t rows, cols;
};

#endif
