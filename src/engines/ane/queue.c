#include "engines/ane/queue.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/await.h"
#include "yoke/measure.h"

#define NS_PER_S 1000000000u

typedef struct job {
    struct job *next; /* in the queue, or among the idle ones */
    pthread_mutex_t touching;
    ane_product product;
    atomic_bool done;
    yoke_status status;
    yoke_error error;
    uint64_t submit_ns, submitted_ns;
} job;

struct ane_queue {
    const ane_framework *framework;
    const ane_options *options;
    pthread_t thread;
    pthread_mutex_t mutex; /* of the rest */
    pthread_cond_t changed;
    job *first, *last, *idle;
    size_t given_up; /* products that still run */
    bool closing;
};

static job *take_next(ane_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (!q->first && !q->closing)
        pthread_cond_wait(&q->changed, &q->mutex);
    job *next = q->first;
    if (next) {
        q->first = next->next;
        next->next = NULL;
    }
    pthread_mutex_unlock(&q->mutex);
    return next;
}

static void keep_idle(ane_queue *q, job *j)
{
    j->next = q->idle;
    q->idle = j;
}

static void finish(ane_queue *q, job *j, yoke_status status)
{
    pthread_mutex_lock(&q->mutex);
    j->status = status;
    atomic_store(&j->done, true);
    if (j->product.given_up) {
        q->given_up--;
        keep_idle(q, j);
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
}

static void *work(void *arg)
{
    ane_queue *q = arg;
    for (job *j = take_next(q); j; j = take_next(q))
        finish(q, j, ane_product_run(q->framework, q->options, &j->product, &j->error));
    return NULL;
}

yoke_status ane_queue_create(const ane_framework *f, const ane_options *options, ane_queue **out,
                             yoke_error *err)
{
    ane_queue *q = calloc(1, sizeof *q);
    if (!q)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: out of memory");
    q->framework = f;
    q->options = options;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->changed, NULL);
    const int code = pthread_create(&q->thread, NULL, work, q);
    if (code != 0) {
        free(q);
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine ane: pthread_create: %s",
                              strerror(code));
    }
    *out = q;
    return YOKE_OK;
}

bool ane_queue_is_stuck(ane_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    const bool stuck = q->given_up > 0;
    pthread_mutex_unlock(&q->mutex);
    return stuck;
}

bool ane_queue_free(ane_queue *q)
{
    if (ane_queue_is_stuck(q)) {
        pthread_detach(q->thread);
        return false;
    }
    pthread_mutex_lock(&q->mutex);
    q->closing = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
    pthread_join(q->thread, NULL);
    while (q->idle) {
        job *j = q->idle;
        q->idle = j->next;
        pthread_mutex_destroy(&j->touching);
        free(j);
    }
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->mutex);
    free(q);
    return true;
}

/* One that was used before, so that products allocate nothing after the first few. */
static job *take_job(ane_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    job *j = q->idle;
    if (j)
        q->idle = j->next;
    pthread_mutex_unlock(&q->mutex);
    if (j)
        return j;
    j = calloc(1, sizeof *j);
    if (j)
        pthread_mutex_init(&j->touching, NULL);
    return j;
}

static void append(ane_queue *q, job *j)
{
    pthread_mutex_lock(&q->mutex);
    if (q->first)
        q->last->next = j;
    else
        q->first = j;
    q->last = j;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
}

yoke_status ane_queue_submit(ane_queue *q, ane_weight *w, const yoke_task *task,
                             yoke_ticket *ticket, yoke_error *err)
{
    const uint64_t now = yoke_clock_ns();
    job *j = take_job(q);
    if (!j)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: submit: out of memory");
    j->next = NULL;
    j->product = (ane_product){.weight = w,
                               .x = *task->x,
                               .y = *task->y,
                               .alpha = task->alpha,
                               .beta = task->beta,
                               .n_begin = task->n_begin,
                               .one_size = task->pin_path,
                               .touching = &j->touching};
    atomic_store(&j->done, false);
    j->submit_ns = now;
    append(q, j);
    j->submitted_ns = yoke_clock_ns();
    memcpy(ticket, &j, sizeof j);
    return YOKE_OK;
}

static bool has_ended(void *arg)
{
    return atomic_load(&((job *)arg)->done);
}

/* That clock is the one that every system's conditions wait by. */
static struct timespec wall_clock_of(uint64_t deadline_ns)
{
    const uint64_t now = yoke_clock_ns(), left = deadline_ns > now ? deadline_ns - now : 0;
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += (time_t)(left / NS_PER_S);
    at.tv_nsec += (long)(left % NS_PER_S);
    if (at.tv_nsec >= (long)NS_PER_S) {
        at.tv_nsec -= (long)NS_PER_S;
        at.tv_sec++;
    }
    return at;
}

/* Asleep; false when the deadline comes first. */
static bool sleep_until_ended(ane_queue *q, job *j, uint64_t deadline_ns)
{
    pthread_mutex_lock(&q->mutex);
    while (!atomic_load(&j->done) && (deadline_ns == 0 || yoke_clock_ns() < deadline_ns)) {
        if (deadline_ns == 0) {
            pthread_cond_wait(&q->changed, &q->mutex);
            continue;
        }
        const struct timespec until = wall_clock_of(deadline_ns);
        pthread_cond_timedwait(&q->changed, &q->mutex, &until);
    }
    const bool ended = atomic_load(&j->done);
    pthread_mutex_unlock(&q->mutex);
    return ended;
}

/* After this x and y are not touched. False when it has ended all the same. */
static bool give_up(ane_queue *q, job *j)
{
    pthread_mutex_lock(&j->touching);
    pthread_mutex_lock(&q->mutex);
    const bool runs = !atomic_load(&j->done);
    j->product.given_up = runs;
    q->given_up += runs;
    pthread_mutex_unlock(&q->mutex);
    pthread_mutex_unlock(&j->touching);
    return runs;
}

static void fill_timing(const job *j, yoke_timing *timing)
{
    const ane_product *p = &j->product;
    timing->submit_ns = j->submit_ns;
    timing->submitted_ns = j->submitted_ns;
    timing->device_end_ns = p->device_end_ns; /* when the framework said so; it does not say more */
    if (p->hardware_ns != 0) {
        timing->device_begin_ns = p->device_begin_ns;
        timing->device_end_ns = p->device_begin_ns + p->hardware_ns;
        timing->device_clock = true;
    }
    timing->done_ns = yoke_clock_ns();
    timing->copied_bytes = p->copied_bytes;
    timing->path = p->weight->path;
}

yoke_status ane_queue_wait(ane_queue *q, yoke_ticket *ticket, yoke_wait_how how,
                           uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                           yoke_error *err)
{
    job *j;
    memcpy(&j, ticket, sizeof j);
    const bool ended = how == YOKE_WAIT_BLOCK
                           ? sleep_until_ended(q, j, deadline_ns)
                           : await(has_ended, j, how, predicted_end_ns, deadline_ns);
    if (!ended && give_up(q, j))
        return yoke_error_set(err, YOKE_ERR_TIMEOUT,
                              "engine ane: evaluateWithQoS:options:request:error:: the product did "
                              "not end before its deadline");
    /* The thread lets go of the job when it lets go of the mutex. */
    pthread_mutex_lock(&q->mutex);
    yoke_status status = j->status;
    if (status == YOKE_OK)
        fill_timing(j, timing);
    else
        yoke_error_set(err, status, "%s", j->error.text);
    keep_idle(q, j);
    pthread_mutex_unlock(&q->mutex);
    return status;
}
