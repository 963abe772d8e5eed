/* Convolution with a kernel of one element, matmul and linear. */
#include <string.h>

#include "chip.h"
#include "operation.h"

/* Seen on hardware: a depth that is no multiple of 32 gives zeros, and no error. */
static bool gives_zeros(size_t depth)
{
    return depth % 32 != 0;
}

/* out[b][i][j] = sum over k of a[b][i][k] * b[b][k][j], each by its strides. */
typedef struct product {
    const float *a, *b, *bias;
    float *out;
    size_t rows, columns, depth;
    size_t a_row, a_depth, b_depth, b_column; /* elements from one to the next */
    bool bias_by_row;
} product;

/* The outputs of row i from column j on. */
static void multiply_some(const product *p, macs *m, size_t i, size_t j, size_t count)
{
    for (size_t c = 0; c < count; c++)
        m->sum[c] = m->peak[c] = 0;
    for (size_t k = 0; k < p->depth; k++)
        macs_add(m, p->a[i * p->a_row + k * p->a_depth], &p->b[k * p->b_depth + j * p->b_column],
                 p->b_column, count);
    for (size_t c = 0; c < count; c++) {
        if (p->bias)
            m->sum[c] += (double)p->bias[p->bias_by_row ? i : j + c];
        p->out[i * p->columns + j + c] = macs_result(m, c);
    }
}

static void multiply(const product *p)
{
    macs m = {.of = chip_get()};
    if (gives_zeros(p->depth)) {
        memset(p->out, 0, p->rows * p->columns * sizeof *p->out);
        return;
    }
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->columns; j += MACS)
            multiply_some(p, &m, i, j, p->columns - j < MACS ? p->columns - j : MACS);
}

static bool depth_fits(variables *s, const mil_operation *operation, size_t depth)
{
    return depth <= chip_get().max_axis ||
           variables_refuse(s, operation, "the depth %zu is beyond the limit", depth);
}

static bool plain_convolution(variables *s, const mil_operation *operation)
{
    const char *padding = variables_text(s, operation, "pad_type");
    if (strcmp(padding, "valid") != 0 && strcmp(padding, "same") != 0 &&
        strcmp(padding, "custom") != 0)
        return variables_refuse(s, operation, "pad_type is none of valid, same, custom");
    return variables_integers_are(s, operation, "strides", 2, 1) &&
           variables_integers_are(s, operation, "pad", 4, 0) &&
           variables_integers_are(s, operation, "dilations", 2, 1) &&
           variables_integers_are(s, operation, "groups", 1, 1);
}

/* A bias of as many values, or none; false when there is another. */
static bool find_bias(variables *s, const mil_operation *operation, size_t count,
                      const tensor **bias)
{
    *bias = NULL;
    if (!variables_has(operation, "bias"))
        return true;
    *bias = variables_operand(s, operation, "bias");
    return *bias && ((*bias)->count == count || variables_refuse(s, operation, "bias is not of N"));
}

/* The weight must be constant, so it is known even while only shapes are checked. */
static const tensor *constant_weight(variables *s, const mil_operation *operation)
{
    const tensor *w = variables_operand(s, operation, "weight");
    if (w && !w->values)
        variables_refuse(s, operation, "the weight is not constant");
    return w && w->values ? w : NULL;
}

bool operation_conv(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *bias;
    const tensor *w = plain_convolution(s, operation) ? constant_weight(s, operation) : NULL;
    const tensor *x = w ? variables_operand(s, operation, "x") : NULL;
    if (!x)
        return false;
    if (x->rank != 4 || w->rank != 4 || w->shape[2] != 1 || w->shape[3] != 1)
        return variables_refuse(s, operation, "not of rank 4 with a kernel of 1 by 1");
    if (x->shape[1] != w->shape[1])
        return variables_refuse(s, operation, "x has %zu channels, the weight %zu", x->shape[1],
                                w->shape[1]);
    const size_t shape[] = {x->shape[0], w->shape[0], x->shape[2], x->shape[3]};
    const size_t depth = x->shape[1], pixels = x->shape[2] * x->shape[3];
    if (!operation_result_is(s, operation, out, 4, shape) || !depth_fits(s, operation, depth) ||
        !find_bias(s, operation, shape[1], &bias))
        return false;
    for (size_t n = 0; out->values && n < shape[0]; n++)
        multiply(&(product){.a = w->values,
                            .b = x->values + n * depth * pixels,
                            .bias = bias ? bias->values : NULL,
                            .bias_by_row = true,
                            .out = out->values + n * shape[1] * pixels,
                            .rows = shape[1],
                            .columns = pixels,
                            .depth = depth,
                            .a_row = depth,
                            .a_depth = 1,
                            .b_depth = pixels,
                            .b_column = 1});
    return true;
}

bool operation_linear(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *bias, *w = constant_weight(s, operation);
    const tensor *x = w ? variables_operand(s, operation, "x") : NULL;
    if (!x)
        return false;
    if (w->rank != 2 || x->rank < 1 || x->shape[x->rank - 1] != w->shape[1])
        return variables_refuse(s, operation, "x and the weight do not fit each other");
    size_t shape[TENSOR_MAX_RANK];
    memcpy(shape, x->shape, sizeof shape);
    shape[x->rank - 1] = w->shape[0];
    if (!operation_result_is(s, operation, out, x->rank, shape) ||
        !depth_fits(s, operation, w->shape[1]) || !find_bias(s, operation, w->shape[0], &bias))
        return false;
    if (out->values)
        multiply(&(product){.a = x->values,
                            .b = w->values,
                            .bias = bias ? bias->values : NULL,
                            .out = out->values,
                            .rows = x->count / w->shape[1],
                            .columns = w->shape[0],
                            .depth = w->shape[1],
                            .a_row = w->shape[1],
                            .a_depth = 1,
                            .b_depth = 1,
                            .b_column = w->shape[1]});
    return true;
}

/* Rows and columns of a matmul's operand, as it stands. */
static size_t rows_of(const tensor *t)
{
    return t->shape[t->rank - 2];
}

static size_t columns_of(const tensor *t)
{
    return t->shape[t->rank - 1];
}

bool operation_matmul(variables *s, const mil_operation *operation, tensor *out)
{
    const long tx = variables_integer(s, operation, "transpose_x", -1);
    const long ty = variables_integer(s, operation, "transpose_y", -1);
    const tensor *x = variables_operand(s, operation, "x");
    const tensor *y = x ? variables_operand(s, operation, "y") : NULL;
    if (!y || tx < 0 || ty < 0)
        return false;
    if (x->rank < 2 || x->rank != y->rank ||
        memcmp(x->shape, y->shape, (x->rank - 2) * sizeof *x->shape) != 0)
        return variables_refuse(s, operation, "x and y differ in rank or batch");
    const size_t depth = tx ? rows_of(x) : columns_of(x);
    if (depth != (ty ? columns_of(y) : rows_of(y)))
        return variables_refuse(s, operation, "x and y do not fit each other");
    size_t shape[TENSOR_MAX_RANK];
    memcpy(shape, x->shape, sizeof shape);
    shape[x->rank - 2] = tx ? columns_of(x) : rows_of(x);
    shape[x->rank - 1] = ty ? rows_of(y) : columns_of(y);
    if (!operation_result_is(s, operation, out, x->rank, shape) || !depth_fits(s, operation, depth))
        return false;
    const size_t rows = shape[x->rank - 2], columns = shape[x->rank - 1];
    for (size_t b = 0; out->values && b < out->count / (rows * columns); b++)
        multiply(&(product){.a = x->values + b * rows * depth,
                            .b = y->values + b * columns * depth,
                            .out = out->values + b * rows * columns,
                            .rows = rows,
                            .columns = columns,
                            .depth = depth,
                            .a_row = tx ? 1 : depth,
                            .a_depth = tx ? rows : 1,
                            .b_depth = ty ? 1 : columns,
                            .b_column = ty ? depth : 1});
    return true;
}
