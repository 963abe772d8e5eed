#include "engines/worker.h"

#include <stdlib.h>
#include <string.h>

#include "engines/worker_parts.h"

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

yoke_status worker_check(worker *w, yoke_error *err)
{
    pthread_mutex_lock(&w->mutex);
    const bool hangs = w->given_up > 0;
    pthread_mutex_unlock(&w->mutex);
    return hangs ? yoke_error_set(err, YOKE_ERR_ENGINE,
                                  "engine %s: lost: an earlier call to it was given up", w->engine)
                 : YOKE_OK;
}

void worker_heed(worker *w, const volatile bool *stop)
{
    w->stop = stop;
}

bool worker_heeds(const worker *w)
{
    return w->stop != NULL;
}
