#include "base/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "base/relax.h"
#include "yoke/measure.h"

/* How long an idle worker, or a blocking caller, looks before it sleeps. A wake-up costs 10 to 60
 * us, so looking for about as long at most doubles the cost of guessing wrong. */
#define SPIN_NS    50000u
#define CACHE_LINE 64

typedef struct worker {
    pool *owner;
    size_t index;
    pthread_t thread;
} worker;

struct pool {
    size_t threads;
    bool caller_joins;
    size_t worker_count;
    worker *workers; /* for the last worker_count thread numbers */

    pthread_mutex_t turn; /* held by the owner */
    pool_work *work;      /* NULL tells the workers to leave */
    void *arg;

    _Alignas(CACHE_LINE) atomic_uint_fast64_t job; /* counts jobs; a change is the signal */
    _Alignas(CACHE_LINE) atomic_size_t unfinished; /* workers still on the current job */
    _Alignas(CACHE_LINE) atomic_size_t sleepers;   /* parked, or about to be */
    pthread_mutex_t park;
    pthread_cond_t woken;
};

typedef bool condition(pool *p, uint64_t seen);

static bool job_posted(pool *p, uint64_t seen)
{
    return atomic_load(&p->job) != seen;
}

static bool job_finished(pool *p, uint64_t seen)
{
    (void)seen;
    return atomic_load(&p->unfinished) == 0;
}

static bool spin_until(pool *p, condition *met, uint64_t seen, uint64_t budget_ns)
{
    uint64_t begin = yoke_clock_ns();
    for (;;) {
        for (int i = 0; i < 64; i++) {
            if (met(p, seen))
                return true;
            cpu_relax();
        }
        if (yoke_clock_ns() - begin > budget_ns)
            return met(p, seen);
    }
}

/* Announce first, look second: whoever makes the condition true looks for sleepers afterwards, so
 * one of the two sees the other. */
static void sleep_until(pool *p, condition *met, uint64_t seen)
{
    pthread_mutex_lock(&p->park);
    atomic_fetch_add(&p->sleepers, 1);
    while (!met(p, seen))
        pthread_cond_wait(&p->woken, &p->park);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->park);
}

static void wake_sleepers(pool *p)
{
    if (atomic_load(&p->sleepers) == 0)
        return;
    pthread_mutex_lock(&p->park);
    pthread_cond_broadcast(&p->woken);
    pthread_mutex_unlock(&p->park);
}

static void *worker_main(void *arg)
{
    const worker *self = arg;
    pool *p = self->owner;
    for (uint64_t seen = 0;; seen++) {
        if (!spin_until(p, job_posted, seen, SPIN_NS))
            sleep_until(p, job_posted, seen);
        if (!p->work)
            return NULL;
        p->work(p->arg, self->index, p->threads);
        if (atomic_fetch_sub(&p->unfinished, 1) == 1)
            wake_sleepers(p);
    }
}

static void post(pool *p, pool_work *work, void *arg)
{
    p->work = work;
    p->arg = arg;
    atomic_store(&p->unfinished, p->worker_count);
    atomic_fetch_add(&p->job, 1);
    wake_sleepers(p);
}

#ifdef __linux__
/* Lets the thread to be made run on the given CPUs only. */
static int place(pthread_attr_t *attributes, const unsigned *cpus, size_t count)
{
    unsigned highest = 0;
    for (size_t i = 0; i < count; i++)
        highest = cpus[i] > highest ? cpus[i] : highest;
    size_t bytes = CPU_ALLOC_SIZE(highest + 1);
    cpu_set_t *set = CPU_ALLOC(highest + 1);
    if (!set)
        return ENOMEM;
    CPU_ZERO_S(bytes, set);
    for (size_t i = 0; i < count; i++)
        CPU_SET_S(cpus[i], bytes, set);
    int failed = pthread_attr_setaffinity_np(attributes, bytes, set);
    CPU_FREE(set);
    return failed;
}
#else
static int place(pthread_attr_t *attributes, const unsigned *cpus, size_t count)
{
    (void)attributes, (void)cpus, (void)count; /* not to be had */
    return 0;
}
#endif

static int start_worker(worker *w, const unsigned *cpus)
{
    const pool *p = w->owner;
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed)
        return failed;
    if (cpus)
        failed = p->caller_joins ? place(&attributes, cpus, p->threads)
                                 : place(&attributes, &cpus[w->index], 1);
    if (!failed)
        failed = pthread_create(&w->thread, &attributes, worker_main, w);
    pthread_attr_destroy(&attributes);
    return failed;
}

static void stop_workers(pool *p, size_t started)
{
    if (started > 0) {
        post(p, NULL, NULL);
        for (size_t i = 0; i < started; i++)
            pthread_join(p->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&p->woken);
    pthread_mutex_destroy(&p->park);
    pthread_mutex_destroy(&p->turn);
    free(p->workers);
    free(p);
}

static pool *make_pool(size_t threads, bool caller_joins)
{
    pool *p = aligned_alloc(CACHE_LINE, sizeof *p);
    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    p->threads = threads;
    p->caller_joins = caller_joins;
    p->worker_count = threads - caller_joins;
    p->workers = calloc(threads, sizeof *p->workers);
    if (!p->workers) {
        free(p);
        return NULL;
    }
    atomic_init(&p->job, 0);
    atomic_init(&p->unfinished, 0);
    atomic_init(&p->sleepers, 0);
    pthread_mutex_init(&p->turn, NULL);
    pthread_mutex_init(&p->park, NULL);
    pthread_cond_init(&p->woken, NULL);
    return p;
}

yoke_status pool_create(const unsigned *cpus, size_t threads, bool caller_joins, pool **out,
                        yoke_error *err)
{
    *out = NULL;
    if (threads == 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "thread pool: 0 threads");
    pool *p = make_pool(threads, caller_joins);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "thread pool: out of memory");
    for (size_t i = 0; i < p->worker_count; i++) {
        size_t thread = i + caller_joins;
        p->workers[i].owner = p;
        p->workers[i].index = thread;
        int failed = start_worker(&p->workers[i], cpus);
        if (failed) {
            stop_workers(p, i);
            return yoke_error_set(err, YOKE_ERR_ENGINE, "thread pool: thread %zu of %zu: %s",
                                  thread + 1, threads, strerror(failed));
        }
    }
    *out = p;
    return YOKE_OK;
}

void pool_free(pool *p)
{
    if (p)
        stop_workers(p, p->worker_count);
}

size_t pool_threads(const pool *p)
{
    return p->threads;
}

void pool_acquire(pool *p)
{
    pthread_mutex_lock(&p->turn);
}

void pool_release(pool *p)
{
    pthread_mutex_unlock(&p->turn);
}

void pool_start(pool *p, pool_work *work, void *arg)
{
    post(p, work, arg);
}

void pool_finish(pool *p, bool poll)
{
    if (p->caller_joins)
        p->work(p->arg, 0, p->threads);
    if (!spin_until(p, job_finished, 0, poll ? UINT64_MAX : SPIN_NS))
        sleep_until(p, job_finished, 0);
}
