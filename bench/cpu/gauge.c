#include "gauge.h"

#include <math.h>
#include <time.h>

#define REST_NS 20000000l
#define PEAK_NS 10000000u

yoke_status gauge_open(yoke_context *context, gauge *out, yoke_error *err)
{
    *out = (gauge){0};
    yoke_status status = yoke_engine_open(context, "cpu", &out->engine, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, COLD_BYTES >> 14, 4096, &out->bytes, err);
    return status == YOKE_OK ? yoke_matrix_fill_random(&out->bytes, 4, err) : status;
}

void gauge_close(gauge *g)
{
    yoke_matrix_free(&g->bytes);
    yoke_engine_free(g->engine);
}

void gauge_rest(void)
{
    nanosleep(&(struct timespec){0, REST_NS}, NULL);
}

static double operations(const problem *p)
{
    return 2.0 * (double)p->x->rows * (double)p->w->rows * (double)p->w->cols;
}

yoke_status gauge_read(const gauge *g, const problem *p, reading *out, yoke_error *err)
{
    double per_second = NAN;
    yoke_limit_request request = {.size = sizeof request,
                                  .limit = YOKE_LIMIT_READ,
                                  .bytes = g->bytes.data,
                                  .byte_count = COLD_BYTES,
                                  .format = p->w->format,
                                  .x_format = p->x->format,
                                  .precision = p->precision,
                                  .duration_ns = PEAK_NS};
    gauge_rest();
    yoke_status status = yoke_engine_limit(g->engine, &request, &per_second, err);
    out->read_ns = (double)yoke_matrix_bytes(p->w) / per_second * 1e9;
    request.limit = YOKE_LIMIT_COMPUTE;
    if (status == YOKE_OK)
        status = yoke_engine_limit(g->engine, &request, &per_second, err);
    out->compute_ns = operations(p) / per_second * 1e9;
    return status;
}
