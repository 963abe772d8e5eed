/* A few rows of x, or a pinned path: the engine's own kernel, a row at a time. Else Metal
 * Performance Shaders, by slabs of rows of w that are widened to f32 first where they have to be.
 */
#include "engines/metal/encode.h"

#include <string.h>

#include "base/size.h"
#include "engines/metal/library.h"
#include "engines/metal/mps.h"
#include "engines/planes.h"

#define KERNEL_ROWS    8u                 /* of x; with more, widening w once is the lesser cost */
#define WIDE_BYTES     ((size_t)64 << 20) /* of w as f32, at a time */
#define WIDE_ROWS      ((size_t)16)       /* slabs are multiples of this */
#define IN_PLACE_BYTES ((size_t)1 << 20)  /* of x; what is smaller is copied sooner than mapped */
#define WIDEN_WIDTH    32u                /* threads of a group that widens */

/* x as f32, `stride` elements apart, with zeros behind each row. */
static yoke_status copy_x(metal_engine *e, metal_slot *s, const yoke_matrix *x, size_t stride,
                          metal_rows *out, yoke_error *err)
{
    size_t bytes;
    if (!size_mul(stride, x->rows * sizeof(float), &bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: x is too large", METAL_NAME);
    yoke_status status = metal_slot_reserve(e, &s->x, bytes, "x", err);
    if (status != YOKE_OK)
        return status;
    float *to = metal_buffer_contents(&e->api, s->x.buffer);
    yoke_matrix copy = {
        .format = YOKE_F32, .rows = x->rows, .cols = x->cols, .stride = stride, .data = to};
    for (size_t row = 0; row < x->rows && stride > x->cols; row++)
        memset(to + row * stride + x->cols, 0, (stride - x->cols) * sizeof *to);
    *out = (metal_rows){.buffer = s->x.buffer,
                        .row_bytes = stride * sizeof(float),
                        .rows = x->rows,
                        .cols = x->cols,
                        .format = YOKE_F32};
    s->copied_bytes += x->rows * x->cols * yoke_format_get(x->format)->block_bytes;
    return yoke_matrix_convert(x, &copy, err);
}

/* The whole pages around x as a buffer: f32 whose rows lie as the framework takes them. False when
 * it cannot be, or is not worth it, and for a product that may be given up. */
static bool use_x_in_place(metal_engine *e, metal_slot *s, const yoke_task *task, metal_rows *out)
{
    const yoke_matrix *x = task->x;
    const size_t row_bytes = yoke_matrix_stride(x) * sizeof(float);
    const uintptr_t begin = (uintptr_t)x->data, page = e->page_bytes;
    const size_t offset = begin % page;
    /* With whole strides, as the framework counts them; the last may end in the gap behind x. */
    const size_t extent = offset + (x->rows - 1) * row_bytes + x->cols * sizeof(float);
    const size_t pages = size_round_up(extent, page);
    if (task->has_deadline || e->stop || x->format != YOKE_F32 ||
        x->rows * row_bytes < IN_PLACE_BYTES || begin % METAL_ROW_ALIGNMENT != 0 ||
        row_bytes % METAL_ROW_ALIGNMENT != 0 || offset + x->rows * row_bytes > pages)
        return false;
    s->over_x = metal_buffer_new_over(&e->api, e->device, (char *)x->data - offset, pages);
    *out = (metal_rows){.buffer = s->over_x,
                        .offset = offset,
                        .row_bytes = row_bytes,
                        .rows = x->rows,
                        .cols = x->cols,
                        .format = YOKE_F32};
    return s->over_x != NULL;
}

static yoke_status place_y(metal_engine *e, metal_slot *s, const yoke_task *task, metal_rows *out,
                           yoke_error *err)
{
    const size_t m = task->x->rows, n = task->n_count;
    const size_t stride = size_round_up(n, METAL_ROW_ALIGNMENT / sizeof(float));
    size_t bytes;
    /* One row more: a slab's result begins within a row, and whole strides count. */
    if (!size_mul(stride, (m + 1) * sizeof(float), &bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "engine %s: y is too large", METAL_NAME);
    yoke_status status = metal_slot_reserve(e, &s->y, bytes, "y", err);
    if (status != YOKE_OK)
        return status;
    s->result = (yoke_matrix){.format = YOKE_F32,
                              .rows = m,
                              .cols = n,
                              .stride = stride,
                              .data = metal_buffer_contents(&e->api, s->y.buffer)};
    s->copied_bytes += m * n * yoke_format_get(task->y->format)->block_bytes;
    *out = (metal_rows){.buffer = s->y.buffer,
                        .row_bytes = stride * sizeof(float),
                        .rows = m,
                        .cols = n,
                        .format = YOKE_F32};
    return YOKE_OK;
}

/* Runs one kernel; third and fourth: what it has as buffers 2 and 3 (nil: nothing). */
static yoke_status run_kernel(metal_engine *e, metal_slot *s, const metal_prepared *w,
                              apple_id pipeline, apple_id third, apple_id fourth,
                              const metal_shape *shape, metal_size groups, metal_size threads,
                              yoke_error *err)
{
    const metal_api *api = &e->api;
    apple_id encoder = apple_send(&api->objc, s->commands, "computeCommandEncoder");
    if (!encoder)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: computeCommandEncoder gave none",
                              METAL_NAME);
    metal_set_pipeline(api, encoder, pipeline);
    metal_set_buffer(api, encoder, w->values, 0);
    metal_set_buffer(api, encoder, w->scales ? w->scales : w->values, 1);
    metal_set_buffer(api, encoder, third, 2);
    if (fourth)
        metal_set_buffer(api, encoder, fourth, 3);
    metal_set_bytes(api, encoder, shape, sizeof *shape, 4);
    metal_dispatch(api, encoder, groups, threads);
    apple_send(&api->objc, encoder, "endEncoding");
    return YOKE_OK;
}

static yoke_status encode_kernel(metal_engine *e, metal_slot *s, const metal_prepared *w,
                                 const yoke_task *task, yoke_error *err)
{
    metal_rows x, y;
    yoke_status status = copy_x(e, s, task->x, w->padded_k, &x, err);
    if (status == YOKE_OK)
        status = place_y(e, s, task, &y, err);
    if (status != YOKE_OK)
        return status;
    s->path = "metal kernel";
    const metal_shape shape = {.first = task->n_begin,
                               .n = (uint32_t)task->n_count,
                               .blocks = (uint32_t)(w->padded_k / PLANES_PAD),
                               .x_stride = (uint32_t)w->padded_k,
                               .y_stride = (uint32_t)(y.row_bytes / sizeof(float)),
                               .alpha = task->alpha};
    return run_kernel(e, s, w, w->kernels->row, x.buffer, y.buffer, &shape,
                      (metal_size){size_ceil_div(task->n_count, METAL_SIMDS), x.rows, 1},
                      (metal_size){(unsigned long)METAL_LANES * METAL_SIMDS, 1, 1}, err);
}

/* Does Metal Performance Shaders take it? */
static bool is_taken(yoke_format format)
{
    return format == YOKE_F32 || format == YOKE_F16;
}

/* Rows [begin, begin + count) of w as f32. */
static yoke_status widen(metal_engine *e, metal_slot *s, const metal_prepared *w, size_t begin,
                         size_t count, metal_rows *out, yoke_error *err)
{
    const size_t row_bytes = w->padded_k * sizeof(float);
    yoke_status status = metal_slot_reserve(e, &s->wide, count * row_bytes, "w as f32", err);
    if (status != YOKE_OK)
        return status;
    const size_t blocks = w->padded_k / PLANES_PAD;
    const metal_shape shape = {.first = begin, .n = (uint32_t)count, .blocks = (uint32_t)blocks};
    *out = (metal_rows){.buffer = s->wide.buffer,
                        .row_bytes = row_bytes,
                        .rows = count,
                        .cols = w->k,
                        .format = YOKE_F32};
    return run_kernel(e, s, w, w->kernels->widen, s->wide.buffer, NULL, &shape,
                      (metal_size){size_ceil_div(blocks, WIDEN_WIDTH), count, 1},
                      (metal_size){WIDEN_WIDTH, 1, 1}, err);
}

/* Rows [begin, begin + count) of w as the framework takes them. */
static yoke_status rows_of_w(metal_engine *e, metal_slot *s, const metal_prepared *w, size_t begin,
                             size_t count, metal_rows *out, yoke_error *err)
{
    if (!is_taken(w->format))
        return widen(e, s, w, begin, count, out, err);
    const size_t row_bytes = w->padded_k * yoke_format_get(w->format)->block_bytes;
    *out = (metal_rows){.buffer = w->values,
                        .offset = begin * row_bytes,
                        .row_bytes = row_bytes,
                        .rows = count,
                        .cols = w->k,
                        .format = w->format};
    return YOKE_OK;
}

/* Rows of w at a time. */
static size_t slab_rows(const metal_engine *e, const metal_prepared *w, size_t n)
{
    if (is_taken(w->format))
        return n;
    const size_t bytes = size_min(WIDE_BYTES, e->largest_buffer);
    const size_t rows = bytes / (w->padded_k * sizeof(float)) / WIDE_ROWS * WIDE_ROWS;
    return size_min(rows ? rows : WIDE_ROWS, n);
}

/* Some rows of x, at once or (alone) one after the other: what is chosen for one row then does not
 * depend on how many there are. */
static yoke_status multiply_slab(metal_engine *e, metal_slot *s, const yoke_task *task,
                                 const metal_rows *x, const metal_rows *w, const metal_rows *y,
                                 bool alone, yoke_error *err)
{
    const size_t step = alone ? 1 : x->rows;
    yoke_status status = YOKE_OK;
    for (size_t row = 0; row < x->rows && status == YOKE_OK; row += step) {
        metal_rows left = *x, result = *y;
        left.rows = result.rows = step;
        left.offset += row * x->row_bytes;
        result.offset += row * y->row_bytes;
        status = metal_mps_multiply(e, s->commands, task->alpha, &left, w, &result, err);
    }
    return status;
}

static yoke_status encode_slabs(metal_engine *e, metal_slot *s, const metal_prepared *w,
                                const yoke_task *task, const metal_rows *x, const metal_rows *y,
                                yoke_error *err)
{
    s->path = is_taken(w->format) ? "mps matrix" : "mps, w widened to f32";
    const size_t rows = slab_rows(e, w, task->n_count);
    yoke_status status = YOKE_OK;
    for (size_t begin = 0; begin < task->n_count && status == YOKE_OK; begin += rows) {
        metal_rows part = *y, slab;
        part.cols = size_min(rows, task->n_count - begin);
        part.offset = begin * sizeof(float);
        status = rows_of_w(e, s, w, task->n_begin + begin, part.cols, &slab, err);
        if (status == YOKE_OK)
            status = multiply_slab(e, s, task, x, &slab, &part, task->pin_path, err);
    }
    return status;
}

static yoke_status encode_vector(metal_engine *e, metal_slot *s, const metal_prepared *w,
                                 const yoke_task *task, const metal_rows *x, const metal_rows *y,
                                 yoke_error *err)
{
    metal_rows rows;
    s->path = "mps vector";
    yoke_status status = rows_of_w(e, s, w, task->n_begin, task->n_count, &rows, err);
    return status == YOKE_OK
               ? metal_mps_multiply_vector(e, s->commands, task->alpha, x, &rows, y, err)
               : status;
}

static yoke_status encode_mps(metal_engine *e, metal_slot *s, const metal_prepared *w,
                              const yoke_task *task, yoke_error *err)
{
    metal_rows x, y;
    const size_t stride = size_round_up(w->k, METAL_ROW_ALIGNMENT / sizeof(float));
    yoke_status status =
        use_x_in_place(e, s, task, &x) ? YOKE_OK : copy_x(e, s, task->x, stride, &x, err);
    if (status == YOKE_OK)
        status = place_y(e, s, task, &y, err);
    if (status != YOKE_OK)
        return status;
    const bool vector = x.rows == 1 && x.offset == 0 && w->format == YOKE_F32 && !task->pin_path;
    return vector ? encode_vector(e, s, w, task, &x, &y, err)
                  : encode_slabs(e, s, w, task, &x, &y, err);
}

yoke_status metal_encode(metal_engine *e, metal_slot *s, const metal_prepared *w,
                         const yoke_task *task, yoke_error *err)
{
    /* A row of f32 goes to the framework's own vector product. */
    const bool few = task->x->rows <= KERNEL_ROWS && w->format != YOKE_F32;
    return w->kernels && (few || task->pin_path) ? encode_kernel(e, s, w, task, err)
                                                 : encode_mps(e, s, w, task, err);
}
