/* x goes through by slabs of the program's rows, the last one filled up with zeros. */
#include "engines/coreml/product.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "engines/deliver.h"
#include "yoke/measure.h"

typedef struct coreml_product {
    worker_job job;
    const coreml_engine *engine;
    coreml_prepared *weight;
    const coreml_form *form;
    yoke_matrix x, y;
    float alpha, beta;
    size_t n_begin;
    bool in_place; /* x may be read where it lies: the product will not be given up */
    uint64_t submit_ns, submitted_ns, begin_ns, end_ns, copied_bytes;
} coreml_product;

/* Can the rows be read where they lie? */
static bool lies_well(const coreml_product *p, const yoke_matrix *rows)
{
    const yoke_format format = coreml_form_format(p->weight->layout);
    return p->in_place && rows->format == format && rows->rows == p->form->rows &&
           (rows->rows == 1 || yoke_matrix_stride(rows) == rows->cols) &&
           (uintptr_t)rows->data % yoke_format_get(format)->block_bytes == 0;
}

/* Rows of x as the program takes them, in *out. */
static yoke_status load_rows(coreml_product *p, const yoke_matrix *rows, void **out,
                             yoke_error *err)
{
    const yoke_format format = coreml_form_format(p->weight->layout);
    const size_t row_bytes = rows->cols * yoke_format_get(format)->block_bytes;
    if (lies_well(p, rows)) {
        *out = rows->data;
        return YOKE_OK;
    }
    yoke_matrix own = {
        .format = format, .rows = rows->rows, .cols = rows->cols, .data = p->form->x};
    *out = own.data;
    memset((char *)own.data + rows->rows * row_bytes, 0, (p->form->rows - rows->rows) * row_bytes);
    p->copied_bytes += rows->rows * row_bytes;
    return yoke_matrix_convert(rows, &own, err);
}

/* The columns of a part's result that the product asks for. */
static yoke_status deliver_part(coreml_product *p, const coreml_part *part, size_t row,
                                size_t count, yoke_error *err)
{
    const size_t end = size_min(part->begin + part->rows, p->n_begin + p->y.cols);
    const size_t begin = part->begin > p->n_begin ? part->begin : p->n_begin;
    if (begin >= end)
        return YOKE_OK;
    yoke_matrix result = coreml_form_result(p->weight->layout, p->form, part);
    result.stride = result.cols;
    result.rows = count;
    result.cols = end - begin;
    result.data =
        (char *)result.data + (begin - part->begin) * yoke_format_get(result.format)->block_bytes;
    yoke_matrix y = yoke_matrix_rows(&p->y, row, count);
    const size_t element = yoke_format_get(y.format)->block_bytes;
    y.stride = yoke_matrix_stride(&p->y);
    y.cols = end - begin;
    y.data = (char *)y.data + (begin - p->n_begin) * element;
    p->copied_bytes += count * y.cols * element;
    return deliver(&result, p->alpha, p->beta, &y, err);
}

static yoke_status deliver_rows(coreml_product *p, size_t row, size_t count, yoke_error *err)
{
    const coreml_layout *l = p->weight->layout;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < l->count && status == YOKE_OK; i++)
        status = deliver_part(p, &l->parts[i], row, count, err);
    return status;
}

static yoke_status run_slab(coreml_product *p, size_t row, size_t count, yoke_error *err)
{
    const apple *a = &p->engine->objc;
    const yoke_matrix rows = yoke_matrix_rows(&p->x, row, count);
    void *x;
    yoke_status status = worker_touch(&p->job, err);
    if (status != YOKE_OK)
        return status;
    status = load_rows(p, &rows, &x, err);
    worker_let_go(&p->job);
    if (status == YOKE_OK) {
        void *pool = apple_pool_push(a);
        status = coreml_form_run(a, p->weight->layout, p->form, x, err);
        apple_pool_pop(a, pool);
    }
    if (status == YOKE_OK)
        status = worker_touch(&p->job, err);
    if (status != YOKE_OK)
        return status;
    status = deliver_rows(p, row, count, err);
    worker_let_go(&p->job);
    return status;
}

static yoke_status run(worker_job *job, yoke_error *err)
{
    coreml_product *p = (coreml_product *)job;
    const size_t slab = p->form->rows, m = p->x.rows;
    p->begin_ns = yoke_clock_ns();
    yoke_status status = YOKE_OK;
    for (size_t row = 0; row < m && status == YOKE_OK; row += slab)
        status = run_slab(p, row, size_min(slab, m - row), err);
    p->end_ns = yoke_clock_ns();
    return status;
}

yoke_status coreml_product_submit(void *engine, void *prepared, const yoke_task *task,
                                  yoke_ticket *ticket, yoke_error *err)
{
    const uint64_t now = yoke_clock_ns();
    coreml_engine *e = engine;
    coreml_prepared *w = prepared;
    yoke_status status = worker_check(e->worker, err);
    if (status != YOKE_OK)
        return status;
    coreml_product *p = (coreml_product *)worker_take(e->worker, sizeof *p, run);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: submit: out of memory");
    p->engine = e;
    p->weight = w;
    p->form = w->many.rows && (task->x->rows > 1 || task->pin_path) ? &w->many : &w->one;
    p->x = *task->x;
    p->y = *task->y;
    p->alpha = task->alpha;
    p->beta = task->beta;
    p->n_begin = task->n_begin;
    p->in_place = !task->has_deadline && !worker_heeds(e->worker);
    p->copied_bytes = 0;
    p->submit_ns = now;
    worker_start(e->worker, &p->job);
    p->submitted_ns = yoke_clock_ns();
    memcpy(ticket, &p, sizeof p);
    return YOKE_OK;
}

static const char *path_of(coreml_placement placement)
{
    static const char *const paths[] = {
        [COREML_PLACED_UNKNOWN] = "coreml, placement not known",
        [COREML_PLACED_ANE] = "coreml, by its plan on the ANE",
        [COREML_PLACED_GPU] = "coreml, by its plan on the GPU",
        [COREML_PLACED_CPU] = "coreml, by its plan on the CPU",
        [COREML_PLACED_SEVERAL] = "coreml, by its plan on several devices",
    };
    return paths[placement];
}

static void fill_timing(const coreml_product *p, yoke_timing *timing)
{
    timing->submit_ns = p->submit_ns;
    timing->submitted_ns = p->submitted_ns;
    timing->device_begin_ns = p->begin_ns;
    timing->device_end_ns = p->end_ns;
    timing->done_ns = yoke_clock_ns();
    timing->copied_bytes = p->copied_bytes;
    timing->path = path_of(p->form->placement);
}

yoke_status coreml_product_wait(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                                uint64_t predicted_end_ns, uint64_t deadline_ns,
                                yoke_timing *timing, yoke_error *err)
{
    const coreml_engine *e = engine;
    coreml_product *p;
    memcpy(&p, ticket, sizeof p);
    yoke_status status =
        worker_wait(e->worker, &p->job, "predictionFromFeatures:options:error:", how,
                    predicted_end_ns, deadline_ns, err);
    if (status == YOKE_OK)
        fill_timing(p, timing);
    worker_put(e->worker, &p->job);
    return status;
}
