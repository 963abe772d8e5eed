/* A prepared weight, as the library keeps it. */
#ifndef ENGINES_WEIGHT_H
#define ENGINES_WEIGHT_H

#include "engines/handle.h"

struct yoke_weight {
    yoke_engine *engine;
    void *prepared; /* what the engine's prepare made; NULL when rows or cols is 0 */
    size_t rows, cols;
};

/* May w be prepared on the engine? Errors: YOKE_ERR_SHAPE, those of yoke_matrix_validate and
 * handle_check. */
yoke_status weight_check(const yoke_engine *engine, const yoke_matrix *w, yoke_error *err);

#endif
