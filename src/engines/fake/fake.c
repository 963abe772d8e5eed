/* The fake engine. Its results are those of the reference product, spoiled where the script says
 * so. Its device is simulated: one that works on one product at a time, and whose end of a product
 * is a point in time that wait really waits for. */
#include "engines/fake/fake.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/copy.h"
#include "engines/fake/pause.h"
#include "engines/fake/script.h"
#include "engines/fake/spoil.h"
#include "yoke/measure.h"

#ifndef FAKE_NAME
#define FAKE_NAME "fake"
#endif

#define LONGEST_HANG_NS 10000000000u /* a hang without a deadline ends, so that tests do */
#define MAX_NS          1e18         /* longer than anyone waits, and fits 64 bits */

typedef struct fake_engine {
    script script;
    atomic_uint_fast64_t products; /* submits so far */
    atomic_bool dead;
    const volatile bool *stop; /* to be heeded; NULL: there is none */
    pthread_mutex_t device;
    uint64_t device_free_ns; /* when the product before ends; under `device` */
} fake_engine;

typedef struct fake_ticket {
    const yoke_matrix *w, *x, *y;
    size_t n_begin;
    float alpha, beta;
    uint64_t number; /* of the product, from 1 */
    uint64_t submit_ns, submitted_ns, begin_ns, end_ns;
} fake_ticket;
_Static_assert(sizeof(fake_ticket) <= sizeof(yoke_ticket), "a ticket is too small");

static uint64_t formats_taken(const script *s)
{
    uint64_t readable = copy_readable_formats();
    return s->formats ? s->formats & readable : readable;
}

static void describe(const script *s, yoke_engine_info *info)
{
    *info = (yoke_engine_info){.ready = true};
    snprintf(info->name, sizeof info->name, "%s", FAKE_NAME);
    snprintf(
        info->description, sizeof info->description,
        "simulated: %g GFLOP/s, %g GB/s, %g us fixed (0: no time); results are computed on the "
        "CPU",
        s->rate_gflops, s->gbps, s->fixed_us);
    info->facts = (yoke_engine_facts){
        .accumulate = YOKE_F64,
        .granule_m = s->granule_m,
        .granule_n = s->granule_n,
        .max_m = s->max_m,
        .max_n = s->max_n,
        .max_k = s->max_k,
        .saturation = s->inf_above,
        .native_formats = formats_taken(s),
        .computes_on_caller = s->caller,
    };
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    *count = 1;
    if (capacity > 0)
        describe(&(script){.granule_m = 1, .granule_n = 1}, infos);
    return YOKE_OK;
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    script read;
    yoke_status status = script_read(config, &read, err);
    if (status != YOKE_OK)
        return status;
    if (*config->device)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "engine %s has no device \"%s\"", FAKE_NAME,
                              config->device);
    fake_engine *made = calloc(1, sizeof *made);
    if (!made || pthread_mutex_init(&made->device, NULL) != 0) {
        free(made);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", FAKE_NAME);
    }
    made->script = read;
    atomic_init(&made->products, 0);
    atomic_init(&made->dead, false);
    *engine = made;
    if (info)
        describe(&read, info);
    return YOKE_OK;
}

static void close_engine(void *engine)
{
    fake_engine *self = engine;
    pthread_mutex_destroy(&self->device);
    free(self);
}

static yoke_status check_alive(fake_engine *self, const char *call, yoke_error *err)
{
    if (!atomic_load(&self->dead))
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: %s: device lost (scripted)", FAKE_NAME,
                          call);
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **prepared,
                           yoke_prepare_report *report, yoke_error *err)
{
    fake_engine *self = engine;
    yoke_status status = check_alive(self, "prepare", err);
    if (status != YOKE_OK)
        return status;
    if (!(formats_taken(&self->script) >> w->format & 1u))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: prepare: w is %s, not taken",
                              FAKE_NAME, yoke_format_get(w->format)->name);
    yoke_matrix *copy;
    status = copy_create(w, &copy, report, err);
    if (status == YOKE_OK)
        *prepared = copy;
    return status;
}

static void release(void *engine, void *prepared)
{
    (void)engine;
    copy_free(prepared);
}

/* How long the device works on a product. */
static uint64_t duration_ns(const script *s, const fake_ticket *mine)
{
    const yoke_format_info *format = yoke_format_get(mine->w->format);
    double outputs = (double)mine->y->cols, k = (double)mine->w->cols;
    double bytes = outputs * k / (double)format->block * (double)format->block_bytes;
    double operations = 2.0 * (double)mine->x->rows * outputs * k;
    double compute_ns = s->rate_gflops > 0 ? operations / s->rate_gflops : 0;
    double read_ns = s->gbps > 0 ? bytes / s->gbps : 0;
    double total_ns = s->fixed_us * 1e3 + fmax(compute_ns, read_ns);
    bool over = s->slow_until > 0 && mine->number > s->slow_until;
    if (s->slow_after > 0 && mine->number > s->slow_after && !over)
        total_ns *= s->slow_factor;
    return (uint64_t)fmin(total_ns, MAX_NS);
}

static void queue_on_device(fake_engine *self, fake_ticket *mine, uint64_t now_ns)
{
    pthread_mutex_lock(&self->device);
    mine->begin_ns = self->device_free_ns > now_ns ? self->device_free_ns : now_ns;
    mine->end_ns = mine->begin_ns + duration_ns(&self->script, mine);
    self->device_free_ns = mine->end_ns;
    pthread_mutex_unlock(&self->device);
}

static yoke_status submit(void *engine, void *prepared, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err)
{
    fake_engine *self = engine;
    yoke_status status = check_alive(self, "submit", err);
    if (status != YOKE_OK)
        return status;
    fake_ticket mine = {
        .w = prepared,
        .x = task->x,
        .y = task->y,
        .n_begin = task->n_begin,
        .alpha = task->alpha,
        .beta = task->beta,
        .number = atomic_fetch_add(&self->products, 1) + 1,
        .submit_ns = yoke_clock_ns(),
    };
    if (mine.number == self->script.fail_at)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: submit %llu failed (scripted)",
                              FAKE_NAME, (unsigned long long)mine.number);
    if (!self->script.caller)
        queue_on_device(self, &mine, mine.submit_ns);
    mine.submitted_ns = yoke_clock_ns();
    memcpy(ticket, &mine, sizeof mine);
    return YOKE_OK;
}

static yoke_status compute(const script *s, const fake_ticket *mine, yoke_error *err)
{
    yoke_matrix y = *mine->y;
    const yoke_matrix w = yoke_matrix_rows(mine->w, mine->n_begin, y.cols);
    yoke_status status = yoke_matrix_product(mine->alpha, mine->x, &w, mine->beta, &y, err);
    return status == YOKE_OK ? spoil_result(s, mine->number, w.cols, &y, err) : status;
}

static yoke_status fail_as_scripted(fake_engine *self, const fake_ticket *mine, yoke_error *err)
{
    if (mine->number == self->script.die_at)
        atomic_store(&self->dead, true);
    yoke_status status = check_alive(self, "wait", err);
    if (status == YOKE_OK && mine->number == self->script.fail_wait_at)
        status = yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: product %llu failed (scripted)",
                                FAKE_NAME, (unsigned long long)mine->number);
    return status;
}

static yoke_status say_given_up(const fake_engine *self, const fake_ticket *mine, bool hangs,
                                yoke_error *err)
{
    if (self->stop && *self->stop)
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED,
                              "engine %s: wait: product %llu: stopped on request", FAKE_NAME,
                              (unsigned long long)mine->number);
    return yoke_error_set(err, YOKE_ERR_TIMEOUT, "engine %s: wait: product %llu did not end%s",
                          FAKE_NAME, (unsigned long long)mine->number,
                          hangs ? " (scripted)" : " before its deadline");
}

static yoke_status wait_for(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                            uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                            yoke_error *err)
{
    fake_engine *self = engine;
    fake_ticket mine;
    memcpy(&mine, ticket, sizeof mine);
    bool hangs = mine.number == self->script.hang_at;
    if (self->script.caller)
        queue_on_device(self, &mine, yoke_clock_ns());

    yoke_status status = hangs ? YOKE_OK : compute(&self->script, &mine, err);
    if (status != YOKE_OK)
        return status;
    uint64_t end = hangs ? mine.submit_ns + LONGEST_HANG_NS : mine.end_ns;
    const pause_request pause = {how, mine.submit_ns, predicted_end_ns, deadline_ns, self->stop};
    bool in_time = pause_until(end, &pause);
    if (hangs || !in_time)
        return say_given_up(self, &mine, hangs, err);
    status = fail_as_scripted(self, &mine, err);
    if (status != YOKE_OK)
        return status;
    timing->submit_ns = mine.submit_ns;
    timing->submitted_ns = mine.submitted_ns;
    timing->device_begin_ns = mine.begin_ns;
    timing->device_end_ns = mine.end_ns;
    timing->done_ns = yoke_clock_ns();
    timing->path = "simulated";
    return YOKE_OK;
}

/* What the script says, so that a fraction of the limit is 1 but for the fixed cost. */
static yoke_status limit(void *engine, const yoke_limit_request *request, double *per_second,
                         yoke_error *err)
{
    const fake_engine *self = engine;
    double giga = request->limit == YOKE_LIMIT_READ ? self->script.gbps : self->script.rate_gflops;
    if (giga <= 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: no such limit is scripted",
                              FAKE_NAME);
    *per_second = giga * 1e9;
    return YOKE_OK;
}

static void heed(void *engine, const volatile bool *stop)
{
    ((fake_engine *)engine)->stop = stop;
}

#ifdef YOKE_ENGINE_PLUGIN
static
#endif
    const yoke_engine_class engine_fake = {
        .abi = YOKE_ENGINE_ABI,
        .size = sizeof(yoke_engine_class),
        .name = FAKE_NAME,
        .summary = "right results and simulated time, by a script; for tests",
#ifndef YOKE_ENGINE_PLUGIN
        .hidden = true,
#endif
        .probe = probe,
        .open = open_engine,
        .close = close_engine,
        .prepare = prepare,
        .release = release,
        .submit = submit,
        .wait = wait_for,
        .limit = limit,
        .heed = heed,
};

#ifdef YOKE_ENGINE_PLUGIN
__attribute__((visibility("default"))) const yoke_engine_class *yoke_engine_plugin(void);

const yoke_engine_class *yoke_engine_plugin(void)
{
    return &engine_fake;
}
#endif
