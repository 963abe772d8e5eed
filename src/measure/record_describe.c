/* What holds for every record of this build: the versions and the method. */
#include <jansson.h>

#include "measure/record_parts.h"

static const char *const versions[] = {
    "yoke=" YOKE_VERSION,
    "jansson=" JANSSON_VERSION,
#ifdef __VERSION__
    "compiler=" __VERSION__,
#endif
};

static const char *const method[] = {
    "headline=median",
    "clock=monotonic, wall time of the call",
    "gbps=10^9 bytes per second",
    "order=subjects in turns, A B A B",
    "quantiles=linear interpolation, type 7",
    "median_interval=95 %, order statistics",
    "fit=least squares of median time over bytes, weights 1/time^2",
};

static yoke_status append_all(yoke_record_texts *list, const char *const *texts, size_t count,
                              yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && i < count; i++)
        status = record_append_text(list, texts[i], err);
    return status;
}

yoke_status record_describe(yoke_record *record, yoke_error *err)
{
    yoke_status status =
        append_all(&record->versions, versions, sizeof versions / sizeof *versions, err);
    if (status != YOKE_OK)
        return status;
    return append_all(&record->method, method, sizeof method / sizeof *method, err);
}
