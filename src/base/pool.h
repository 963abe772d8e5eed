/* A fixed set of worker threads that run one piece of work together.
 *
 * Workers spin for a moment after each job, so that the next one is handed over without a system
 * call, then park. No thread is created and nothing is allocated in pool_start or pool_finish.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/status.h"

typedef struct pool pool;

/* One thread's part: thread is 0 .. threads - 1. */
typedef void pool_work(void *arg, size_t thread, size_t threads);

/* Makes a pool of `threads` (>= 1). With caller_joins, thread 0 is whoever calls pool_finish, and
 * the pool has one worker less; else all are workers and the caller only waits.
 *
 * cpus   the OS numbers of `threads` CPUs to run on; NULL: anywhere. Where all are workers, thread
 * i is pinned to cpus[i]. A caller is not ours to pin, and a worker pinned to the CPU that the
 * caller happens to be on would wait for it: so beside a caller, workers may run on any of the
 * CPUs.
 *
 * Errors: YOKE_ERR_USAGE, YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (a thread could not be made or placed).
 */
yoke_status pool_create(const unsigned *cpus, size_t threads, bool caller_joins, pool **out,
                        yoke_error *err);
void pool_free(pool *p); /* takes NULL; no job is running */
size_t pool_threads(const pool *p);

/* One owner at a time: a second caller waits in pool_acquire until the first has released. Between
 * the two, any number of start-finish pairs, all by the same thread. */
void pool_acquire(pool *p);
void pool_release(pool *p);

/* Hands work to the workers and returns at once. Followed by exactly one pool_finish. */
void pool_start(pool *p, pool_work *work, void *arg);

/* Takes part if the caller joins, then waits for the workers: spinning when `poll`, else spinning
 * briefly and then asleep. */
void pool_finish(pool *p, bool poll);

#endif
