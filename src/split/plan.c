#include "split/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engines/error_model.h"
#include "matrix/check_weight.h"
#include "split/quick.h"
#include "split/verify.h"

#define CHECK_SEED UINT64_C(0x796f6b65)

static bool uses(const layout *l, size_t engine)
{
    for (size_t i = 0; i < l->part_count; i++)
        if (l->parts[i].engine == engine)
            return true;
    return false;
}

void plan_quarantine_locked(yoke_plan *plan, size_t i, const yoke_error *why)
{
    unsigned before = atomic_fetch_or(&plan->quarantined, 1u << i);
    if (!(before >> i & 1u))
        plan->parties[i].why = *why;
    for (size_t b = 0; b < LAYOUT_BUCKETS; b++) {
        layout *l = atomic_load(&plan->layouts[b]);
        if (l && uses(l, i))
            layout_replace(plan, b, l, NULL);
    }
}

void plan_quarantine(yoke_plan *plan, size_t i, const yoke_error *why)
{
    pthread_mutex_lock(&plan->lock);
    plan_quarantine_locked(plan, i, why);
    pthread_mutex_unlock(&plan->lock);
}

/* A product counts itself before it looks for a layout. So when the count says that there is none
 * but the caller's, whoever starts now finds what is published, and nobody has what is not. */
void plan_collect(yoke_plan *plan)
{
    if (atomic_load(&plan->running) > 1)
        return;
    while (plan->retired) {
        layout *l = plan->retired;
        plan->retired = l->next;
        layout_free(l);
    }
    for (size_t i = 0; i < plan->party_count; i++)
        holding_free_unused(&plan->parties[i], false);
}

/* ---- Making one ---- */

static yoke_status check_options(const yoke_plan_options *options, yoke_error *err)
{
    if (!isfinite(options->tolerance) || options->tolerance < 0 || !isfinite(options->slack) ||
        options->slack > 1)
        return yoke_error_set(err, YOKE_ERR_USAGE, "plan: tolerance %g, slack %g: no such options",
                              options->tolerance, options->slack);
    if (options->precision > YOKE_PRECISION_INT8_X)
        return yoke_error_set(err, YOKE_ERR_USAGE, "plan: precision %d is none",
                              (int)options->precision);
    yoke_format x = options->x_format;
    if (x != YOKE_F32 && x != YOKE_F16 && x != YOKE_BF16)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "plan: x is %s; it must be f32, f16 or bf16",
                              yoke_format_get(x)->name);
    return YOKE_OK;
}

static yoke_plan_options with_defaults(const yoke_plan_options *given)
{
    yoke_plan_options options = given ? *given : (yoke_plan_options){0};
    if (options.m == 0)
        options.m = 1;
    if (options.x_format == YOKE_FORMAT_NONE)
        options.x_format = YOKE_F32;
    if (options.slack == 0)
        options.slack = 0.0625;
    else if (options.slack < 0)
        options.slack = 0;
    return options;
}

static yoke_status check_arguments(yoke_engine *const *engines, size_t count, const yoke_matrix *w,
                                   yoke_error *err)
{
    if (!engines || count == 0 || count > YOKE_SPLIT_MAX_ENGINES)
        return yoke_error_set(err, YOKE_ERR_USAGE, "a plan takes 1 to %d engines, not %zu",
                              YOKE_SPLIT_MAX_ENGINES, engines ? count : 0);
    for (size_t i = 0; i < count; i++) {
        if (!engines[i])
            return yoke_error_set(err, YOKE_ERR_USAGE, "plan: engine %zu is NULL", i);
        for (size_t j = 0; j < i; j++)
            if (strcmp(yoke_engine_specification(engines[i]),
                       yoke_engine_specification(engines[j])) == 0)
                return yoke_error_set(err, YOKE_ERR_USAGE, "plan: engine %s is given twice",
                                      yoke_engine_specification(engines[i]));
    }
    yoke_status status = yoke_matrix_validate(w, "w", err);
    if (status == YOKE_OK && !yoke_format_get(w->format)->readable)
        status = yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "w is %s, which cannot be read",
                                yoke_format_get(w->format)->name);
    return status;
}

static void add_party(yoke_plan *plan, yoke_engine *engine)
{
    const yoke_plan_options *options = &plan->options;
    const yoke_engine_info *info = yoke_engine_describe(engine);
    plan->parties[plan->party_count++] = (party){
        .engine = engine,
        .info = info,
        .key = {.engine = yoke_engine_specification(engine),
                .description = info->description,
                .format = plan->w.format,
                .k = plan->w.cols,
                .x_format = options->x_format,
                .precision = options->precision},
        .model = error_model_of(&info->facts, options->precision),
        .able = verify_promises(&info->facts, options->precision, plan->w.cols, options->tolerance),
    };
}

static yoke_status some_are_able(const yoke_plan *plan, yoke_error *err)
{
    for (size_t i = 0; i < plan->party_count; i++)
        if (plan->parties[i].able)
            return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "no engine can promise an error of at most %g over %zu terms",
                          plan->options.tolerance, plan->w.cols);
}

static yoke_status copy_curve(yoke_profile *to, const yoke_profile *from, const yoke_curve_key *key,
                              yoke_error *err)
{
    yoke_curve_point point;
    yoke_contention contention;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; status == YOKE_OK && yoke_profile_point_at(from, key, i, &point); i++)
        status = yoke_profile_add(to, key, &point, err);
    for (size_t i = 0; status == YOKE_OK && yoke_profile_contention_at(from, key, i, &contention);
         i++)
        status = yoke_profile_add_contention(to, key, contention.m, contention.other,
                                             contention.slowdown, err);
    return status;
}

/* What the profile knows of the engines; the rest is measured. One that fails at that is out. */
static yoke_status learn_curves(yoke_plan *plan, const yoke_profile *profile, yoke_error *err)
{
    yoke_status status = yoke_profile_create(&plan->profile, err);
    for (size_t i = 0; i < plan->party_count && status == YOKE_OK && profile; i++)
        status = copy_curve(plan->profile, profile, &plan->parties[i].key, err);
    for (size_t i = 0; i < plan->party_count && status == YOKE_OK; i++) {
        const party *p = &plan->parties[i];
        double ns;
        yoke_error why = {0};
        if (p->able && yoke_profile_predict(plan->profile, &p->key, 1, 1, &ns, NULL) != YOKE_OK &&
            quick_measure(plan, p, &why) != YOKE_OK)
            plan_quarantine(plan, i, &why);
    }
    return status;
}

static const char *last_failure(const yoke_plan *plan)
{
    for (size_t i = plan->party_count; i-- > 0;)
        if (plan->parties[i].why.text[0])
            return plan->parties[i].why.text;
    return "";
}

static yoke_status prepare(yoke_plan *plan, const yoke_profile *profile, yoke_error *err)
{
    if (plan->w.rows == 0 || plan->w.cols == 0)
        return YOKE_OK; /* no product has anything to compute */
    yoke_status status = yoke_check_create(&plan->w, CHECK_SEED, &plan->check, err);
    if (status == YOKE_OK)
        status = learn_curves(plan, profile, err);
    layout *first;
    if (status == YOKE_OK)
        status = layout_get(plan, plan->options.m, &first, err);
    if (status == YOKE_ERR_ENGINE && last_failure(plan)[0])
        status = yoke_error_set(err, status, "no engine is left: %s", last_failure(plan));
    return status;
}

yoke_status yoke_plan_create(yoke_engine *const *engines, size_t count, const yoke_matrix *w,
                             const yoke_profile *profile, const yoke_plan_options *options,
                             yoke_plan **plan, yoke_error *err)
{
    if (!plan)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_plan_create: plan is NULL");
    *plan = NULL;
    const yoke_plan_options chosen = with_defaults(options);
    yoke_status status = check_arguments(engines, count, w, err);
    if (status == YOKE_OK)
        status = check_options(&chosen, err);
    if (status != YOKE_OK)
        return status;
    yoke_plan *made = calloc(1, sizeof *made);
    if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
        free(made);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "plan: out of memory");
    }
    made->w = *w;
    made->options = chosen;
    for (size_t i = 0; i < count; i++)
        add_party(made, engines[i]);
    status = some_are_able(made, err);
    if (status == YOKE_OK)
        status = prepare(made, profile, err);
    if (status != YOKE_OK) {
        yoke_plan_free(made);
        return status;
    }
    *plan = made;
    return YOKE_OK;
}

void yoke_plan_free(yoke_plan *plan)
{
    if (!plan)
        return;
    for (size_t b = 0; b < LAYOUT_BUCKETS; b++) {
        layout *l = atomic_load(&plan->layouts[b]);
        if (l)
            layout_replace(plan, b, l, NULL);
    }
    plan_collect(plan);
    for (size_t i = 0; i < plan->party_count; i++)
        holding_free_unused(&plan->parties[i], true);
    spare_free_all(&plan->spare);
    yoke_check_free(plan->check);
    yoke_profile_free(plan->profile);
    pthread_mutex_destroy(&plan->lock);
    free(plan);
}

/* ---- Asking one ---- */

yoke_status yoke_plan_describe(yoke_plan *plan, size_t m, yoke_solution *solution, yoke_error *err)
{
    if (!plan || !solution)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_plan_describe: an argument is NULL");
    if (m == 0 || !plan->check)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "a product of %zu x %zu x %zu has no windows", m,
                              plan->w.rows, plan->w.cols);
    return layout_describe(plan, m, solution, err);
}

static uint64_t check_bytes(const yoke_check *check)
{
    if (!check)
        return 0;
    return (uint64_t)check->k *
           (check->samples * sizeof *check->sample_row +
            check->segments * (sizeof *check->projection + sizeof *check->energy));
}

uint64_t yoke_plan_bytes(yoke_plan *plan)
{
    if (!plan)
        return 0;
    uint64_t bytes = check_bytes(plan->check);
    pthread_mutex_lock(&plan->lock);
    for (size_t i = 0; i < plan->party_count; i++)
        for (const holding *h = plan->parties[i].holdings; h; h = h->next)
            bytes += h->bytes;
    pthread_mutex_unlock(&plan->lock);
    return bytes;
}
