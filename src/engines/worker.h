/* A thread that runs jobs, one after the other: for calls that return when the work is done, where
 * a submit must not wait for that and a deadline must hold all the same.
 *
 * A job that is given up may run on, and goes on to use what it was made of. So an engine frees
 * nothing that jobs use, but discards it: the worker destroys it once no such job runs. */
#ifndef ENGINES_WORKER_H
#define ENGINES_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "yoke/engine.h"

typedef struct worker worker;

/* The first member of whatever jobs use. */
typedef struct worker_thing {
    struct worker_thing *next;
    void (*destroy)(struct worker_thing *thing);
} worker_thing;

/* The first member of what a job is. */
typedef struct worker_job worker_job;
typedef yoke_status worker_run(worker_job *job, yoke_error *err);
struct worker_job {
    worker_thing thing;
    worker_job *next; /* that waits for the thread */
    worker_run *run;
    pthread_mutex_t touching; /* the caller's memory */
    bool given_up;
    atomic_bool done;
    yoke_status status;
    yoke_error error;
};

/* `engine` is its name in messages. Errors: YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (no thread). */
yoke_status worker_create(const char *engine, worker **out, yoke_error *err);

/* Ends it, with the engine that it belongs to. No job is under way but those that were given up.
 * Takes NULL: then there is the engine alone. */
void worker_close(worker *w, worker_thing *engine);

/* Destroys the thing: now, or after the jobs that were given up. */
void worker_discard(worker *w, worker_thing *thing);

/* A job that is part of something else, whose `destroy` calls worker_job_destroy. */
void worker_job_init(worker_job *job, worker_run *run, void (*destroy)(worker_thing *thing));
void worker_job_destroy(worker_job *job);

/* One of the worker's own: `bytes` that are zeroed but for the job, or as they were put back. All
 * of a worker's are of one size. NULL: out of memory. */
worker_job *worker_take(worker *w, size_t bytes, worker_run *run);
void worker_put(worker *w, worker_job *job);

/* For an engine's heed, before there are jobs. */
void worker_heed(worker *w, const volatile bool *stop);
bool worker_heeds(const worker *w);

/* Errors: YOKE_ERR_ENGINE: a job that was given up still runs, and none that is begun would. */
yoke_status worker_check(worker *w, yoke_error *err);

/* Begins a job. Followed by exactly one worker_wait. */
void worker_start(worker *w, worker_job *job);

/* Waits, and gives the job's status and error; or gives it up, with job->given_up: at the deadline,
 * with YOKE_ERR_TIMEOUT, and soon after it is to stop, with YOKE_ERR_INTERRUPTED. `call` is what it
 * waits for, in messages. Times as for an engine's wait. */
yoke_status worker_wait(worker *w, worker_job *job, const char *call, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_error *err);

/* Around whatever a job does with the caller's memory: YOKE_ERR_TIMEOUT when it was given up, and
 * then it must not. Else followed by worker_let_go. */
yoke_status worker_touch(worker_job *job, yoke_error *err);
void worker_let_go(worker_job *job);

#endif
