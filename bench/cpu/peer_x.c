#include "peer_x.h"

#include <math.h>
#include <stdlib.h>

#include "peer.h"

void *x_as(const yoke_matrix *x, yoke_format format)
{
    yoke_matrix copy = {.format = format, .rows = x->rows, .cols = x->cols};
    size_t bytes;
    if (yoke_format_bytes(format, x->rows, x->cols, &bytes, NULL) != YOKE_OK ||
        !(copy.data = aligned_alloc(64, (bytes + 63) / 64 * 64)))
        return NULL;
    if (yoke_matrix_convert(x, &copy, NULL) == YOKE_OK)
        return copy.data;
    free(copy.data);
    return NULL;
}

void *x_as_int8(const yoke_matrix *x)
{
    const size_t count = x->rows * x->cols;
    const float *from = x->data;
    signed char *to = malloc(count);
    for (size_t i = 0; to && i < count; i++)
        to[i] = (signed char)lrintf(from[i] / X_INT8_STEP);
    return to;
}
