#include "split/rival.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct rival {
    load *load;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_bool wanted;            /* to work; read between products without the mutex */
    bool working, under_way, over; /* under the mutex */
};

/* Waits for work; false when there will be none. */
static bool next_turn(rival *r)
{
    pthread_mutex_lock(&r->mutex);
    while (!atomic_load(&r->wanted) && !r->over)
        pthread_cond_wait(&r->changed, &r->mutex);
    bool more = !r->over;
    r->working = more;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
    return more;
}

/* The first product is done, or failed. */
static void say_under_way(rival *r)
{
    pthread_mutex_lock(&r->mutex);
    r->under_way = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

static void end_turn(rival *r)
{
    pthread_mutex_lock(&r->mutex);
    /* Also after a failure, when nobody has said so yet. */
    while (atomic_load(&r->wanted))
        pthread_cond_wait(&r->changed, &r->mutex);
    r->working = r->under_way = false;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

static void *work(void *arg)
{
    rival *r = arg;
    while (next_turn(r)) {
        double elapsed_ns;
        load_run(r->load, &elapsed_ns, NULL);
        say_under_way(r);
        while (atomic_load(&r->wanted) && r->load->failure.status == YOKE_OK)
            load_run(r->load, &elapsed_ns, NULL);
        end_turn(r);
    }
    return NULL;
}

static yoke_status start(rival *r, yoke_error *err)
{
    if (pthread_mutex_init(&r->mutex, NULL) != 0)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "tuning: no mutex");
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->mutex);
        return yoke_error_set(err, YOKE_ERR_ENGINE, "tuning: no condition variable");
    }
    if (pthread_create(&r->thread, NULL, work, r) == 0)
        return YOKE_OK;
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->mutex);
    return yoke_error_set(err, YOKE_ERR_ENGINE, "tuning: no thread to keep an engine busy");
}

yoke_status rival_create(load *l, rival **out, yoke_error *err)
{
    rival *r = calloc(1, sizeof *r);
    if (!r)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "tuning: out of memory");
    r->load = l;
    atomic_init(&r->wanted, false);
    yoke_status status = start(r, err);
    if (status == YOKE_OK)
        *out = r;
    else
        free(r);
    return status;
}

void rival_free(rival *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->mutex);
    r->over = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->mutex);
    free(r);
}

void rival_begin(rival *r)
{
    pthread_mutex_lock(&r->mutex);
    atomic_store(&r->wanted, true);
    pthread_cond_broadcast(&r->changed);
    while (!r->under_way)
        pthread_cond_wait(&r->changed, &r->mutex);
    pthread_mutex_unlock(&r->mutex);
}

yoke_status rival_end(rival *r, yoke_error *err)
{
    pthread_mutex_lock(&r->mutex);
    atomic_store(&r->wanted, false);
    pthread_cond_broadcast(&r->changed);
    while (r->working)
        pthread_cond_wait(&r->changed, &r->mutex);
    pthread_mutex_unlock(&r->mutex);
    const yoke_error *failure = &r->load->failure;
    if (failure->status == YOKE_OK)
        return YOKE_OK;
    return yoke_error_set(err, failure->status, "%s", failure->text);
}
