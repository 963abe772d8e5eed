#include "engines/opencl/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/size.h"
#include "engines/opencl/event.h"
#include "engines/opencl/program.h"
#include "engines/planes.h"
#include "yoke/measure.h"

#define STAGING_BYTES ((size_t)8 << 20) /* of host memory at a time when a weight is uploaded */
#define CHUNK_ROWS    ((size_t)64)      /* chunks are multiples of every kernel's tile */

/* Packs one plane of `count` rows from `begin` on. */
typedef void packer(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes, char *to);

static yoke_status create_buffer(opencl_engine *e, cl_bitfield flags, plane *p, yoke_error *err)
{
    cl_int code;
    p->buffer =
        e->cl.clCreateBuffer(e->context, flags | CL_MEM_READ_ONLY, p->bytes, p->memory, &code);
    if (code != CL_SUCCESS)
        p->buffer = NULL;
    return engine_check(e, "clCreateBuffer of w", code, err);
}

static yoke_status fill_in_place(opencl_engine *e, const yoke_matrix *w, const chunk *c,
                                 size_t row_bytes, packer *pack, plane *p, yoke_error *err)
{
    p->memory = memory_map(p->bytes);
    if (!p->memory)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: preparing w: out of memory",
                              e->name);
    pack(w, c->begin, c->count, row_bytes, p->memory);
    return create_buffer(e, CL_MEM_USE_HOST_PTR, p, err);
}

/* A command that was enqueued with that code, in the time that a first product may take. What it
 * uses is the engine's own; when it is given up, that is the driver's. */
static yoke_status await_command(opencl_engine *e, const char *call, cl_int code, cl_event event,
                                 yoke_error *err)
{
    yoke_status status = engine_check(e, call, code, err);
    if (status != YOKE_OK)
        return status;
    e->cl.clFlush(e->queue); /* its failure is the event's too */
    const event_await_how how = {.how = YOKE_WAIT_BLOCK,
                                 .deadline_ns = yoke_clock_ns() + e->rehearsal_ns};
    status = event_await(e, event, call, &how, err);
    if (status != YOKE_OK)
        return status;
    code = event_status(e, event);
    e->cl.clReleaseEvent(event);
    return engine_check(e, call, code, err);
}

static yoke_status fill_by_map(opencl_engine *e, const yoke_matrix *w, const chunk *c,
                               size_t row_bytes, packer *pack, plane *p, yoke_error *err)
{
    yoke_status status = create_buffer(e, CL_MEM_ALLOC_HOST_PTR, p, err);
    if (status != YOKE_OK)
        return status;
    cl_int code;
    cl_event event = NULL;
    void *mapped = e->cl.clEnqueueMapBuffer(e->queue, p->buffer, 0, CL_MAP_WRITE_INVALIDATE_REGION,
                                            0, p->bytes, 0, NULL, &event, &code);
    status = await_command(e, "clEnqueueMapBuffer", code, event, err);
    if (status != YOKE_OK)
        return status;
    pack(w, c->begin, c->count, row_bytes, mapped);
    code = e->cl.clEnqueueUnmapMemObject(e->queue, p->buffer, mapped, 0, NULL, &event);
    return await_command(e, "clEnqueueUnmapMemObject", code, event, err);
}

static yoke_status fill_by_copies(opencl_engine *e, const yoke_matrix *w, const chunk *c,
                                  size_t row_bytes, packer *pack, plane *p, yoke_error *err)
{
    yoke_status status = create_buffer(e, 0, p, err);
    if (status != YOKE_OK)
        return status;
    size_t rows = STAGING_BYTES / row_bytes;
    rows = size_min(rows ? rows : 1, c->count);
    char *staging = malloc(rows * row_bytes);
    if (!staging)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: preparing w: out of memory",
                              e->name);
    for (size_t done = 0; done < c->count && status == YOKE_OK; done += rows) {
        size_t count = size_min(rows, c->count - done);
        pack(w, c->begin + done, count, row_bytes, staging);
        cl_event event = NULL;
        cl_int code = e->cl.clEnqueueWriteBuffer(e->queue, p->buffer, 0, done * row_bytes,
                                                 count * row_bytes, staging, 0, NULL, &event);
        status = await_command(e, "clEnqueueWriteBuffer", code, event, err);
    }
    if (!atomic_load(&e->stuck))
        free(staging);
    return status;
}

static yoke_status fill_plane(opencl_engine *e, const yoke_matrix *w, const chunk *c,
                              size_t row_bytes, packer *pack, plane *p, yoke_error *err)
{
    if (row_bytes == 0)
        return YOKE_OK;
    p->bytes = row_bytes * c->count;
    switch (e->device.sharing) {
    case SHARING_DIRECT: return fill_in_place(e, w, c, row_bytes, pack, p, err);
    case SHARING_MAP: return fill_by_map(e, w, c, row_bytes, pack, p, err);
    default: return fill_by_copies(e, w, c, row_bytes, pack, p, err);
    }
}

static yoke_status fill_chunks(opencl_engine *e, const yoke_matrix *w, const planes *l, prepared *p,
                               yoke_prepare_report *report, yoke_error *err)
{
    size_t blocks = p->padded_k / PLANES_PAD;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < p->chunk_count && status == YOKE_OK; i++) {
        chunk *c = &p->chunks[i];
        status = fill_plane(e, w, c, blocks * l->value_bytes, planes_pack_values, &c->values, err);
        if (status == YOKE_OK)
            status =
                fill_plane(e, w, c, blocks * l->scale_bytes, planes_pack_scales, &c->scales, err);
        report->prepared_bytes += c->values.bytes + c->scales.bytes;
    }
    return status;
}

/* Rows of a chunk; 0 when not even the fewest fit. */
static size_t rows_within(size_t row_bytes, size_t largest_buffer)
{
    size_t rows = largest_buffer / row_bytes;
    return rows < CHUNK_ROWS ? 0 : rows / CHUNK_ROWS * CHUNK_ROWS;
}

yoke_status prepare_weight(opencl_engine *e, const yoke_matrix *w, prepared **out,
                           yoke_prepare_report *report, yoke_error *err)
{
    planes l;
    if (!planes_of(w->format, &l))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: prepare: w is %s, not taken",
                              e->name, yoke_format_get(w->format)->name);
    size_t padded = size_round_up(w->cols, PLANES_PAD);
    size_t rows = rows_within(padded / PLANES_PAD * l.value_bytes, e->device.largest_buffer);
    if (rows == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "engine %s: %zu rows of w's %zu columns exceed the device's largest "
                              "buffer of %zu bytes",
                              e->name, CHUNK_ROWS, w->cols, e->device.largest_buffer);
    size_t count = size_ceil_div(w->rows, rows);
    prepared *p = calloc(1, sizeof *p + count * sizeof p->chunks[0]);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: preparing w: out of memory",
                              e->name);
    p->format = w->format;
    p->rows = w->rows;
    p->k = w->cols;
    p->padded_k = padded;
    p->chunk_count = count;
    for (size_t i = 0; i < count; i++) {
        p->chunks[i].begin = i * rows;
        p->chunks[i].count = size_min(rows, w->rows - i * rows);
    }
    yoke_status status = fill_chunks(e, w, &l, p, report, err);
    if (status != YOKE_OK) {
        prepare_release(e, p);
        return status;
    }
    const yoke_format_info *format = yoke_format_get(w->format);
    report->format = w->format;
    report->copied_bytes = w->rows * (w->cols / format->block * format->block_bytes);
    snprintf(report->layout, sizeof report->layout, "%s",
             l.scale_bytes ? "values and scales apart" : "rows of whole 32s");
    *out = p;
    return YOKE_OK;
}

static void release_plane(opencl_engine *e, plane *p)
{
    if (p->buffer)
        e->cl.clReleaseMemObject(p->buffer);
    memory_unmap(p->memory, p->bytes);
}

void prepare_release(void *engine, void *weight)
{
    opencl_engine *e = engine;
    prepared *p = weight;
    /* A product that never ended may still read it. */
    for (size_t i = 0; i < p->chunk_count && !atomic_load(&e->stuck); i++) {
        release_plane(e, &p->chunks[i].values);
        release_plane(e, &p->chunks[i].scales);
    }
    free(p);
}
