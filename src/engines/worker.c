#include "engines/worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/await.h"
#include "yoke/measure.h"

#define NS_PER_S 1000000000u

struct worker {
    const char *engine;
    pthread_t thread;
    pthread_mutex_t mutex; /* of the rest */
    pthread_cond_t changed;
    worker_job *first, *last;
    size_t given_up; /* jobs that still run */
    bool closing;
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

static void settle(worker *w, worker_job *job, yoke_status status)
{
    pthread_mutex_lock(&w->mutex);
    const bool given_up = job->given_up;
    job->status = status;
    w->given_up -= given_up;
    atomic_store(&job->done, true); /* from here on it may be gone */
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    if (given_up)
        job->abandoned(job);
}

static void *work(void *arg)
{
    worker *w = arg;
    for (worker_job *job = take_next(w); job; job = take_next(w))
        settle(w, job, job->run(job, &job->error));
    return NULL;
}

yoke_status worker_create(const char *engine, worker **out, yoke_error *err)
{
    worker *w = calloc(1, sizeof *w);
    if (!w)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: out of memory", engine);
    w->engine = engine;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    const int code = pthread_create(&w->thread, NULL, work, w);
    if (code != 0) {
        free(w);
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: pthread_create: %s", engine,
                              strerror(code));
    }
    *out = w;
    return YOKE_OK;
}

static bool is_stuck(worker *w)
{
    pthread_mutex_lock(&w->mutex);
    const bool stuck = w->given_up > 0;
    pthread_mutex_unlock(&w->mutex);
    return stuck;
}

bool worker_free(worker *w)
{
    if (!w)
        return true;
    if (is_stuck(w)) {
        pthread_detach(w->thread);
        return false;
    }
    pthread_mutex_lock(&w->mutex);
    w->closing = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
    return true;
}

void worker_job_init(worker_job *job, worker_run *run, void (*abandoned)(worker_job *job))
{
    *job = (worker_job){.run = run, .abandoned = abandoned};
    pthread_mutex_init(&job->touching, NULL);
    atomic_init(&job->done, false);
}

void worker_job_destroy(worker_job *job)
{
    pthread_mutex_destroy(&job->touching);
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

static bool has_ended(void *arg)
{
    return atomic_load(&((worker_job *)arg)->done);
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

/* False when the deadline comes first; 0: there is none. */
static bool sleep_until_ended(worker *w, worker_job *job, uint64_t deadline_ns)
{
    pthread_mutex_lock(&w->mutex);
    while (!atomic_load(&job->done) && (deadline_ns == 0 || yoke_clock_ns() < deadline_ns)) {
        if (deadline_ns == 0) {
            pthread_cond_wait(&w->changed, &w->mutex);
            continue;
        }
        const struct timespec until = wall_clock_of(deadline_ns);
        pthread_cond_timedwait(&w->changed, &w->mutex, &until);
    }
    const bool ended = atomic_load(&job->done);
    pthread_mutex_unlock(&w->mutex);
    return ended;
}

/* False when it has ended all the same. */
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

yoke_status worker_wait(worker *w, worker_job *job, yoke_wait_how how, uint64_t predicted_end_ns,
                        uint64_t deadline_ns, yoke_error *err)
{
    const bool ended = how == YOKE_WAIT_BLOCK
                           ? sleep_until_ended(w, job, deadline_ns)
                           : await(has_ended, job, how, predicted_end_ns, deadline_ns);
    if (!ended && give_up(w, job))
        return yoke_error_set(err, YOKE_ERR_TIMEOUT, "engine %s: a call did not end in time",
                              w->engine);
    pthread_mutex_lock(&w->mutex); /* the thread lets go of the job when it lets go of this */
    const yoke_status status = job->status;
    pthread_mutex_unlock(&w->mutex);
    return status == YOKE_OK ? YOKE_OK : yoke_error_set(err, status, "%s", job->error.text);
}

bool worker_touch(worker_job *job)
{
    pthread_mutex_lock(&job->touching);
    if (!job->given_up)
        return true;
    pthread_mutex_unlock(&job->touching);
    return false;
}

void worker_let_go(worker_job *job)
{
    pthread_mutex_unlock(&job->touching);
}
