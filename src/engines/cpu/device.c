#include "engines/cpu/device.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/size.h"

/* Readings of a rate: the best of several short ones, since whatever else runs only slows them. */
#define RATE_READINGS 7
#define RATE_NS       10000u

static size_t path_count(void)
{
    size_t count = 0;
    while (path_at(count))
        count++;
    return count;
}

static bool usable(const device *d, const path *p)
{
    return (p->features & ~d->features) == 0;
}

static double best_rate(const path *p)
{
    double best = 0;
    for (int i = 0; i < RATE_READINGS; i++) {
        double rate = p->peak(RATE_NS);
        best = rate > best ? rate : best;
    }
    return best;
}

/* An instruction set that is announced is not always the faster one: bf16 dot products run at half
 * the rate of plain multiply-adds on some cores. So each is measured, once. */
static yoke_status measure_rates(device *d, yoke_error *err)
{
    size_t count = path_count();
    d->rates = calloc(count, sizeof *d->rates);
    if (!d->rates)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory");
    for (size_t i = 0; i < count; i++) {
        const path *p = path_at(i), *before = i > 0 ? path_at(i - 1) : NULL;
        if (!usable(d, p))
            continue;
        d->rates[i] = before && before->peak == p->peak ? d->rates[i - 1] : best_rate(p);
    }
    return YOKE_OK;
}

yoke_status device_create(const unsigned *cpus, size_t cpu_count, size_t threads, bool caller_joins,
                          uint32_t features, device **out, yoke_error *err)
{
    *out = NULL;
    device *d = calloc(1, sizeof *d);
    if (!d)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory");
    d->features = features;
    yoke_status status =
        pool_create(threads <= cpu_count ? cpus : NULL, threads, caller_joins, &d->pool, err);
    if (status == YOKE_OK)
        status = measure_rates(d, err);
    size_t scratch;
    if (status == YOKE_OK &&
        (!size_mul(threads, SCRATCH_BYTES, &scratch) || !(d->scratch = memory_map(scratch))))
        status =
            yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory for %zu threads", threads);
    if (status != YOKE_OK) {
        device_free(d);
        return status;
    }
    *out = d;
    return YOKE_OK;
}

void device_free(device *d)
{
    if (!d)
        return;
    memory_unmap(d->x, d->x_bytes);
    if (d->scratch)
        memory_unmap(d->scratch, pool_threads(d->pool) * SCRATCH_BYTES);
    pool_free(d->pool);
    free(d->rates);
    free(d);
}

static bool allowed(const path *p, yoke_format x_format, yoke_precision precision, bool pin_path)
{
    if (pin_path)
        return p->exact;
    return p->precision <= precision || (p->bf16_x && x_format == YOKE_BF16);
}

const path *device_choose(const device *d, yoke_format format, yoke_format x_format,
                          yoke_precision precision, size_t m, bool pin_path)
{
    const path *best = NULL;
    double rate = 0;
    for (size_t i = 0; path_at(i); i++) {
        const path *p = path_at(i);
        if (p->format != format || m < p->min_m || !usable(d, p) ||
            !allowed(p, x_format, precision, pin_path))
            continue;
        /* Later entries are preferred unless they are clearly slower: the choice, and with it the
         * bits of y, must not depend on the noise of a short measurement. */
        if (!best || p->features & d->forced || d->rates[i] >= 0.8 * rate) {
            best = p;
            rate = d->rates[i];
        }
    }
    return best;
}
