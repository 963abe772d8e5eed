/* A thread that runs jobs, one after the other: for calls that return when the work is done, where
 * a submit must not wait for that and a deadline must hold all the same. */
#ifndef ENGINES_WORKER_H
#define ENGINES_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "yoke/engine.h"

typedef struct worker worker;
typedef struct worker_job worker_job;

typedef yoke_status worker_run(worker_job *job, yoke_error *err);

/* The first member of what a job is; zero it once, and keep it for any number of runs. */
struct worker_job {
    worker_job *next;
    worker_run *run;
    void (*abandoned)(worker_job *job); /* a job that was given up has ended: free it */
    pthread_mutex_t touching;           /* the caller's memory */
    bool given_up;
    atomic_bool done;
    yoke_status status;
    yoke_error error;
};

/* `engine` is its name in messages. Errors: YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (no thread). */
yoke_status worker_create(const char *engine, worker **out, yoke_error *err);

/* No job is under way but those that were given up: then false, and the thread lives on with all
 * that it may use. Takes NULL. */
bool worker_free(worker *w);

void worker_job_init(worker_job *job, worker_run *run, void (*abandoned)(worker_job *job));
void worker_job_destroy(worker_job *job);

/* Begins a job. Followed by exactly one worker_wait. */
void worker_start(worker *w, worker_job *job);

/* Waits, and gives the job's status and error. After YOKE_ERR_TIMEOUT the job is the thread's.
 * Times as for an engine's wait. */
yoke_status worker_wait(worker *w, worker_job *job, yoke_wait_how how, uint64_t predicted_end_ns,
                        uint64_t deadline_ns, yoke_error *err);

/* Around whatever a job does with the caller's memory: false when it was given up, and then it must
 * not. Else followed by worker_let_go. */
bool worker_touch(worker_job *job);
void worker_let_go(worker_job *job);

#endif
