/* A product: slabs of rows one after the other, in each the chunks of panels shared out among the
 * threads as they come, so that a slow core takes fewer of them. */
#include "base/memory.h"
#include "base/relax.h"
#include "base/size.h"
#include "engines/cpu/device.h"
#include "yoke/measure.h"

/* Packed activations of a slab: small beside any weight, large enough that reading w once a slab
 * costs nothing beside the arithmetic. */
#define SLAB_BYTES    ((size_t)8 << 20)
#define SLAB_MIN_ROWS ((size_t)256)

static size_t packed_row_bytes(const path *p, const layout *l)
{
    return layout_padded_k(l) / p->x_row_bytes_den * p->x_row_bytes_num;
}

static size_t slab_rows(const device *d)
{
    const run *r = &d->run;
    if (d->works_alone) /* nobody would start a second slab before the wait */
        return r->task.x->rows - r->row;
    size_t row_bytes = packed_row_bytes(r->path, &r->weight->layout);
    size_t rows = SLAB_BYTES / row_bytes / SLAB_MIN_ROWS * SLAB_MIN_ROWS;
    rows = rows < SLAB_MIN_ROWS ? SLAB_MIN_ROWS : rows;
    return size_min(rows, r->task.x->rows - r->row);
}

/* Blocks are found again from their first row, so the hand-out counts rows. */
static void pack_blocks(run *r, char *to)
{
    const layout *l = &r->weight->layout;
    size_t m = r->product.m, row_bytes = packed_row_bytes(r->path, l);
    size_t row = atomic_load(&r->next_row);
    while (row < m) {
        size_t rows = row_block_at(r->path->row_block, m, row);
        if (!atomic_compare_exchange_weak(&r->next_row, &row, row + rows))
            continue;
        r->path->pack_x(l, r->task.x, r->row + row, rows, to + row * row_bytes);
        atomic_fetch_add(&r->packed_rows, rows);
        row = atomic_load(&r->next_row);
    }
}

/* The next chunk: 8 panels while there is plenty, fewer towards the end, so that the threads finish
 * together. False when none is left. */
static bool take_chunk(run *r, size_t threads, size_t *begin, size_t *count)
{
    size_t next = atomic_load(&r->next_panel);
    do {
        if (next >= r->panels)
            return false;
        size_t fair = (r->panels - next) / (2 * threads);
        *count = CHUNK_PANELS;
        while (*count > 1 && *count > fair)
            *count /= 2;
    } while (!atomic_compare_exchange_weak(&r->next_panel, &next, next + *count));
    *begin = next;
    return true;
}

/* Whoever waits may look much later. */
static void note_end(run *r)
{
    uint_fast64_t now = yoke_clock_ns(), seen = atomic_load(&r->end_ns);
    while (seen < now && !atomic_compare_exchange_weak(&r->end_ns, &seen, now))
        ;
}

static void run_slab(void *arg, size_t thread, size_t threads)
{
    device *d = arg;
    run *r = &d->run;
    pack_blocks(r, d->x);
    while (atomic_load(&r->packed_rows) < r->product.m)
        cpu_relax(); /* others are packing: microseconds */
    size_t begin, count;
    while (take_chunk(r, threads, &begin, &count))
        r->path->compute(&r->product, begin, count, d->scratch + thread * SCRATCH_BYTES);
    note_end(r);
}

static void start_slab(device *d)
{
    run *r = &d->run;
    r->product.m = slab_rows(d);
    r->product.y_row = r->row;
    atomic_store(&r->next_row, 0);
    atomic_store(&r->packed_rows, 0);
    atomic_store(&r->next_panel, 0);
    pool_start(d->pool, run_slab, d);
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
    r->weight = w;
    r->task = *task;
    r->path = device_choose(d, w->layout.format, task->x->format, task->precision, task->x->rows,
                            task->pin_path);
    r->row = 0;
    atomic_store(&r->end_ns, 0);
    r->panels = size_ceil_div(task->n_count, PANEL_N);
    yoke_status status = reserve_x(d, slab_rows(d) * packed_row_bytes(r->path, &w->layout), err);
    if (status != YOKE_OK) {
        pool_release(d->pool);
        return status;
    }
    r->product = (product){
        .layout = &w->layout,
        .panels = w->panels + task->n_begin / PANEL_N * w->layout.panel_stride,
        .x = d->x,
        .y = task->y,
        .alpha = task->alpha,
        .beta = task->beta,
    };
    r->timing = (yoke_timing){.submit_ns = entered, .path = r->path->name};
    r->timing.device_begin_ns = yoke_clock_ns();
    start_slab(d);
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
    run *r = &d->run;
    for (;;) {
        pool_finish(d->pool, how != YOKE_WAIT_BLOCK);
        r->row += r->product.m;
        if (r->row >= r->task.x->rows)
            break;
        start_slab(d);
    }
    *timing = r->timing;
    timing->device_end_ns = atomic_load(&r->end_ns);
    timing->done_ns = yoke_clock_ns();
    pool_release(d->pool);
    return YOKE_OK;
}
