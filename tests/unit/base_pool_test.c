#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/pool.h"

#define MAX_THREADS 8

typedef struct tally {
    atomic_int visits[MAX_THREADS];
    atomic_bool caller_took_part;
    pthread_t caller;
    size_t threads_said;
} tally;

static void visit(void *arg, size_t thread, size_t threads)
{
    tally *t = arg;
    atomic_fetch_add(&t->visits[thread], 1);
    if (pthread_equal(pthread_self(), t->caller))
        atomic_store(&t->caller_took_part, true);
    if (thread == threads - 1)
        t->threads_said = threads;
}

static pool *make(size_t threads, bool caller_joins)
{
    pool *p = NULL;
    yoke_error err = {0};
    assert_int_equal(pool_create(NULL, threads, caller_joins, &p, &err), YOKE_OK);
    assert_int_equal(pool_threads(p), threads);
    return p;
}

static void run_once(pool *p, tally *t, bool poll)
{
    pool_acquire(p);
    pool_start(p, visit, t);
    pool_finish(p, poll);
    pool_release(p);
}

static void every_thread_does_its_part_exactly_once_a_job(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= MAX_THREADS; threads++)
        for (int joins = 0; joins < 2; joins++) {
            pool *p = make(threads, joins);
            tally t = {.caller = pthread_self()};
            for (int job = 0; job < 100; job++)
                run_once(p, &t, job % 2);
            for (size_t i = 0; i < MAX_THREADS; i++)
                assert_int_equal(atomic_load(&t.visits[i]), i < threads ? 100 : 0);
            assert_int_equal(atomic_load(&t.caller_took_part), joins);
            assert_int_equal(t.threads_said, threads);
            pool_free(p);
        }
}

static void a_parked_worker_wakes_for_the_next_job(void **state)
{
    (void)state;
    pool *p = make(2, true);
    tally t = {.caller = pthread_self()};
    for (int job = 0; job < 3; job++) {
        const struct timespec long_enough_to_park = {.tv_nsec = 5000000};
        nanosleep(&long_enough_to_park, NULL);
        run_once(p, &t, false);
    }
    assert_int_equal(atomic_load(&t.visits[1]), 3);
    pool_free(p);
}

static void slow_work(void *arg, size_t thread, size_t threads)
{
    (void)threads;
    const struct timespec longer_than_the_spin = {.tv_nsec = 3000000};
    if (thread > 0)
        nanosleep(&longer_than_the_spin, NULL);
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void a_blocking_caller_is_woken_when_the_last_worker_is_done(void **state)
{
    (void)state;
    pool *p = make(3, true);
    atomic_int done = 0;
    for (int job = 1; job <= 5; job++) {
        pool_acquire(p);
        pool_start(p, slow_work, &done);
        pool_finish(p, false);
        pool_release(p);
        assert_int_equal(atomic_load(&done), 3 * job);
    }
    pool_free(p);
}

typedef struct contender {
    pool *p;
    int *unguarded; /* by anything but the pool's turn */
} contender;

static void nothing(void *arg, size_t thread, size_t threads)
{
    (void)arg, (void)thread, (void)threads;
}

static void *contend(void *arg)
{
    contender *c = arg;
    for (int i = 0; i < 200; i++) {
        pool_acquire(c->p);
        pool_start(c->p, nothing, NULL);
        ++*c->unguarded;
        pool_finish(c->p, false);
        pool_release(c->p);
    }
    return NULL;
}

static void owners_take_turns(void **state)
{
    (void)state;
    pool *p = make(2, true);
    int counter = 0;
    contender c = {p, &counter};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, contend, &c), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(counter, 800);
    pool_free(p);
}

static void a_pool_of_no_threads_or_impossible_cpus_is_refused(void **state)
{
    (void)state;
    pool *p;
    yoke_error err = {0};
    assert_int_equal(pool_create(NULL, 0, true, &p, &err), YOKE_ERR_USAGE);
    pool_free(NULL);
#ifdef __linux__
    const unsigned cpus[] = {4093, 4094};
    assert_int_equal(pool_create(cpus, 2, true, &p, &err), YOKE_ERR_ENGINE);
    assert_string_equal(err.text, "thread pool: thread 2 of 2: Invalid argument");
    assert_int_equal(pool_create(cpus, 2, false, &p, &err), YOKE_ERR_ENGINE);
    assert_string_equal(err.text, "thread pool: thread 1 of 2: Invalid argument");
#endif
}

#ifdef __linux__
static void note_cpus(void *arg, size_t thread, size_t threads)
{
    (void)threads;
    cpu_set_t *sets = arg;
    sched_getaffinity(0, sizeof *sets, &sets[thread]);
}

/* The first CPU that this process may use, twice: enough to see where threads are placed. */
static void workers_stay_on_their_cpus(void **state)
{
    (void)state;
    cpu_set_t mine, sets[2];
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    unsigned first = 0;
    while (!CPU_ISSET(first, &mine))
        first++;
    const unsigned cpus[] = {first, first};
    for (int joins = 0; joins < 2; joins++) {
        pool *p = NULL;
        assert_int_equal(pool_create(cpus, 2, joins, &p, NULL), YOKE_OK);
        pool_acquire(p);
        pool_start(p, note_cpus, sets);
        pool_finish(p, false);
        pool_release(p);
        pool_free(p);
        for (int i = joins; i < 2; i++)
            assert_true(CPU_COUNT(&sets[i]) == 1 && CPU_ISSET(first, &sets[i]));
        if (joins) /* the caller is left where it was */
            assert_true(CPU_EQUAL(&sets[0], &mine));
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_does_its_part_exactly_once_a_job),
        cmocka_unit_test(a_parked_worker_wakes_for_the_next_job),
        cmocka_unit_test(a_blocking_caller_is_woken_when_the_last_worker_is_done),
        cmocka_unit_test(owners_take_turns),
#ifdef __linux__
        cmocka_unit_test(workers_stay_on_their_cpus),
#endif
        cmocka_unit_test(a_pool_of_no_threads_or_impossible_cpus_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
