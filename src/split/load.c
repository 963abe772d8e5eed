#include "split/load.h"

#include <string.h>

#include "engines/error_model.h"
#include "measure/verdict.h"
#include "measure/wander.h"

/* A product that takes longer is taken for hung. */
#define DEADLINE_NS UINT64_C(10000000000)

static yoke_status multiply(load *l, size_t begin, double *elapsed_ns, yoke_error *err)
{
    yoke_multiply_options options = {.precision = l->precision,
                                     .wait = l->wait,
                                     .deadline_ns = DEADLINE_NS,
                                     .n_begin = begin,
                                     .n_count = l->y.cols};
    yoke_timing timing = {0};
    yoke_status status =
        yoke_weight_multiply(l->weight, &l->x, &l->y, &options, &timing, &l->failure);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "%s", l->failure.text);
    *elapsed_ns = (double)(timing.done_ns - timing.submit_ns);
    return YOKE_OK;
}

yoke_status load_run(void *arg, double *elapsed_ns, yoke_error *err)
{
    load *l = arg;
    size_t granule = yoke_engine_describe(l->engine)->facts.granule_n;
    size_t begin = wander_begin(yoke_weight_outputs(l->weight), l->y.cols, granule, l->runs++);
    return multiply(l, begin, elapsed_ns, err);
}

yoke_status load_check(load *l, const yoke_check *check, double *elapsed_ns, yoke_error *err)
{
    size_t bytes = 0;
    yoke_check_result found = {0};
    yoke_error_model model = error_model_of(&yoke_engine_describe(l->engine)->facts, l->precision);
    yoke_format_bytes(l->y.format, l->y.rows, l->y.cols, &bytes, NULL);
    memset(l->y.data, 0xff, bytes); /* NaN in every float format: what is not written shows */
    yoke_status status = multiply(l, 0, elapsed_ns, err);
    if (status == YOKE_OK)
        status = yoke_check_product(check, &l->x, &l->y, 0, &model, &found, &l->failure);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "%s", l->failure.text);
    if (found.verdict == YOKE_VERDICT_RIGHT)
        return YOKE_OK;
    char why[160];
    verdict_say(&found, why, sizeof why);
    yoke_error_set(&l->failure, YOKE_ERR_CHECK, "engine %s: %s",
                   yoke_engine_specification(l->engine), why);
    return yoke_error_set(err, YOKE_ERR_CHECK, "%s", l->failure.text);
}

void load_resize(load *l, size_t n)
{
    l->y.cols = n;
    l->y.stride = n;
}
