#include "bench/helper.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/relax.h"
#include "yoke/measure.h"

struct helper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t finished;
    uint64_t busy_ns; /* written before `asked` grows */
    bool asleep;
    bool leave;
    atomic_uint asked, done; /* how many tasks */
};

static void finish_task(helper *h, unsigned task, bool asleep)
{
    if (!asleep) {
        atomic_store_explicit(&h->done, task, memory_order_release);
        return;
    }
    pthread_mutex_lock(&h->lock);
    atomic_store_explicit(&h->done, task, memory_order_release);
    pthread_cond_signal(&h->finished);
    pthread_mutex_unlock(&h->lock);
}

static void *helper_main(void *arg)
{
    helper *h = arg;
    for (unsigned task = 1;; task++) {
        while (atomic_load_explicit(&h->asked, memory_order_acquire) != task)
            cpu_relax();
        if (h->leave)
            return NULL;
        uint64_t end = yoke_clock_ns() + h->busy_ns;
        while (yoke_clock_ns() < end)
            cpu_relax();
        finish_task(h, task, h->asleep);
    }
}

static void ask(helper *h)
{
    atomic_fetch_add_explicit(&h->asked, 1, memory_order_release);
}

yoke_status helper_create(helper **out, yoke_error *err)
{
    helper *h = calloc(1, sizeof *h);
    if (!h)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "wake: no memory");
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->finished, NULL);
    if (pthread_create(&h->thread, NULL, helper_main, h) != 0) {
        pthread_cond_destroy(&h->finished);
        pthread_mutex_destroy(&h->lock);
        free(h);
        return yoke_error_set(err, YOKE_ERR_ENGINE, "wake: no thread can be made");
    }
    *out = h;
    return YOKE_OK;
}

void helper_free(helper *h)
{
    if (!h)
        return;
    h->leave = true;
    ask(h);
    pthread_join(h->thread, NULL);
    pthread_cond_destroy(&h->finished);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static bool is_done(helper *h, unsigned task)
{
    return atomic_load_explicit(&h->done, memory_order_acquire) == task;
}

static void wait_asleep(helper *h, unsigned task)
{
    pthread_mutex_lock(&h->lock);
    while (!is_done(h, task))
        pthread_cond_wait(&h->finished, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

double helper_run(helper *h, uint64_t busy_ns, bool asleep)
{
    unsigned task = atomic_load_explicit(&h->asked, memory_order_relaxed) + 1;
    h->busy_ns = busy_ns;
    h->asleep = asleep;
    uint64_t begin = yoke_clock_ns();
    ask(h);
    if (asleep)
        wait_asleep(h, task);
    else
        while (!is_done(h, task))
            cpu_relax();
    return (double)(yoke_clock_ns() - begin);
}
