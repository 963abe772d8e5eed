/* One engine slowed in mid-run: a busy loop on the core of the second one takes half of it. How
 * many products pass until the border moves, and what is reached then, against the new ideal: the
 * sum of the rates of both alone, with the loop. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "report.h"
#include "yoke/tune.h"

enum { M = 256, N = 4096, K = 4096, BEFORE = 30, AFTER = 40, RESTING = 20, ALONE = 15 };
#define TUNE_SECONDS 10

static atomic_bool over;

static void *busy(void *arg)
{
    const two_engines *two = arg;
    stay_on(two->cpus[1]);
    while (!atomic_load(&over))
        ;
    return NULL;
}

typedef struct history {
    double ns[BEFORE + AFTER];
    size_t share[BEFORE + AFTER]; /* outputs of the first engine */
} history;

static void run(yoke_plan *plan, const yoke_matrix *x, yoke_matrix *y, history *h, size_t from,
                size_t count)
{
    yoke_error err = {0};
    for (size_t i = from; i < from + count; i++) {
        yoke_run r;
        must(yoke_matmul(plan, x, y, NULL, &r, &err), &err);
        h->ns[i] = (double)(r.end_ns - r.begin_ns);
        h->share[i] = r.part_count == 2 ? r.parts[0].count : r.parts[0].engine == 0 ? N : 0;
    }
}

static double alone(yoke_engine *engine, const yoke_matrix *w, const yoke_matrix *x, yoke_matrix *y)
{
    yoke_error err = {0};
    yoke_weight *weight;
    double ns[ALONE];
    must(yoke_weight_prepare(engine, w, &weight, NULL, &err), &err);
    for (size_t i = 0; i < ALONE; i++) {
        yoke_timing t;
        must(yoke_weight_multiply(weight, x, y, NULL, &t, &err), &err);
        ns[i] = (double)(t.done_ns - t.submit_ns);
    }
    yoke_weight_free(weight);
    return median_of(ns, ALONE);
}

static double ideal(const two_engines *two, const yoke_matrix *w, const yoke_matrix *x,
                    yoke_matrix *y)
{
    double first = alone(two->engines[0], w, x, y), second = alone(two->engines[1], w, x, y);
    return 1 / (1 / first + 1 / second);
}

/* Products after the loop began until the first one with another border; 0 when none had. */
static size_t moved_after(const history *h)
{
    for (size_t i = 1; i < AFTER; i++)
        if (h->share[BEFORE + i] != h->share[BEFORE])
            return i;
    return 0;
}

static yoke_plan *make_plan(const two_engines *two, const yoke_matrix *w)
{
    yoke_error err = {0};
    yoke_profile *profile;
    yoke_plan *plan;
    const size_t m = M;
    yoke_tune_options tune = {
        .seconds = TUNE_SECONDS, .m = &m, .m_count = 1, .x_format = YOKE_BF16};
    yoke_plan_options options = {.m = M, .x_format = YOKE_BF16, .solve = {.axis = YOKE_AXIS_N}};
    must(yoke_profile_create(&profile, &err), &err);
    must(yoke_tune(two->engines, 2, w, &tune, profile, &err), &err);
    must(yoke_plan_create(two->engines, 2, w, profile, &options, &plan, &err), &err);
    yoke_profile_free(profile);
    return plan;
}

static void report(const history *h, double ideal_before, double ideal_after)
{
    double before = median_of(h->ns + BEFORE - RESTING, RESTING);
    double after = median_of(h->ns + BEFORE + AFTER - RESTING, RESTING);
    report_number("share of the first before", "%", 100.0 * (double)h->share[BEFORE - 1] / N);
    report_number("share of the first after", "%",
                  100.0 * (double)h->share[BEFORE + AFTER - 1] / N);
    report_number("the border moved after", "products", (double)moved_after(h));
    report_number("a product before", "ms", before * 1e-6);
    report_number("ideal before", "ms", ideal_before * 1e-6);
    report_number("of the ideal before", "%", 100 * ideal_before / before);
    report_number("a product after", "ms", after * 1e-6);
    report_number("ideal after", "ms", ideal_after * 1e-6);
    report_number("of the ideal after", "%", 100 * ideal_after / after);
}

int main(int argc, char **argv)
{
    two_engines two;
    yoke_error err = {0};
    pthread_t loop;
    history h;
    open_two(argc, argv, &two);
    stay_on(two.cpus[0]);
    yoke_matrix w = random_matrix(YOKE_BF16, N, K, 1), x = random_matrix(YOKE_BF16, M, K, 2);
    yoke_matrix y = random_matrix(YOKE_F32, M, N, 3);
    yoke_plan *plan = make_plan(&two, &w);
    double before = ideal(&two, &w, &x, &y);
    run(plan, &x, &y, &h, 0, BEFORE);
    if (pthread_create(&loop, NULL, busy, &two) != 0)
        must(yoke_error_set(&err, YOKE_ERR_MEMORY, "no thread for the loop"), &err);
    run(plan, &x, &y, &h, BEFORE, AFTER);
    double after = ideal(&two, &w, &x, &y);
    atomic_store(&over, true);
    pthread_join(loop, NULL);
    report(&h, before, after);
    report_end();
    yoke_plan_free(plan);
    yoke_matrix_free(&y);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    close_two(&two);
    return 0;
}
