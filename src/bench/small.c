#include "bench/small.h"

yoke_format bench_small_format(const bench *b, size_t k)
{
    yoke_format format = yoke_artefact_matrix(b->artefact)->format;
    bool random = format == YOKE_F32 || format == YOKE_F16 || format == YOKE_BF16 ||
                  format == YOKE_Q8_0 || format == YOKE_Q4_0;
    return random && k % yoke_format_get(format)->block == 0 ? format : YOKE_F16;
}

static yoke_status prepare(const bench *b, const yoke_matrix *w, size_t m, bench_small *small,
                           yoke_error *err)
{
    bench_engine *e = &small->engine;
    e->stored_bytes = yoke_matrix_bytes(w);
    yoke_status status = yoke_weight_prepare(e->engine, w, &e->weight, &e->report, err);
    if (status == YOKE_OK)
        status = yoke_check_create(w, 1, &small->check, err);
    if (status == YOKE_OK)
        status = bench_make_x(b, m, w->cols, &small->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, m, w->rows, &small->y, err);
    return status;
}

yoke_status bench_small_create(const bench *b, const bench_engine *e, yoke_format format, size_t m,
                               size_t n, size_t k, bench_small *small, yoke_error *err)
{
    *small = (bench_small){.engine = *e};
    small->engine.weight = NULL;
    yoke_matrix w;
    yoke_status status = yoke_matrix_create(format, n, k, &w, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_fill_random(&w, 1, err);
    if (status == YOKE_OK)
        status = prepare(b, &w, m, small, err);
    yoke_matrix_free(&w);
    return status;
}

void bench_small_free(bench_small *small)
{
    yoke_weight_free(small->engine.weight);
    yoke_check_free(small->check);
    yoke_matrix_free(&small->x);
    yoke_matrix_free(&small->y);
}

bench_product bench_small_product(const bench *b, const bench_small *small, size_t m)
{
    return (bench_product){.weight = small->engine.weight,
                           .check = small->check,
                           .x = yoke_matrix_rows(&small->x, 0, m),
                           .y = yoke_matrix_rows(&small->y, 0, m),
                           .options = {.precision = b->options.precision},
                           .facts = &small->engine.info->facts};
}
