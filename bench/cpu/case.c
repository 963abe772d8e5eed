#include "case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 4096, LM_HEAD = 128256 /* outputs, of Llama 3 */ };

const bench_case cases_default[] = {
    {YOKE_F16, 1, LM_HEAD, SIDE},  {YOKE_BF16, 1, LM_HEAD, SIDE}, {YOKE_Q8_0, 1, LM_HEAD, SIDE},
    {YOKE_Q4_0, 1, LM_HEAD, SIDE}, {YOKE_INT8, 1, LM_HEAD, SIDE}, {YOKE_F32, 1, SIDE, SIDE},
    {YOKE_Q8_0, 1, SIDE, SIDE},    {YOKE_Q4_0, 1, SIDE, SIDE},    {YOKE_BF16, 8, SIDE, SIDE},
    {YOKE_F16, 8, SIDE, SIDE},     {YOKE_Q8_0, 8, SIDE, SIDE},    {YOKE_Q4_0, 8, SIDE, SIDE},
    {YOKE_BF16, 64, SIDE, SIDE},   {YOKE_F16, 64, SIDE, SIDE},    {YOKE_Q8_0, 64, SIDE, SIDE},
    {YOKE_Q4_0, 64, SIDE, SIDE},   {YOKE_BF16, 128, SIDE, SIDE},  {YOKE_BF16, 512, SIDE, SIDE},
    {YOKE_BF16, 512, 14336, SIDE}, {YOKE_F16, 512, SIDE, SIDE},   {YOKE_INT8, 512, SIDE, SIDE},
    {YOKE_Q8_0, 512, SIDE, SIDE},  {YOKE_Q4_0, 512, SIDE, SIDE},  {YOKE_F32, 2048, SIDE, SIDE},
};
const size_t cases_default_count = sizeof cases_default / sizeof *cases_default;

bool case_parse(const char *text, bench_case *out)
{
    char format[16], rest;
    *out = (bench_case){.n = SIDE, .k = SIDE};
    int found = sscanf(text, "%15[^:]:%zux%zux%zu%c", format, &out->m, &out->n, &out->k, &rest);
    if (found < 2 || found > 4)
        return false;
    out->format = yoke_format_find(format);
    return out->format != YOKE_FORMAT_NONE && out->m && out->n && out->k;
}

static yoke_format x_format(yoke_format w)
{
    return w == YOKE_BF16 || w == YOKE_F16 ? w : YOKE_F32;
}

static yoke_status make_random(yoke_format format, size_t rows, size_t cols, uint64_t seed,
                               yoke_matrix *out, yoke_error *err)
{
    yoke_status status = yoke_matrix_create(format, rows, cols, out, err);
    return status == YOKE_OK ? yoke_matrix_fill_random(out, seed, err) : status;
}

/* As weights of int8 mostly are: a scale for each row and no zero. */
static void drop_zeros(yoke_matrix *w)
{
    for (size_t i = 0; i < w->rows; i++)
        ((float *)w->table)[2 * i + 1] = 0;
}

/* x of bf16 and f16 weights has been rounded to their format; of int8 ones, to their grid. */
static yoke_status make_x(const bench_case *c, yoke_matrix *x, yoke_error *err)
{
    yoke_status status = make_random(x_format(c->format), c->m, c->k, 2, x, err);
    float *values = x->data;
    if (status == YOKE_OK && c->format == YOKE_INT8)
        for (size_t i = 0; i < c->m * c->k; i++)
            values[i] = rintf(values[i] * sqrtf((float)c->k) * 100) * X_INT8_STEP;
    return status;
}

yoke_status case_make(const bench_case *c, case_data *out, yoke_error *err)
{
    memset(out, 0, sizeof *out);
    yoke_status status = make_random(c->format, c->n, c->k, 1, &out->w, err);
    if (status == YOKE_OK && c->format == YOKE_INT8)
        drop_zeros(&out->w);
    if (status == YOKE_OK)
        status = make_x(c, &out->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, c->m, c->n, &out->y, err);
    if (status == YOKE_OK)
        status = yoke_check_create(&out->w, 1, &out->check, err);
    out->problem = (problem){&out->w, &out->x, &out->y,
                             yoke_format_get(c->format)->block > 1 || c->format == YOKE_INT8
                                 ? YOKE_PRECISION_INT8_X
                                 : YOKE_PRECISION_FULL};
    return status;
}

void case_free(case_data *data)
{
    yoke_check_free(data->check);
    yoke_matrix_free(&data->w);
    yoke_matrix_free(&data->x);
    yoke_matrix_free(&data->y);
}

/* x as f32 quantised to int8 errs by half a step of 127 in a block's largest, bf16 by 2^-9. */
yoke_verdict case_judge(const case_data *data)
{
    const bool int8 = data->problem.precision == YOKE_PRECISION_INT8_X;
    const yoke_error_model model = {.input = int8 ? 1.0 / 64 : 1.0 / 256};
    yoke_check_result result;
    return yoke_check_product(data->check, &data->x, &data->y, 0, &model, &result, NULL) == YOKE_OK
               ? result.verdict
               : YOKE_VERDICT_UNCHECKED;
}
