/* What a worker is, for the files that make it up. */
#ifndef ENGINES_WORKER_PARTS_H
#define ENGINES_WORKER_PARTS_H

#include "engines/worker.h"

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

#endif
