/* From a result in an engine's own memory to the caller's y. */
#ifndef ENGINES_DELIVER_H
#define ENGINES_DELIVER_H

#include "yoke/matrix.h"

/* y = alpha * result + beta * y, rounded once; y is not read when beta is 0, and nothing between
 * its rows is touched. result: f32, f16 or bf16, of y's shape. */
yoke_status deliver(const yoke_matrix *result, float alpha, float beta, const yoke_matrix *y,
                    yoke_error *err);

#endif
