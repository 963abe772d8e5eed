/* What the cores can do at most: a plain read of memory, and multiply-adds on registers alone. */
#include "base/size.h"
#include "engines/cpu/device.h"
#include "engines/cpu/read.h"
#include "yoke/measure.h"

typedef struct reading {
    const char *bytes;
    size_t count;
    uint32_t features;
    atomic_size_t next;
    atomic_uint_fast64_t sum;
} reading;

/* Pieces are handed out as chunks of panels are, about 1 MiB each: the same order, the same
 * balance. A little more than 1 MiB, so that the 8 streams of a piece do not meet in one set of the
 * caches. */
#define PIECE_BYTES (((size_t)1 << 20) + 8 * 192)

static void read_pieces(void *arg, size_t thread, size_t threads)
{
    (void)thread, (void)threads;
    reading *job = arg;
    for (size_t at; (at = atomic_fetch_add(&job->next, PIECE_BYTES)) < job->count;)
        atomic_fetch_add(
            &job->sum,
            read_bytes(job->bytes + at, size_min(PIECE_BYTES, job->count - at), job->features));
}

typedef struct computing {
    const path *path;
    uint64_t duration_ns;
    double *rates; /* of each thread */
} computing;

static void compute_peak(void *arg, size_t thread, size_t threads)
{
    (void)threads;
    const computing *job = arg;
    job->rates[thread] = job->path->peak(job->duration_ns);
}

static void run_on_all(device *d, pool_work *work, void *arg)
{
    pool_acquire(d->pool);
    pool_start(d->pool, work, arg);
    pool_finish(d->pool, true);
    pool_release(d->pool);
}

static double read_rate(device *d, const yoke_limit_request *request)
{
    reading job = {.bytes = request->bytes, .count = request->byte_count, .features = d->features};
    uint64_t begin = yoke_clock_ns();
    run_on_all(d, read_pieces, &job);
    return (double)request->byte_count / (double)(yoke_clock_ns() - begin) * 1e9;
}

static double compute_rate(device *d, const path *p, uint64_t duration_ns)
{
    /* The scratch is the threads' own and idle: no allocation, and no false sharing. */
    computing job = {.path = p, .duration_ns = duration_ns, .rates = (double *)d->scratch};
    double sum = 0;
    pool_acquire(d->pool);
    pool_start(d->pool, compute_peak, &job);
    pool_finish(d->pool, true);
    for (size_t i = 0; i < pool_threads(d->pool); i++)
        sum += job.rates[i];
    pool_release(d->pool);
    return sum;
}

yoke_status device_limit(void *engine, const yoke_limit_request *request, double *per_second,
                         yoke_error *err)
{
    device *d = engine;
    switch (request->limit) {
    case YOKE_LIMIT_READ: *per_second = read_rate(d, request); return YOKE_OK;
    case YOKE_LIMIT_COMPUTE: {
        const path *p = device_choose(d, request->format, request->x_format, request->precision,
                                      SIZE_MAX, false);
        if (!p)
            break;
        *per_second = compute_rate(d, p, request->duration_ns);
        return YOKE_OK;
    }
    }
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: no such limit for %s",
                          yoke_format_get(request->format)->name);
}
