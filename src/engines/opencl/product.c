/* submit: [upload x] [widen x] [upload y] product by chunks [bring y back], in this order in the
 * queue; what stands in brackets only where it is needed. */
#include "engines/opencl/product.h"

#include <string.h>

#include "base/size.h"
#include "engines/opencl/launch.h"
#include "engines/opencl/program.h"
#include "yoke/measure.h"

#define COMMANDS_BESIDE_CHUNKS 4
#define REHEARSED_OUTPUTS      ((size_t)16)
#define GROUP_VECTOR_BYTES     ((size_t)16) /* float4 in kernels/group.cl */

/* x or y, or what stands for it on the device. */
typedef struct operand {
    cl_mem buffer;
    cl_ulong stride; /* elements */
    cl_uint format;  /* as kernels/elements.cl numbers them */
} operand;

static cl_uint format_number(yoke_format format)
{
    return format == YOKE_F32 ? 0 : format == YOKE_F16 ? 1 : 2;
}

/* From the first element to the last, gaps between rows and all. */
static size_t extent_bytes(const yoke_matrix *matrix)
{
    return ((matrix->rows - 1) * yoke_matrix_stride(matrix) + matrix->cols) *
           yoke_format_get(matrix->format)->block_bytes;
}

/* The kernels of groups read vectors whole, those of vectors from any element on. A product that
 * uses the caller's memory cannot be given up: with a deadline, or a flag to heed, only a CPU does,
 * whose products end. */
static bool can_share(const opencl_engine *e, const yoke_task *task, const yoke_matrix *matrix)
{
    uintptr_t address = (uintptr_t)matrix->data;
    bool gapless = matrix->rows == 1 || yoke_matrix_stride(matrix) == matrix->cols;
    size_t element = yoke_format_get(matrix->format)->block_bytes;
    switch (e->device.sharing) {
    case SHARING_DIRECT: return address % (e->device.grouped ? GROUP_VECTOR_BYTES : element) == 0;
    case SHARING_MAP:
        return !task->has_deadline && !e->stop && gapless && address % e->page_bytes == 0;
    default: return false;
    }
}

static yoke_status share(opencl_engine *e, const yoke_matrix *matrix, cl_mem *shared, operand *out,
                         yoke_error *err)
{
    cl_int code;
    cl_mem made = e->cl.clCreateBuffer(e->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                       extent_bytes(matrix), matrix->data, &code);
    if (code == CL_SUCCESS)
        *shared = made;
    *out = (operand){*shared, yoke_matrix_stride(matrix), format_number(matrix->format)};
    return engine_check(e, "clCreateBuffer on the caller's memory", code, err);
}

static operand own_operand(const scratch *own, const yoke_matrix *matrix)
{
    return (operand){own->buffer, matrix->cols, format_number(matrix->format)};
}

/* By way of the engine's own memory: a product that is given up no longer reads the caller's. */
static yoke_status upload(opencl_engine *e, slot *s, const yoke_matrix *matrix, scratch *to,
                          yoke_matrix *staged, yoke_error *err)
{
    yoke_status status = yoke_matrix_convert(matrix, staged, err);
    if (status != YOKE_OK)
        return status;
    const size_t bytes = yoke_matrix_bytes(staged);
    cl_int code = e->cl.clEnqueueWriteBuffer(e->queue, to->buffer, 0, 0, bytes, staged->data, 0,
                                             NULL, slot_event(s));
    s->copied_bytes += bytes;
    return slot_command(e, s, "clEnqueueWriteBuffer", code, err);
}

static yoke_status place_x(opencl_engine *e, slot *s, const yoke_task *task, operand *out,
                           yoke_error *err)
{
    if (can_share(e, task, task->x))
        return share(e, task->x, &s->shared_x, out, err);
    yoke_matrix staged;
    yoke_status status = slot_stage(e, &s->x, task->x, "x", &staged, err);
    if (status == YOKE_OK)
        status = upload(e, s, task->x, &s->x, &staged, err);
    *out = own_operand(&s->x, task->x);
    return status;
}

/* The kernels read rows of whole 32s of floats, and those of groups by four. */
static bool is_wide_already(const opencl_engine *e, const prepared *w, const operand *x)
{
    return x->format == 0 && w->k == w->padded_k && (!e->device.grouped || x->stride % 4 == 0);
}

static yoke_status widen(opencl_engine *e, slot *s, const prepared *w, size_t rows, operand *x,
                         yoke_error *err)
{
    size_t elements, bytes;
    if (!size_mul(rows, w->padded_k, &elements) || !size_mul(elements, sizeof(float), &bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: x is too large", e->name);
    yoke_status status = slot_reserve(e, &s->x_wide, bytes, "x", err);
    if (status != YOKE_OK)
        return status;
    const cl_uint k = (cl_uint)w->k;
    const cl_ulong padded = w->padded_k;
    const argument arguments[] = {
        ARGUMENT(x->buffer), ARGUMENT(x->stride),        ARGUMENT(x->format),
        ARGUMENT(k),         ARGUMENT(s->x_wide.buffer), ARGUMENT(padded),
    };
    const grid g = {.global_size = {w->padded_k, rows}, .local_size = {DEVICE_PAD, 1}};
    cl_int code = launch(e, e->widen, &g, arguments, 6, slot_event(s));
    *x = (operand){s->x_wide.buffer, padded, 0};
    return slot_command(e, s, "clEnqueueNDRangeKernel of widen", code, err);
}

static yoke_status place_y(opencl_engine *e, slot *s, const yoke_task *task, operand *out,
                           yoke_error *err)
{
    if (can_share(e, task, task->y))
        return share(e, task->y, &s->shared_y, out, err);
    s->to = *task->y;
    yoke_status status = slot_stage(e, &s->y, task->y, "y", &s->staged_y, err);
    if (status == YOKE_OK && task->beta != 0)
        status = upload(e, s, task->y, &s->y, &s->staged_y, err);
    *out = own_operand(&s->y, task->y);
    return status;
}

/* As far as wait can see it; from staging, wait takes it to the caller's memory. */
static yoke_status bring_back(opencl_engine *e, slot *s, const yoke_matrix *y, yoke_error *err)
{
    cl_int code;
    if (s->shared_y && e->device.sharing == SHARING_DIRECT)
        return YOKE_OK;
    if (s->shared_y) {
        s->mapped_y = e->cl.clEnqueueMapBuffer(e->queue, s->shared_y, 0, CL_MAP_READ, 0,
                                               extent_bytes(y), 0, NULL, slot_event(s), &code);
        return slot_command(e, s, "clEnqueueMapBuffer", code, err);
    }
    const size_t bytes = yoke_matrix_bytes(&s->staged_y);
    code = e->cl.clEnqueueReadBuffer(e->queue, s->y.buffer, 0, 0, bytes, s->staged_y.data, 0, NULL,
                                     slot_event(s));
    s->copied_bytes += bytes;
    return slot_command(e, s, "clEnqueueReadBuffer", code, err);
}

static grid row_grid(const device *d, size_t n)
{
    size_t lanes = d->grouped ? d->lanes : 1;
    return (grid){{size_ceil_div(n, PROGRAM_ROWS) * lanes, 1}, {lanes, 1}};
}

/* Neighbouring items of a CPU share rows of w, which are the larger part. */
static grid tile_grid(const device *d, size_t m, size_t n)
{
    size_t tiles_m = size_ceil_div(m, program_tile_m(d)),
           tiles_n = size_ceil_div(n, program_tile_n(d));
    if (!d->grouped)
        return (grid){{tiles_m, tiles_n}, {1, 1}};
    return (grid){{tiles_n * d->side, tiles_m * d->side}, {d->side, d->side}};
}

/* The part of the window that lies in one chunk. */
static yoke_status multiply_chunk(opencl_engine *e, slot *s, const prepared *w, const chunk *c,
                                  const yoke_task *task, const operand *x, const operand *y,
                                  bool by_tiles, yoke_error *err)
{
    const size_t begin = task->n_begin > c->begin ? task->n_begin : c->begin;
    const size_t end = size_min(task->n_begin + task->n_count, c->begin + c->count);
    if (begin >= end)
        return YOKE_OK;
    const product_kernels *kernels = &e->products[w->format];
    const cl_uint unit = program_unit(&e->device, w->format);
    const cl_uint n = (cl_uint)(end - begin), m = (cl_uint)task->x->rows;
    const cl_uint units = (cl_uint)(w->padded_k / unit);
    const cl_ulong first = begin - c->begin, y_begin = begin - task->n_begin;
    const cl_mem *scales = c->scales.buffer ? &c->scales.buffer : &c->values.buffer;
    const argument arguments[] = {
        ARGUMENT(c->values.buffer),
        ARGUMENT(*scales),
        ARGUMENT(first),
        ARGUMENT(n),
        ARGUMENT(units),
        ARGUMENT(x->buffer),
        ARGUMENT(x->stride),
        ARGUMENT(m),
        ARGUMENT(y->buffer),
        ARGUMENT(y_begin),
        ARGUMENT(y->stride),
        ARGUMENT(y->format),
        ARGUMENT(task->alpha),
        ARGUMENT(task->beta),
    };
    const grid g = by_tiles ? tile_grid(&e->device, m, n) : row_grid(&e->device, n);
    cl_int code = launch(e, by_tiles ? kernels->tile : kernels->row, &g, arguments,
                         sizeof arguments / sizeof arguments[0], slot_event(s));
    return slot_command(e, s,
                        by_tiles ? "clEnqueueNDRangeKernel of multiply_tile"
                                 : "clEnqueueNDRangeKernel of multiply_row",
                        code, err);
}

static yoke_status enqueue(opencl_engine *e, slot *s, const prepared *w, const yoke_task *task,
                           yoke_error *err)
{
    const bool by_tiles = task->x->rows > 1 || task->pin_path;
    operand x, y;
    s->path = by_tiles ? "opencl tiles" : "opencl row";
    yoke_status status = place_x(e, s, task, &x, err);
    if (status == YOKE_OK && !is_wide_already(e, w, &x))
        status = widen(e, s, w, task->x->rows, &x, err);
    if (status == YOKE_OK)
        status = place_y(e, s, task, &y, err);
    for (size_t i = 0; i < w->chunk_count && status == YOKE_OK; i++)
        status = multiply_chunk(e, s, w, &w->chunks[i], task, &x, &y, by_tiles, err);
    if (status == YOKE_OK)
        status = bring_back(e, s, task->y, err);
    if (status == YOKE_OK)
        status = engine_check(e, "clFlush", e->cl.clFlush(e->queue), err);
    return status;
}

yoke_status product_submit(void *engine, void *weight, const yoke_task *task, yoke_ticket *ticket,
                           yoke_error *err)
{
    const uint64_t now = yoke_clock_ns();
    opencl_engine *e = engine;
    const prepared *w = weight;
    slot *s;
    yoke_status status = engine_check_alive(e, err);
    if (status == YOKE_OK)
        status = slot_take(e, w->chunk_count + COMMANDS_BESIDE_CHUNKS, &s, err);
    if (status != YOKE_OK)
        return status;
    s->submit_ns = now;
    pthread_mutex_lock(&e->mutex);
    status = enqueue(e, s, w, task, err);
    if (status != YOKE_OK)
        e->cl.clFinish(e->queue); /* what was enqueued uses the slot, or x and y */
    pthread_mutex_unlock(&e->mutex);
    if (status != YOKE_OK) {
        slot_return(e, s);
        return status;
    }
    s->submitted_ns = yoke_clock_ns();
    memcpy(ticket, &s, sizeof s);
    return YOKE_OK;
}

static yoke_status rehearse_rows(opencl_engine *e, prepared *w, size_t rows, yoke_error *err)
{
    yoke_matrix x = {0}, y = {0};
    yoke_status status = yoke_matrix_create(YOKE_F16, rows, w->k, &x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(YOKE_F32, rows, size_min(w->rows, REHEARSED_OUTPUTS), &y, err);
    const yoke_task task = {
        .size = sizeof task, .alpha = 1, .x = &x, .y = &y, .n_count = y.cols, .has_deadline = true};
    yoke_ticket ticket;
    yoke_timing timing = {0};
    if (status == YOKE_OK)
        status = product_submit(e, w, &task, &ticket, err);
    if (status == YOKE_OK)
        status = product_wait(e, &ticket, YOKE_WAIT_BLOCK, 0, yoke_clock_ns() + e->rehearsal_ns,
                              &timing, err);
    yoke_matrix_free(&x);
    yoke_matrix_free(&y);
    return status;
}

yoke_status product_rehearse(opencl_engine *e, prepared *w, yoke_error *err)
{
    yoke_status status = rehearse_rows(e, w, 1, err);
    return status == YOKE_OK ? rehearse_rows(e, w, 2, err) : status;
}
