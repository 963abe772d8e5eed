#include "split/quick.h"

#include "base/size.h"
#include "measure/wander.h"
#include "split/load.h"
#include "yoke/measure.h"

#define SAMPLES 3
#define LARGE_M 128   /* enough for arithmetic, not reading, to decide */
#define STEP    4     /* from one window to the next */
#define LONG_NS 500e6 /* a product that is expected to take longer is left out */

typedef struct quick {
    yoke_plan *plan;
    const party *party;
    load load; /* its x and y as large as any of the products */
    double ns; /* of the smallest window at the M before; 0: at none yet */
    size_t m;  /*   and that M */
} quick;

static yoke_status measure_point(quick *q, load *l, double *median_ns, yoke_error *err)
{
    double samples[SAMPLES];
    yoke_status status = load_check(l, q->plan->check, &samples[0], err);
    for (size_t i = 0; i < SAMPLES && status == YOKE_OK; i++)
        status = load_run(l, &samples[i], err);
    yoke_statistics found;
    if (status == YOKE_OK)
        status = yoke_statistics_of(samples, SAMPLES, &found, err);
    if (status != YOKE_OK)
        return status;
    *median_ns = found.median > 0 ? found.median : 1;
    const yoke_curve_point point = {l->x.rows, l->y.cols, *median_ns, found.mad, SAMPLES};
    return yoke_profile_add(q->plan->profile, &q->party->key, &point, err);
}

/* A sixteenth, a quarter and all of the outputs, as long as it does not take too long. */
static yoke_status measure_windows(quick *q, size_t m, yoke_error *err)
{
    size_t all = yoke_weight_outputs(q->load.weight), granule = q->party->info->facts.granule_n;
    if (q->ns / (double)(q->m ? q->m : 1) * (double)m > LONG_NS)
        return YOKE_OK;
    double ns = 0;
    for (size_t part = STEP * STEP, before = 0; part > 0 && ns * STEP < LONG_NS; part /= STEP) {
        load l = q->load;
        size_t n = wander_size(all, all / part, granule);
        if (n == before)
            continue;
        l.x = yoke_matrix_rows(&l.x, 0, m);
        l.y = yoke_matrix_rows(&l.y, 0, m);
        load_resize(&l, n);
        yoke_status status = measure_point(q, &l, &ns, err);
        if (status != YOKE_OK)
            return status;
        if (before == 0) {
            q->ns = ns;
            q->m = m;
        }
        before = n;
    }
    return YOKE_OK;
}

/* At few rows, many, and as many as the plan is for. */
static yoke_status measure_all(quick *q, size_t most, yoke_error *err)
{
    size_t m[] = {1, size_min(LARGE_M, most), size_min(q->plan->options.m, most)};
    if (m[1] > m[2]) {
        m[1] = m[2];
        m[2] = size_min(LARGE_M, most);
    }
    yoke_status status = yoke_matrix_fill_random(&q->load.x, 1, err);
    for (size_t i = 0; i < 3 && status == YOKE_OK; i++)
        if (i == 0 || m[i] != m[i - 1])
            status = measure_windows(q, m[i], err);
    return status;
}

yoke_status quick_measure(yoke_plan *plan, const party *p, yoke_error *err)
{
    const yoke_engine_facts *facts = &p->info->facts;
    size_t most_m = plan->options.m > LARGE_M ? plan->options.m : LARGE_M;
    size_t most_n = facts->max_n > 0 ? facts->max_n : plan->w.rows;
    most_m = facts->max_m > 0 ? size_min(most_m, facts->max_m) : most_m;
    const yoke_matrix w =
        yoke_matrix_rows(&plan->w, 0, wander_size(plan->w.rows, most_n, facts->granule_n));
    yoke_weight *weight = NULL;
    quick q = {.plan = plan,
               .party = p,
               .load = {.engine = p->engine, .precision = plan->options.precision}};
    yoke_status status = yoke_weight_prepare(p->engine, &w, &weight, NULL, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(plan->options.x_format, most_m, w.cols, &q.load.x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, most_m, w.rows, &q.load.y, err);
    q.load.weight = weight;
    if (status == YOKE_OK)
        status = measure_all(&q, most_m, err);
    yoke_matrix_free(&q.load.y);
    yoke_matrix_free(&q.load.x);
    yoke_weight_free(weight);
    return status;
}
