/* A product under way, and the pieces of y that engines compute. */
#ifndef SPLIT_PRODUCT_H
#define SPLIT_PRODUCT_H

#include "engines/flight.h"
#include "split/plan.h"

typedef struct product {
    yoke_plan *plan;
    const yoke_matrix *x;
    yoke_matrix *y;
    yoke_multiply_options options;
    bool check;
    spare *before; /* y's elements as they were, without gaps; NULL when beta == 0 */
} product;

/* Rows and outputs of y. */
typedef struct piece {
    size_t row, rows, output, outputs;
} piece;

yoke_matrix product_x(const product *p, const piece *at);
yoke_matrix product_y(const product *p, const piece *at);

/* How to multiply by a holding for a piece. */
yoke_multiply_options product_options(const product *p, const holding *held, const piece *at);

/* Keeps y's elements, where beta needs them; puts those of a piece back. Errors: YOKE_ERR_MEMORY.
 */
yoke_status product_save(product *p, yoke_error *err);
void product_restore(const product *p, const piece *at);
size_t product_saved_bytes(const product *p);

#endif
