#include "bench/limit.h"

#include "bench/product.h"
#include "measure/wander.h"

/* Several short readings rather than a long one: their median, as a product's, is that of a machine
 * that does nothing else. */
enum { READINGS = 41 };
#define READING_NS UINT64_C(1000000)

size_t bench_limit_bytes(const yoke_matrix *w, size_t rows)
{
    size_t bytes = 0;
    if (yoke_matrix_stride(w) != w->cols)
        return 0;
    return yoke_format_bytes(w->format, rows, w->cols, &bytes, NULL) == YOKE_OK ? bytes : 0;
}

yoke_status bench_read_limit_run(void *arg, double *elapsed_ns, yoke_error *err)
{
    bench_read_limit *l = arg;
    size_t begin = wander_begin(l->w->rows, l->window, l->granule, l->runs++);
    yoke_matrix window = yoke_matrix_rows(l->w, begin, l->window);
    yoke_limit_request request = {.size = sizeof request,
                                  .limit = YOKE_LIMIT_READ,
                                  .bytes = window.data,
                                  .byte_count = bench_limit_bytes(&window, l->window)};
    double per_second = 0;
    yoke_status status = yoke_engine_limit(l->engine, &request, &per_second, err);
    if (status == YOKE_OK && !(per_second > 0))
        status = yoke_error_set(err, YOKE_ERR_ENGINE, "read limit: the engine answers %g bytes/s",
                                per_second);
    l->failed = status != YOKE_OK;
    if (status == YOKE_OK)
        *elapsed_ns = (double)request.byte_count / per_second * 1e9;
    return status;
}

yoke_status bench_compute_limit(const bench *b, const bench_engine *e, double *per_second,
                                yoke_error *err)
{
    yoke_limit_request request = {.size = sizeof request,
                                  .limit = YOKE_LIMIT_COMPUTE,
                                  .format = e->report.format,
                                  .x_format = b->options.x_format,
                                  .precision = b->options.precision,
                                  .duration_ns = READING_NS};
    double readings[READINGS];
    yoke_statistics statistics;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < READINGS && status == YOKE_OK; i++)
        status = yoke_engine_limit(e->engine, &request, &readings[i], err);
    if (status == YOKE_OK)
        status = yoke_statistics_of(readings, READINGS, &statistics, err);
    if (status == YOKE_OK)
        *per_second = statistics.median;
    return status;
}
