/* A product: slabs of rows one after the other, in each the chunks of panels shared out among the
 * threads as they come, so that a slow core takes fewer of them.
 *
 * No thread waits for all others: the packed rows have two buffers, so that a slab can be packed
 * while the last chunks of the one before are computed. All counters run on over the slabs. Rows
 * that are no more than a block are packed by each thread for itself: sharing them out would keep
 * all but one waiting, and then fetching them from its cache. */
#include "base/memory.h"
#include "base/relax.h"
#include "base/size.h"
#include "engines/cpu/device.h"
#include "yoke/measure.h"

/* Packed activations of a slab: small beside any weight, large enough that reading w once a slab
 * costs nothing beside the arithmetic. */
#define SLAB_BYTES    ((size_t)8 << 20)
#define SLAB_MIN_ROWS ((size_t)256)

#define BUFFER_ALIGN ((size_t)128) /* lines are fetched in pairs */

/* A multiply-add waits for the one before it in the same sum: so many sums keep a core busy. */
#define BUSY_SUMS ((size_t)4)

static size_t slab_rows(size_t row_bytes)
{
    size_t fit = row_bytes == 0 ? 0 : SLAB_BYTES / row_bytes / SLAB_MIN_ROWS * SLAB_MIN_ROWS;
    return fit < SLAB_MIN_ROWS ? SLAB_MIN_ROWS : fit;
}

/* The slab as the path sees it; its packed rows are in the buffer it shares with every other one.
 */
static product slab_product(const run *r, size_t slab, size_t thread)
{
    product p = r->product;
    p.y_row = slab * r->slab_rows;
    p.m = size_min(r->slab_rows, r->task.x->rows - p.y_row);
    p.x = r->x + (r->own_x ? thread : slab % 2) * r->buffer_bytes;
    return p;
}

static void wait_for(atomic_size_t *counter, size_t at_least)
{
    while (atomic_load(counter) < at_least)
        cpu_relax(); /* others are at it: microseconds */
}

static void pack_block(const run *r, const product *p, size_t row, size_t rows)
{
    r->path->pack_x(p->layout, r->task.x, row, rows,
                    (char *)p->x + (row - p->y_row) * r->row_bytes);
}

static void pack_own(const run *r, const product *p)
{
    for (size_t row = 0, rows; row < p->m; row += rows) {
        rows = row_block_at(r->path->row_block, p->m, row);
        pack_block(r, p, row, rows);
    }
}

/* Blocks are found again from their first row, so the hand-out counts rows. */
static void pack_shared(run *r, const product *p)
{
    size_t end = p->y_row + p->m, row = atomic_load(&r->next_row);
    while (row < end) {
        size_t rows = row_block_at(r->path->row_block, p->m, row - p->y_row);
        if (!atomic_compare_exchange_weak(&r->next_row, &row, row + rows))
            continue;
        pack_block(r, p, row, rows);
        atomic_fetch_add(&r->packed_rows, rows);
        row = atomic_load(&r->next_row);
    }
    wait_for(&r->packed_rows, end);
}

/* The next chunk of the slab's m rows: as many panels as the path takes while there is plenty,
 * fewer towards the end, so that the threads finish together. False when none is left. */
static bool take_chunk(run *r, size_t slab, size_t m, size_t threads, size_t *begin, size_t *count)
{
    size_t next = atomic_load(&r->next_panel), end = (slab + 1) * r->panels;
    const size_t most = r->path->chunk_panels ? r->path->chunk_panels : CHUNK_PANELS;
    const size_t least = size_ceil_div(BUSY_SUMS, m);
    do {
        if (next >= end)
            return false;
        size_t fair = (end - next) / (2 * threads);
        *count = most;
        while (*count > least && *count > fair)
            *count /= 2;
        *count = size_min(*count, end - next);
    } while (!atomic_compare_exchange_weak(&r->next_panel, &next, next + *count));
    *begin = next - slab * r->panels;
    return true;
}

/* Whoever waits may look much later. */
static void note_end(run *r)
{
    uint_fast64_t now = yoke_clock_ns(), seen = atomic_load(&r->end_ns);
    while (seen < now && !atomic_compare_exchange_weak(&r->end_ns, &seen, now))
        ;
}

static void run_slab(device *d, size_t slab, size_t thread, size_t threads)
{
    run *r = &d->run;
    atomic_size_t *done = &r->done_panels[slab % 2]; /* of the slabs with the same buffer */
    const product p = slab_product(r, slab, thread);
    wait_for(done, slab / 2 * r->panels);
    if (r->own_x)
        pack_own(r, &p);
    else
        pack_shared(r, &p);
    size_t begin, count;
    while (take_chunk(r, slab, p.m, threads, &begin, &count)) {
        r->path->compute(&p, begin, count, d->scratch + thread * SCRATCH_BYTES);
        atomic_fetch_add(done, count);
    }
}

static void run_slabs(void *arg, size_t thread, size_t threads)
{
    device *d = arg;
    size_t slabs = size_ceil_div(d->run.task.x->rows, d->run.slab_rows);
    for (size_t slab = 0; slab < slabs; slab++)
        run_slab(d, slab, thread, threads);
    note_end(&d->run);
}

/* How packed rows are kept; returns the bytes of all buffers: one for each thread, or two, or less
 * than one. */
static size_t plan_buffers(run *r, size_t threads)
{
    size_t rows = r->task.x->rows;
    r->own_x = rows <= r->path->row_block;
    if (r->own_x) {
        r->buffer_bytes = size_round_up(rows * r->row_bytes, BUFFER_ALIGN);
        return threads * r->buffer_bytes;
    }
    r->buffer_bytes = r->slab_rows * r->row_bytes;
    return size_min(rows, 2 * r->slab_rows) * r->row_bytes;
}

static yoke_status reserve_x(device *d, size_t bytes, yoke_error *err)
{
    if (bytes <= d->x_bytes)
        return YOKE_OK;
    memory_unmap(d->x, d->x_bytes);
    d->x = memory_map(bytes);
    d->x_bytes = d->x ? bytes : 0;
    return d->x ? YOKE_OK
                : yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: no memory for %zu bytes of x", bytes);
}

yoke_status device_submit(void *engine, void *weight, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err)
{
    (void)ticket; /* one product at a time, and it is in the device */
    device *d = engine;
    const prepared *w = weight;
    uint64_t entered = yoke_clock_ns();
    pool_acquire(d->pool);
    run *r = &d->run;
    r->task = *task;
    r->path = device_choose(d, w->layout.format, task->x->format, task->precision, task->x->rows,
                            task->pin_path);
    r->row_bytes = r->path->row_bytes(&w->layout);
    r->slab_rows = slab_rows(r->row_bytes);
    r->panels = size_ceil_div(task->n_count, PANEL_N);
    yoke_status status = reserve_x(d, plan_buffers(r, pool_threads(d->pool)), err);
    if (status != YOKE_OK) {
        pool_release(d->pool);
        return status;
    }
    r->x = d->x;
    r->product = (product){
        .layout = &w->layout,
        .panels = w->panels + task->n_begin / PANEL_N * w->layout.panel_stride,
        .panel_count = r->panels,
        .y = task->y,
        .alpha = task->alpha,
        .beta = task->beta,
    };
    r->timing = (yoke_timing){.submit_ns = entered, .path = r->path->name};
    r->timing.device_begin_ns = yoke_clock_ns();
    atomic_store(&r->next_row, 0);
    atomic_store(&r->packed_rows, 0);
    atomic_store(&r->next_panel, 0);
    atomic_store(&r->done_panels[0], 0);
    atomic_store(&r->done_panels[1], 0);
    atomic_store(&r->end_ns, 0);
    pool_start(d->pool, run_slabs, d);
    r->timing.submitted_ns = yoke_clock_ns();
    return YOKE_OK;
}

yoke_status device_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                        yoke_error *err)
{
    /* Threads of our own cannot get lost, so there is no deadline to keep. */
    (void)ticket, (void)predicted_end_ns, (void)deadline_ns, (void)err;
    device *d = engine;
    pool_finish(d->pool, how != YOKE_WAIT_BLOCK);
    *timing = d->run.timing;
    timing->device_end_ns = atomic_load(&d->run.end_ns);
    timing->done_ns = yoke_clock_ns();
    pool_release(d->pool);
    return YOKE_OK;
}
