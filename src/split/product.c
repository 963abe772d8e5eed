#include "split/product.h"

#include <string.h>

#include "base/size.h"

static size_t element_bytes(const yoke_matrix *matrix)
{
    return yoke_format_get(matrix->format)->block_bytes;
}

yoke_matrix product_x(const product *p, const piece *at)
{
    return yoke_matrix_rows(p->x, at->row, at->rows);
}

yoke_matrix product_y(const product *p, const piece *at)
{
    yoke_matrix y = yoke_matrix_rows(p->y, at->row, at->rows);
    y.stride = yoke_matrix_stride(p->y);
    y.cols = at->outputs;
    y.data = (char *)y.data + at->output * element_bytes(&y);
    return y;
}

yoke_multiply_options product_options(const product *p, const holding *held, const piece *at)
{
    yoke_multiply_options options = p->options;
    options.n_begin = at->output - held->begin;
    options.n_count = at->outputs;
    return options;
}

size_t product_saved_bytes(const product *p)
{
    return p->before ? p->y->rows * p->y->cols * element_bytes(p->y) : 0;
}

yoke_status product_save(product *p, yoke_error *err)
{
    size_t row = p->y->cols * element_bytes(p->y), bytes;
    if (!size_mul(row, p->y->rows, &bytes) || !(p->before = spare_take(&p->plan->spare, bytes)))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a copy of y");
    for (size_t i = 0; i < p->y->rows; i++)
        memcpy(spare_data(p->before) + i * row, yoke_matrix_rows(p->y, i, 1).data, row);
    return YOKE_OK;
}

void product_restore(const product *p, const piece *at)
{
    if (!p->before)
        return;
    size_t element = element_bytes(p->y), row = p->y->cols * element;
    for (size_t i = 0; i < at->rows; i++) {
        const piece line = {at->row + i, 1, at->output, at->outputs};
        memcpy(product_y(p, &line).data,
               spare_data(p->before) + (at->row + i) * row + at->output * element,
               at->outputs * element);
    }
}
