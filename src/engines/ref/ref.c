/* The reference engine: plain loops on the calling thread, any readable format, sums in f64 (the
 * reference product itself) or, with accumulate=f32, in f32 from the first column to the last. Slow
 * by intent: it is what faster engines are held against. */
#include "engines/ref/ref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "engines/cell.h"
#include "engines/copy.h"
#include "yoke/measure.h"

/* Outputs between two looks at the deadline. */
#define OUTPUTS_A_STEP 16

typedef struct ref_engine {
    bool f32;
} ref_engine;

typedef struct ref_ticket {
    const yoke_matrix *w;
    const yoke_matrix *x, *y;
    size_t n_begin;
    float alpha, beta;
    uint64_t submit_ns;
} ref_ticket;
_Static_assert(sizeof(ref_ticket) <= sizeof(yoke_ticket), "a ticket is too small");

static void describe(bool f32, yoke_engine_info *info)
{
    *info = (yoke_engine_info){.ready = true};
    snprintf(info->name, sizeof info->name, "ref");
    snprintf(info->description, sizeof info->description,
             "portable reference, 1 thread, sums in %s", f32 ? "f32" : "f64");
    info->facts = (yoke_engine_facts){
        .accumulate = f32 ? YOKE_F32 : YOKE_F64,
        .granule_m = 1,
        .granule_n = 1,
        .native_formats = copy_readable_formats(),
        .on_host_cpu = true,
        .computes_on_caller = true,
    };
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    (void)err;
    *count = 1;
    if (capacity > 0)
        describe(false, infos);
    return YOKE_OK;
}

static yoke_status open_engine(const yoke_engine_config *config, void **engine,
                               yoke_engine_info *info, yoke_error *err)
{
    static const char *const known[] = {"accumulate", NULL};
    yoke_status status = yoke_engine_option_check(config, known, err);
    if (status != YOKE_OK)
        return status;
    if (*config->device)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "engine ref has no device \"%s\"",
                              config->device);
    const char *accumulate = yoke_engine_option_get(config, "accumulate");
    bool f32 = accumulate && strcmp(accumulate, "f32") == 0;
    if (accumulate && !f32 && strcmp(accumulate, "f64") != 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "engine ref: accumulate=%s; it is f64 or f32",
                              accumulate);
    ref_engine *made = malloc(sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ref: out of memory");
    made->f32 = f32;
    *engine = made;
    if (info)
        describe(f32, info);
    return YOKE_OK;
}

static void close_engine(void *engine)
{
    free(engine);
}

static yoke_status prepare(void *engine, const yoke_matrix *w, void **prepared,
                           yoke_prepare_report *report, yoke_error *err)
{
    (void)engine;
    if (!yoke_format_get(w->format)->readable)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine ref: w is %s, which cannot be read",
                              yoke_format_get(w->format)->name);
    yoke_matrix *copy;
    yoke_status status = copy_create(w, &copy, report, err);
    if (status == YOKE_OK)
        *prepared = copy;
    return status;
}

static void release(void *engine, void *prepared)
{
    (void)engine;
    copy_free(prepared);
}

/* Nothing runs yet: the thread that waits does the work. */
static yoke_status submit(void *engine, void *prepared, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err)
{
    (void)engine;
    (void)err;
    const ref_ticket mine = {
        .w = prepared,
        .x = task->x,
        .y = task->y,
        .n_begin = task->n_begin,
        .alpha = task->alpha,
        .beta = task->beta,
        .submit_ns = yoke_clock_ns(),
    };
    memcpy(ticket, &mine, sizeof mine);
    return YOKE_OK;
}

static float dot_f32(const float *a, const float *b, size_t count)
{
    float sum = 0.0f;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* One output for all rows of x; x and w are f32. */
static yoke_status output_f32(float alpha, const yoke_matrix *x, const float *w, float beta,
                              yoke_matrix *y, size_t column, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t row = 0; row < x->rows && status == YOKE_OK; row++) {
        const float *x_row = (const float *)x->data + row * yoke_matrix_stride(x);
        float result = alpha * dot_f32(x_row, w, x->cols), before;
        if (beta != 0.0f) {
            status = yoke_matrix_read(y, row, column, 1, &before, err);
            if (status != YOKE_OK)
                return status;
            result += beta * before;
        }
        status = cell_write(y, row, column, result, err);
    }
    return status;
}

/* As yoke_matrix_product, with sums in f32. */
static yoke_status product_f32(float alpha, const yoke_matrix *x, const yoke_matrix *w, float beta,
                               yoke_matrix *y, yoke_error *err)
{
    yoke_matrix x32, w_row;
    yoke_status status = yoke_matrix_create(YOKE_F32, x->rows, x->cols, &x32, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_create(YOKE_F32, 1, w->cols, &w_row, err);
    if (status == YOKE_OK) {
        status = yoke_matrix_convert(x, &x32, err);
        for (size_t n = 0; n < w->rows && status == YOKE_OK; n++) {
            status = yoke_matrix_read(w, n, 0, w->cols, w_row.data, err);
            if (status == YOKE_OK)
                status = output_f32(alpha, &x32, w_row.data, beta, y, n, err);
        }
        yoke_matrix_free(&w_row);
    }
    yoke_matrix_free(&x32);
    return status;
}

static yoke_matrix columns_of(const yoke_matrix *y, size_t begin, size_t count)
{
    yoke_matrix part = *y;
    part.stride = yoke_matrix_stride(y);
    part.cols = count;
    part.data = (char *)y->data + begin * yoke_format_get(y->format)->block_bytes;
    return part;
}

static yoke_status wait_for(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                            uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                            yoke_error *err)
{
    (void)how;
    (void)predicted_end_ns;
    const ref_engine *self = engine;
    ref_ticket mine;
    memcpy(&mine, ticket, sizeof mine);

    timing->submit_ns = mine.submit_ns;
    for (size_t n = 0; n < mine.y->cols; n += OUTPUTS_A_STEP) {
        if (deadline_ns && yoke_clock_ns() > deadline_ns)
            return yoke_error_set(err, YOKE_ERR_TIMEOUT, "engine ref: wait: the deadline passed");
        size_t count = size_min(OUTPUTS_A_STEP, mine.y->cols - n);
        const yoke_matrix w = yoke_matrix_rows(mine.w, mine.n_begin + n, count);
        yoke_matrix y = columns_of(mine.y, n, count);
        yoke_status status = (self->f32 ? product_f32 : yoke_matrix_product)(mine.alpha, mine.x, &w,
                                                                             mine.beta, &y, err);
        if (status != YOKE_OK)
            return status;
    }
    timing->done_ns = yoke_clock_ns();
    timing->path = self->f32 ? "reference, f32 sums" : "reference, f64 sums";
    return YOKE_OK;
}

const yoke_engine_class engine_ref = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = "ref",
    .summary = "portable reference product, the oracle",
    .probe = probe,
    .open = open_engine,
    .close = close_engine,
    .prepare = prepare,
    .release = release,
    .submit = submit,
    .wait = wait_for,
};
