/* Sampling: warm up until stable, then rounds over all subjects, A B A B, so that a drift of the
 * machine hits them alike. */
#include <stdlib.h>

#include "base/size.h"
#include "measure/order.h"
#include "yoke/measure.h"

/* What sampling knows of one subject on top of its series. */
typedef struct progress {
    double wall_ns;    /* spent on it, warm-up included */
    double sampled_ns; /* sum of the samples taken by this call */
    size_t samples;
    double *recent; /* ring of the last warm-up runs */
    size_t warmups;
} progress;

static yoke_sampling with_defaults(const yoke_sampling *given)
{
    yoke_sampling s = given ? *given : (yoke_sampling){0};
    if (s.min_samples == 0)
        s.min_samples = 10;
    if (!(s.min_seconds > 0))
        s.min_seconds = 0.3;
    if (s.max_samples == 0)
        s.max_samples = 10000;
    if (!(s.max_seconds > 0))
        s.max_seconds = 10;
    if (s.warmup_window == 0)
        s.warmup_window = 5;
    if (!(s.warmup_spread > 0))
        s.warmup_spread = 0.05;
    if (s.warmup_max == 0)
        s.warmup_max = 50;
    return s;
}

static bool settled(const double *recent, double *sorted, size_t window, double spread)
{
    for (size_t i = 0; i < window; i++)
        sorted[i] = recent[i];
    order_sort(sorted, window);
    double median = order_quantile(sorted, window, 0.5);
    return sorted[window - 1] - sorted[0] <= spread * median;
}

static bool stopped(const yoke_sampling *s)
{
    return s->stop && *s->stop;
}

static yoke_status run_once(const yoke_subject *subject, const yoke_sampling *s, progress *p,
                            double *elapsed_ns, yoke_error *err)
{
    if (stopped(s))
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "measuring: stopped on request");
    uint64_t begin = yoke_clock_ns();
    yoke_status status = subject->run(subject->arg, elapsed_ns, err);
    p->wall_ns += (double)(yoke_clock_ns() - begin);
    return status;
}

/* A warm-up may take half of the subject's time at most, so that samples are left. */
static yoke_status warm_up(const yoke_subject *subject, const yoke_sampling *s, progress *p,
                           double *sorted, yoke_series *series, yoke_error *err)
{
    series->warmup_settled = false;
    while (p->warmups < s->warmup_max && p->wall_ns < 0.5e9 * s->max_seconds) {
        double elapsed_ns = 0;
        yoke_status status = run_once(subject, s, p, &elapsed_ns, err);
        if (status != YOKE_OK)
            return status;
        p->recent[p->warmups++ % s->warmup_window] = elapsed_ns;
        series->warmup_count++;
        if (p->warmups >= s->warmup_window &&
            settled(p->recent, sorted, s->warmup_window, s->warmup_spread)) {
            series->warmup_settled = true;
            break;
        }
    }
    return YOKE_OK;
}

static bool exhausted(const yoke_sampling *s, const progress *p)
{
    return p->samples > 0 && (p->samples >= s->max_samples || p->wall_ns >= 1e9 * s->max_seconds);
}

static bool enough(const yoke_sampling *s, const progress *p)
{
    return exhausted(s, p) ||
           (p->samples >= s->min_samples && p->sampled_ns >= 1e9 * s->min_seconds);
}

static yoke_status take_sample(const yoke_subject *subject, const yoke_sampling *s, progress *p,
                               yoke_series *series, yoke_error *err)
{
    double elapsed_ns = 0;
    yoke_status status = run_once(subject, s, p, &elapsed_ns, err);
    if (status == YOKE_OK)
        status = yoke_series_add(series, elapsed_ns, err);
    if (status != YOKE_OK)
        return status;
    p->samples++;
    p->sampled_ns += elapsed_ns;
    return YOKE_OK;
}

/* A subject that has enough runs on while another has not, so that the rounds stay whole; only one
 * that is out of time or samples sits out. */
static yoke_status sample_rounds(const yoke_subject *subjects, size_t count, const yoke_sampling *s,
                                 progress *all, yoke_series *series, yoke_error *err)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (exhausted(s, &all[i]))
                continue;
            yoke_status status = take_sample(&subjects[i], s, &all[i], &series[i], err);
            if (status != YOKE_OK)
                return status;
        }
        for (size_t i = 0; i < count; i++)
            more = more || !enough(s, &all[i]);
    }
    return YOKE_OK;
}

static yoke_status sample_all(const yoke_subject *subjects, size_t count, const yoke_sampling *s,
                              progress *all, double *windows, yoke_series *series, yoke_error *err)
{
    double *sorted = windows + count * s->warmup_window;
    for (size_t i = 0; i < count; i++) {
        all[i].recent = windows + i * s->warmup_window;
        yoke_status status = warm_up(&subjects[i], s, &all[i], sorted, &series[i], err);
        if (status != YOKE_OK)
            return status;
    }
    return sample_rounds(subjects, count, s, all, series, err);
}

yoke_status yoke_sample(const yoke_subject *subjects, size_t count, const yoke_sampling *sampling,
                        yoke_series *series, yoke_error *err)
{
    if (count == 0)
        return YOKE_OK;
    yoke_sampling s = with_defaults(sampling);
    size_t windows_count, windows_bytes;
    if (!size_add(count, 1, &windows_count) || /* one more to sort in */
        !size_mul(windows_count, s.warmup_window, &windows_count) ||
        !size_mul(windows_count, sizeof(double), &windows_bytes))
        return yoke_error_set(err, YOKE_ERR_USAGE, "sampling: warmup_window %zu is too large",
                              s.warmup_window);
    progress *all = calloc(count, sizeof *all);
    double *windows = malloc(windows_bytes);
    yoke_status status = YOKE_ERR_MEMORY;
    if (all && windows)
        status = sample_all(subjects, count, &s, all, windows, series, err);
    else
        yoke_error_set(err, YOKE_ERR_MEMORY, "sampling: no memory for %zu subjects", count);
    free(windows);
    free(all);
    return status;
}
