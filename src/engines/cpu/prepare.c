/* Packing a weight, by all threads, once. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/size.h"
#include "engines/cpu/device.h"
#include "engines/narrow.h"
#include "yoke/measure.h"

typedef struct packing {
    const prepared *weight;
    const yoke_matrix *w;
    atomic_size_t next_panel;
    atomic_bool out_of_memory;
} packing;

/* The native format that holds every value of w: its own, f16 for the small ones, else f32 (to
 * which f64 and wide integers are rounded). */
static yoke_format packed_format(const yoke_matrix *w)
{
    if (layout_fits(w))
        return w->format;
    return narrow_fits_f16(w->format) ? YOKE_F16 : YOKE_F32;
}

/* Rows of another format are converted a panel at a time, so that no second copy of w exists. */
static yoke_status convert_panel(const yoke_matrix *w, size_t panel, yoke_matrix *converted)
{
    size_t row = panel * PANEL_N, rows = size_min(PANEL_N, w->rows - row);
    yoke_matrix from = yoke_matrix_rows(w, row, rows);
    converted->rows = rows;
    return yoke_matrix_convert(&from, converted, NULL);
}

static void pack_native(packing *job)
{
    const layout *l = &job->weight->layout;
    for (size_t i; (i = atomic_fetch_add(&job->next_panel, 1)) < l->panels;)
        layout_pack_panel(l, job->w, i, job->weight->panels + i * l->panel_stride);
}

static void pack_converted(packing *job)
{
    const layout *l = &job->weight->layout;
    yoke_matrix converted;
    if (yoke_matrix_create(l->format, PANEL_N, l->k, &converted, NULL) != YOKE_OK) {
        atomic_store(&job->out_of_memory, true);
        return;
    }
    for (size_t i; (i = atomic_fetch_add(&job->next_panel, 1)) < l->panels;) {
        if (convert_panel(job->w, i, &converted) != YOKE_OK) {
            atomic_store(&job->out_of_memory, true); /* the format was found readable before */
            break;
        }
        layout_pack_panel(l, &converted, 0, job->weight->panels + i * l->panel_stride);
    }
    yoke_matrix_free(&converted);
}

static void pack_panels(void *arg, size_t thread, size_t threads)
{
    (void)thread, (void)threads;
    packing *job = arg;
    if (job->w->format == job->weight->layout.format)
        pack_native(job);
    else
        pack_converted(job);
}

yoke_status device_prepare(void *engine, const yoke_matrix *w, void **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    device *d = engine;
    uint64_t begin = yoke_clock_ns();
    if (!yoke_format_get(w->format)->readable)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: cannot read %s weights",
                              yoke_format_get(w->format)->name);
    layout l;
    yoke_status status = layout_of(packed_format(w), w->rows, w->cols, &l, err);
    if (status != YOKE_OK)
        return status;
    prepared *weight = calloc(1, sizeof *weight);
    if (!weight || !(weight->panels = memory_map(l.bytes))) {
        free(weight);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: no memory for %zu packed bytes", l.bytes);
    }
    weight->layout = l;

    packing job = {.weight = weight, .w = w};
    pool_acquire(d->pool);
    pool_start(d->pool, pack_panels, &job);
    pool_finish(d->pool, false);
    pool_release(d->pool);
    if (atomic_load(&job.out_of_memory)) {
        device_release(engine, weight);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: no memory to convert %s to %s",
                              yoke_format_get(w->format)->name, yoke_format_get(l.format)->name);
    }

    report->format = l.format;
    report->prepared_bytes = l.bytes;
    report->copied_bytes = yoke_matrix_bytes(w);
    report->elapsed_ns = yoke_clock_ns() - begin;
    snprintf(report->layout, sizeof report->layout, "panels of %zu outputs", PANEL_N);
    *out = weight;
    return YOKE_OK;
}

void device_release(void *engine, void *weight)
{
    (void)engine;
    prepared *p = weight;
    memory_unmap(p->panels, p->layout.bytes);
    free(p);
}
