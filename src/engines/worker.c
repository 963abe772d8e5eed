#include "engines/worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/await.h"
#include "yoke/measure.h"

#define NS_PER_S 1000000000u
#define LOOK_NS  20000000u /* between looks at a flag */

struct worker {
    const char *engine;
    pthread_t thread;
    pthread_mutex_t mutex; /* of the rest */
    pthread_cond_t changed;
    worker_job *first, *last;
    size_t given_up; /* jobs that still run */
    worker_thing *discarded, **discarded_end;
    worker_thing *idle;
    const volatile bool *stop;
    bool closing;
    bool detached; /* nobody waits for the thread: it frees the worker */
};

static worker_job *take_next(worker *w)
{
    pthread_mutex_lock(&w->mutex);
    while (!w->first && !w->closing)
        pthread_cond_wait(&w->changed, &w->mutex);
    worker_job *next = w->first;
    if (next)
        w->first = next->next;
    pthread_mutex_unlock(&w->mutex);
    return next;
}

static void destroy_all(worker_thing *list)
{
    while (list) {
        worker_thing *next = list->next;
        list->destroy(list);
        list = next;
    }
}

/* With the mutex held: what nothing uses any more. */
static worker_thing *take_discarded(worker *w)
{
    if (w->given_up > 0)
        return NULL;
    worker_thing *list = w->discarded;
    w->discarded = NULL;
    w->discarded_end = &w->discarded;
    return list;
}

static void settle(worker *w, worker_job *job, yoke_status status)
{
    pthread_mutex_lock(&w->mutex);
    job->status = status;
    w->given_up -= job->given_up;
    atomic_store(&job->done, true); /* from here on it may be gone */
    worker_thing *unused = take_discarded(w);
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    destroy_all(unused);
}

static void free_worker(worker *w)
{
    destroy_all(w->idle);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

static void *work(void *arg)
{
    worker *w = arg;
    for (worker_job *job = take_next(w); job; job = take_next(w))
        settle(w, job, job->run(job, &job->error));
    if (w->detached)
        free_worker(w);
    return NULL;
}

yoke_status worker_create(const char *engine, worker **out, yoke_error *err)
{
    worker *w = calloc(1, sizeof *w);
    if (!w)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", engine);
    w->engine = engine;
    w->discarded_end = &w->discarded;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    const int code = pthread_create(&w->thread, NULL, work, w);
    if (code != 0) {
        free_worker(w);
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: pthread_create: %s", engine,
                              strerror(code));
    }
    *out = w;
    return YOKE_OK;
}

/* With the mutex held: the thread ends when no job is left. Does a job that was given up run? Then
 * the thread goes on alone, and w is not the caller's any more once the mutex is let go of. */
static bool end_thread(worker *w)
{
    w->closing = true;
    w->detached = w->given_up > 0;
    if (w->detached)
        pthread_detach(w->thread);
    pthread_cond_broadcast(&w->changed);
    return w->detached;
}

static void discard(worker *w, worker_thing *thing)
{
    thing->next = NULL;
    *w->discarded_end = thing;
    w->discarded_end = &thing->next;
}

void worker_close(worker *w, worker_thing *engine)
{
    if (!w) {
        engine->destroy(engine);
        return;
    }
    pthread_mutex_lock(&w->mutex);
    discard(w, engine);
    worker_thing *unused = take_discarded(w);
    const bool detached = end_thread(w);
    pthread_mutex_unlock(&w->mutex);
    if (!detached) {
        pthread_join(w->thread, NULL);
        free_worker(w);
    }
    destroy_all(unused);
}

void worker_discard(worker *w, worker_thing *thing)
{
    pthread_mutex_lock(&w->mutex);
    discard(w, thing);
    worker_thing *unused = take_discarded(w);
    pthread_mutex_unlock(&w->mutex);
    destroy_all(unused);
}

void worker_job_init(worker_job *job, worker_run *run, void (*destroy)(worker_thing *thing))
{
    *job = (worker_job){.thing.destroy = destroy, .run = run};
    pthread_mutex_init(&job->touching, NULL);
    atomic_init(&job->done, false);
}

void worker_job_destroy(worker_job *job)
{
    pthread_mutex_destroy(&job->touching);
}

static void free_own(worker_thing *thing)
{
    worker_job_destroy((worker_job *)thing);
    free(thing);
}

worker_job *worker_take(worker *w, size_t bytes, worker_run *run)
{
    pthread_mutex_lock(&w->mutex);
    worker_thing *idle = w->idle;
    if (idle)
        w->idle = idle->next;
    pthread_mutex_unlock(&w->mutex);
    if (idle)
        return (worker_job *)idle;
    worker_job *made = calloc(1, bytes);
    if (made)
        worker_job_init(made, run, free_own);
    return made;
}

void worker_put(worker *w, worker_job *job)
{
    if (job->given_up) {
        worker_discard(w, &job->thing);
        return;
    }
    pthread_mutex_lock(&w->mutex);
    job->thing.next = w->idle;
    w->idle = &job->thing;
    pthread_mutex_unlock(&w->mutex);
}

void worker_start(worker *w, worker_job *job)
{
    job->next = NULL;
    atomic_store(&job->done, false);
    pthread_mutex_lock(&w->mutex);
    if (w->first)
        w->last->next = job;
    else
        w->first = job;
    w->last = job;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}

void worker_heed(worker *w, const volatile bool *stop)
{
    w->stop = stop;
}

bool worker_heeds(const worker *w)
{
    return w->stop != NULL;
}

static bool is_stopped(const worker *w)
{
    return w->stop && *w->stop;
}

/* What a wait looks at. */
typedef struct watch {
    const worker *w;
    worker_job *job;
} watch;

static bool has_ended(void *arg)
{
    const watch *of = arg;
    return atomic_load(&of->job->done) || is_stopped(of->w);
}

/* On the clock that every system's conditions wait by. */
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

/* A flag wakes nobody: where there is one, it is looked at now and then. */
static uint64_t next_look_ns(const worker *w, uint64_t deadline_ns)
{
    const uint64_t look_ns = w->stop ? yoke_clock_ns() + LOOK_NS : 0;
    return look_ns == 0 || (deadline_ns != 0 && deadline_ns < look_ns) ? deadline_ns : look_ns;
}

/* Until it has ended, is stopped or is late. */
static void sleep_until_ended(worker *w, watch *of, uint64_t deadline_ns)
{
    pthread_mutex_lock(&w->mutex);
    while (!has_ended(of) && (deadline_ns == 0 || yoke_clock_ns() < deadline_ns)) {
        const uint64_t look_ns = next_look_ns(w, deadline_ns);
        if (look_ns == 0) {
            pthread_cond_wait(&w->changed, &w->mutex);
            continue;
        }
        const struct timespec until = wall_clock_of(look_ns);
        pthread_cond_timedwait(&w->changed, &w->mutex, &until);
    }
    pthread_mutex_unlock(&w->mutex);
}

static void wait_until_ended(worker *w, watch *of, yoke_wait_how how, uint64_t predicted_end_ns,
                             uint64_t deadline_ns)
{
    if (how == YOKE_WAIT_BLOCK)
        sleep_until_ended(w, of, deadline_ns);
    else
        await(has_ended, of, how, predicted_end_ns, deadline_ns);
}

/* False when it has ended, and the thread has let go of it. */
static bool give_up(worker *w, worker_job *job)
{
    pthread_mutex_lock(&job->touching);
    pthread_mutex_lock(&w->mutex);
    const bool runs = !atomic_load(&job->done);
    job->given_up = runs;
    w->given_up += runs;
    pthread_mutex_unlock(&w->mutex);
    pthread_mutex_unlock(&job->touching);
    return runs;
}

static yoke_status say_given_up(const worker *w, const char *call, yoke_error *err)
{
    if (is_stopped(w))
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "engine %s: %s: stopped on request",
                              w->engine, call);
    return yoke_error_set(err, YOKE_ERR_TIMEOUT, "engine %s: %s: did not end before its deadline",
                          w->engine, call);
}

yoke_status worker_wait(worker *w, worker_job *job, const char *call, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_error *err)
{
    watch of = {w, job};
    wait_until_ended(w, &of, how, predicted_end_ns, deadline_ns);
    if (give_up(w, job))
        return say_given_up(w, call, err);
    return job->status == YOKE_OK ? YOKE_OK
                                  : yoke_error_set(err, job->status, "%s", job->error.text);
}

yoke_status worker_touch(worker_job *job, yoke_error *err)
{
    pthread_mutex_lock(&job->touching);
    if (!job->given_up)
        return YOKE_OK;
    pthread_mutex_unlock(&job->touching);
    return yoke_error_set(err, YOKE_ERR_TIMEOUT, "given up"); /* which nobody is told */
}

void worker_let_go(worker_job *job)
{
    pthread_mutex_unlock(&job->touching);
}
