/* Waiting for a job, and giving it up. */
#include <time.h>

#include "engines/await.h"
#include "engines/worker_parts.h"
#include "yoke/measure.h"

#define NS_PER_S 1000000000u
#define LOOK_NS  20000000u /* between looks at a flag */

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

yoke_status worker_wait(worker *w, worker_job *job, const char *call, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_error *err)
{
    watch of = {w, job};
    wait_until_ended(w, &of, how, predicted_end_ns, deadline_ns);
    if (give_up(w, job))
        return await_given_up(w->engine, call, w->stop, err);
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
