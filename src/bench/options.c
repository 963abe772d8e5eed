#include "bench/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engines/precision.h"

/* Where the host's caches are not known: larger than most, so that little is taken for memory that
 * is not. */
#define CACHE_BYTES_UNKNOWN ((size_t)64 << 20)

yoke_status bench_check_options(const yoke_bench_options *o, yoke_error *err)
{
    if ((o->suites & YOKE_BENCH_CONTENTION) && o->together_count < 2)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "bench: contention needs two engines or more to pair");
    if (o->suites &
        ~(unsigned)(YOKE_BENCH_ALL | YOKE_BENCH_CONTENTION | YOKE_BENCH_SPLIT | YOKE_BENCH_ANE))
        return yoke_error_set(err, YOKE_ERR_USAGE, "bench: unknown suites 0x%x", o->suites);
    if (!(o->seconds > 0) || !isfinite(o->seconds))
        return yoke_error_set(err, YOKE_ERR_USAGE, "bench: %g seconds", o->seconds);
    if (o->x_format != YOKE_F32 && o->x_format != YOKE_F16 && o->x_format != YOKE_BF16)
        return yoke_error_set(err, YOKE_ERR_USAGE, "bench: x cannot be %s",
                              yoke_format_get(o->x_format)->name);
    return YOKE_OK;
}

yoke_bench_options bench_with_defaults(const yoke_bench_options *given, const yoke_host *host)
{
    yoke_bench_options o = given ? *given : (yoke_bench_options){0};
    if (o.suites == 0)
        o.suites = YOKE_BENCH_ALL;
    if (o.seconds == 0)
        o.seconds = 90;
    if (o.x_format == YOKE_FORMAT_NONE)
        o.x_format = YOKE_F32;
    if (o.cache_bytes == 0)
        o.cache_bytes = host && host->cache_bytes ? host->cache_bytes : CACHE_BYTES_UNKNOWN;
    return o;
}

yoke_status bench_record_options(const bench *b, yoke_error *err)
{
    const yoke_bench_options *o = &b->options;
    yoke_record_texts *list = &b->record->options;
    char names[64] = "";
    for (unsigned bit = 1; bit <= YOKE_BENCH_ANE; bit <<= 1)
        if (o->suites & bit) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? "," : "",
                     yoke_bench_suite_name((yoke_bench_suite)bit));
        }
    yoke_status status = yoke_record_add_text(list, err, "suite=%s", names);
    if (status == YOKE_OK)
        status = yoke_record_add_text(list, err, "seconds=%g", o->seconds);
    if (status == YOKE_OK)
        status = yoke_record_add_text(list, err, "precision=%s", precision_name(o->precision));
    if (status == YOKE_OK)
        status = yoke_record_add_text(list, err, "x_format=%s", yoke_format_get(o->x_format)->name);
    if (status == YOKE_OK)
        status = yoke_record_add_text(list, err, "cache_bytes=%zu", o->cache_bytes);
    /* As text: 0, and what a JSON integer cannot hold, are seeds too. */
    const yoke_identity *artefact = yoke_artefact_identity(b->artefact);
    if (status == YOKE_OK && !artefact->path[0])
        status = yoke_record_add_text(list, err, "seed=%ju", (uintmax_t)artefact->seed);
    return status;
}
