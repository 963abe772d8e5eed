/* A series of timings: a growing array that keeps every sample. */
#include <stdlib.h>

#include "base/size.h"
#include "yoke/measure.h"

static yoke_status series_grow(yoke_series *series, yoke_error *err)
{
    size_t capacity = series->capacity ? series->capacity : 8, bytes;
    if (!size_mul(capacity, 2, &capacity) || !size_mul(capacity, sizeof(double), &bytes))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "series: no room beyond %zu samples",
                              series->count);
    double *grown = realloc(series->samples_ns, bytes);
    if (!grown)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "series: no memory for %zu samples", capacity);
    series->samples_ns = grown;
    series->capacity = capacity;
    return YOKE_OK;
}

yoke_status yoke_series_add(yoke_series *series, double sample_ns, yoke_error *err)
{
    if (series->count == series->capacity) {
        yoke_status status = series_grow(series, err);
        if (status != YOKE_OK)
            return status;
    }
    series->samples_ns[series->count++] = sample_ns;
    return YOKE_OK;
}

void yoke_series_free(yoke_series *series)
{
    if (!series)
        return;
    free(series->samples_ns);
    *series = (yoke_series){0};
}
