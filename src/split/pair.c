#include "split/pair.h"

#include <stdlib.h>

#include "base/size.h"
#include "split/rival.h"

typedef struct beside {
    load *load;
    rival *rival;
} beside;

static yoke_status run_beside(void *arg, double *elapsed_ns, yoke_error *err)
{
    beside *b = arg;
    rival_begin(b->rival);
    yoke_status status = load_run(b->load, elapsed_ns, err);
    yoke_status other = rival_end(b->rival, status == YOKE_OK ? err : NULL);
    return status == YOKE_OK ? other : status;
}

static yoke_status measure(pair_side sides[2], rival *const rivals[2],
                           const yoke_sampling *sampling, yoke_error *err)
{
    beside besides[2];
    yoke_subject subjects[4];
    yoke_series series[4] = {{0}};
    for (size_t i = 0; i < 2; i++) {
        besides[i] = (beside){sides[i].load, rivals[1 - i]};
        subjects[2 * i] = (yoke_subject){load_run, sides[i].load};
        subjects[2 * i + 1] = (yoke_subject){run_beside, &besides[i]};
    }
    yoke_status status = yoke_sample(subjects, 4, sampling, series, err);
    for (size_t i = 0; i < 2; i++) {
        sides[i].alone = series[2 * i];
        sides[i].beside = series[2 * i + 1];
    }
    return status;
}

yoke_status pair_measure(pair_side sides[2], const yoke_sampling *sampling, yoke_error *err)
{
    rival *rivals[2] = {NULL, NULL};
    yoke_status status = rival_create(sides[0].load, &rivals[0], err);
    if (status == YOKE_OK)
        status = rival_create(sides[1].load, &rivals[1], err);
    if (status == YOKE_OK)
        status = measure(sides, rivals, sampling, err);
    rival_free(rivals[0]);
    rival_free(rivals[1]);
    return status;
}

void pair_free(pair_side sides[2])
{
    for (size_t i = 0; i < 2; i++) {
        yoke_series_free(&sides[i].alone);
        yoke_series_free(&sides[i].beside);
    }
}

yoke_status pair_retained(const pair_side *side, yoke_statistics *retained, yoke_error *err)
{
    size_t count = size_min(side->alone.count, side->beside.count);
    double *ratios = calloc(count ? count : 1, sizeof *ratios);
    if (!ratios)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "comparing %zu samples: out of memory", count);
    for (size_t i = 0; i < count; i++)
        ratios[i] = side->alone.samples_ns[i] / side->beside.samples_ns[i];
    yoke_status status = yoke_statistics_of(ratios, count, retained, err);
    free(ratios);
    return status;
}
