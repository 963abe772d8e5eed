/* What blocking adds to a short task: while the caller sleeps its core may go idle, and must wake
 * before the result is seen. The same task is waited for asleep and looking, in turns, once with
 * the system's idle states as they are and once with them held off, where that is permitted. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/helper.h"
#include "bench/idle_hold.h"

enum { ASLEEP, LOOKING, WAYS };

static const uint64_t tasks_ns[] = {100000, 350000, 1000000};
enum { TASKS = sizeof tasks_ns / sizeof *tasks_ns };

typedef struct wake_subject {
    helper *h;
    uint64_t busy_ns;
    bool asleep;
} wake_subject;

static yoke_status wake_run(void *arg, double *elapsed_ns, yoke_error *err)
{
    (void)err;
    wake_subject *s = arg;
    *elapsed_ns = helper_run(s->h, s->busy_ns, s->asleep);
    return YOKE_OK;
}

static yoke_status add_rows(bench *b, uint64_t busy_ns, const char *idle_states,
                            yoke_record_row **rows, yoke_error *err)
{
    static const char *const waits[WAYS] = {"block", "poll"};
    for (size_t i = 0; i < WAYS; i++) {
        yoke_status status = yoke_record_add_row(b->record, "wake", "task", &rows[i], err);
        if (status != YOKE_OK)
            return status;
        rows[i]->task_ns = (double)busy_ns;
        snprintf(rows[i]->wait, sizeof rows[i]->wait, "%s", waits[i]);
        snprintf(rows[i]->idle_states, sizeof rows[i]->idle_states, "%s", idle_states);
    }
    return YOKE_OK;
}

static yoke_status measure_task(bench *b, helper *h, uint64_t busy_ns, const char *idle_states,
                                yoke_error *err)
{
    yoke_record_row *rows[WAYS];
    yoke_status status = add_rows(b, busy_ns, idle_states, rows, err);
    if (status != YOKE_OK)
        return status;
    wake_subject ways[WAYS] = {{h, busy_ns, true}, {h, busy_ns, false}};
    yoke_subject subjects[WAYS] = {{wake_run, &ways[ASLEEP]}, {wake_run, &ways[LOOKING]}};
    yoke_series series[WAYS] = {{0}, {0}};
    yoke_sampling sampling = {.min_samples = 100,
                              .min_seconds = 0.001 * b->options.seconds,
                              .max_samples = 1000,
                              .max_seconds = 0.02 * b->options.seconds,
                              .stop = b->options.stop};
    status = yoke_sample(subjects, WAYS, &sampling, series, err);
    for (size_t i = 0; i < WAYS; i++) {
        rows[i]->samples = series[i];
        if (status == YOKE_OK)
            status = yoke_record_row_summarise(rows[i], err);
    }
    if (status == YOKE_OK)
        rows[ASLEEP]->wake_added_ns = rows[ASLEEP]->time.median - rows[LOOKING]->time.median;
    return status;
}

static yoke_status measure_tasks(bench *b, helper *h, const char *idle_states, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < TASKS && status == YOKE_OK; i++)
        status = measure_task(b, h, tasks_ns[i], idle_states, err);
    return status;
}

static yoke_status measure_held(bench *b, helper *h, yoke_error *err)
{
    idle_hold hold;
    yoke_error reason;
    if (idle_hold_begin(&hold, &reason) != YOKE_OK)
        return yoke_record_add_text(&b->record->notes, err, "wake: idle states not held off: %s",
                                    reason.text);
    yoke_status status = measure_tasks(b, h, "held off", err);
    idle_hold_end(&hold);
    return status;
}

yoke_status bench_wake(bench *b, yoke_error *err)
{
    if (b->threads < 2)
        return yoke_record_add_text(&b->record->notes, err,
                                    "wake: left out: it needs two cores, and one is usable");
    bench_progress(b, NULL, "wake");
    helper *h;
    yoke_status status = helper_create(&h, err);
    if (status != YOKE_OK)
        return status;
    status = measure_tasks(b, h, "allowed", err);
    if (status == YOKE_OK)
        status = measure_held(b, h, err);
    helper_free(h);
    return status;
}
