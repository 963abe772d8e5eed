/* Matrices in memory that punishes reading or writing beside them: the last element ends at a page
 * that cannot be touched, and every byte around the elements is 0xff, which is NaN in every float
 * format. */
#ifndef CONFORMANCE_FENCE_H
#define CONFORMANCE_FENCE_H

#include "yoke/matrix.h"

typedef struct fence {
    unsigned char *map;
    size_t map_bytes;
    unsigned char *end; /* of the usable bytes */
} fence;

/* Room for `bytes`. Fails the test when there is no memory. */
fence fence_create(size_t bytes);
void fence_free(fence *f);

/* Bytes from the first element to the last. */
size_t fence_extent(yoke_format format, size_t rows, size_t cols, size_t stride);

/* A matrix that ends where the memory ends; all its bytes are 0xff, and so are some before it. */
yoke_matrix fence_matrix(const fence *f, yoke_format format, size_t rows, size_t cols,
                         size_t stride);

/* Fails the test when a byte before the matrix or between its rows is no longer 0xff. */
void fence_check_gaps(const yoke_matrix *matrix);

#endif
