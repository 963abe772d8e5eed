#include "engines/coreml/form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "engines/coreml/program.h"

yoke_format coreml_form_format(const coreml_layout *l)
{
    return l->element == MIL_FP32 ? YOKE_F32 : YOKE_F16;
}

static size_t element_bytes(const coreml_layout *l)
{
    return yoke_format_get(coreml_form_format(l))->block_bytes;
}

/* [1, cols, 1, 1] for one row, else [1, 1, rows, cols]: in memory the same. */
static void shape_of(size_t rows, size_t cols, size_t shape[COREML_RANK])
{
    const size_t made[] = {1, rows == 1 ? cols : 1, rows, rows == 1 ? 1 : cols};
    memcpy(shape, made, sizeof made);
}

static yoke_status call_failed(const apple *a, const char *call, apple_id error, yoke_error *err)
{
    return apple_error_set(a, err, YOKE_ERR_ENGINE, "coreml", call, error);
}

/* To the package's folder, where it is removed with the rest; else it stays where it was made. */
static void take_compiled(const coreml_package *package, size_t rows, const char *made,
                          coreml_form *form)
{
    snprintf(form->compiled, sizeof form->compiled, "%s/rows-%zu.mlmodelc", package->folder, rows);
    if (rename(made, form->compiled) != 0)
        snprintf(form->compiled, sizeof form->compiled, "%s", made);
}

static yoke_status compile(const apple *a, const coreml_layout *l, const coreml_package *package,
                           coreml_form *form, yoke_error *err)
{
    yoke_status status = coreml_package_set_rows(package, l, form->rows, err);
    if (status != YOKE_OK)
        return status;
    apple_id error;
    apple_id url = coreml_compile(a, package->path, &error);
    char made[sizeof form->compiled];
    if (!url || !apple_text(a, apple_send(a, url, "path"), made, sizeof made))
        return call_failed(a, "compileModelAtURL:error:", error, err);
    take_compiled(package, form->rows, made, form);
    return YOKE_OK;
}

static yoke_status create_memory(const coreml_layout *l, coreml_form *form, yoke_error *err)
{
    size_t row_x = l->k * element_bytes(l), row_y = l->rows * element_bytes(l), x, y;
    if (size_mul(row_x, form->rows, &x) && size_mul(row_y, form->rows, &y)) {
        form->x = memory_map(x);
        form->y = memory_map(y);
    }
    return form->x && form->y
               ? YOKE_OK
               : yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: preparing w: out of memory");
}

static yoke_status create_input(const apple *a, const coreml_layout *l, size_t rows, void *x,
                                apple_id *out, yoke_error *err)
{
    size_t shape[COREML_RANK];
    apple_id error;
    shape_of(rows, l->k, shape);
    apple_id array = coreml_array_new(a, x, coreml_form_format(l), shape, &error);
    if (!array)
        return call_failed(
            a, "initWithDataPointer:shape:dataType:strides:deallocator:error:", error, err);
    *out = coreml_provider_new(a, COREML_INPUT, array, &error);
    apple_release(a, array);
    return *out ? YOKE_OK : call_failed(a, "initWithDictionary:error:", error, err);
}

static apple_id output_name(const apple *a, size_t part)
{
    char name[32];
    snprintf(name, sizeof name, COREML_OUTPUT, part);
    return apple_string(a, name);
}

static yoke_status create_backings(const apple *a, const coreml_layout *l, coreml_form *form,
                                   yoke_error *err)
{
    apple_id *names = calloc(2 * l->count, sizeof(apple_id)), *arrays = names + l->count;
    if (!names)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: preparing w: out of memory");
    apple_id error = NULL;
    bool whole = true;
    for (size_t i = 0; i < l->count && whole; i++) {
        yoke_matrix y = coreml_form_result(l, form, &l->parts[i]);
        size_t shape[COREML_RANK];
        shape_of(form->rows, y.cols, shape);
        names[i] = output_name(a, i);
        arrays[i] = coreml_array_new(a, y.data, y.format, shape, &error);
        whole = arrays[i] != NULL;
    }
    if (whole)
        form->options = coreml_options_new(a, names, arrays, l->count);
    for (size_t i = 0; i < l->count; i++)
        apple_release(a, arrays[i]);
    free(names);
    return whole ? YOKE_OK
                 : call_failed(a, "initWithDataPointer:shape:dataType:strides:deallocator:error:",
                               error, err);
}

static yoke_status load(const apple *a, coreml_units units, coreml_form *form, yoke_error *err)
{
    apple_id url = apple_file_url(a, form->compiled), error;
    apple_id configuration = coreml_configuration(a, units);
    form->model = apple_retain(a, coreml_load(a, url, configuration, &error));
    if (!form->model)
        return call_failed(a, "modelWithContentsOfURL:configuration:error:", error, err);
    form->placement = coreml_plan_read(a, url, configuration);
    return YOKE_OK;
}

yoke_status coreml_form_make(const apple *a, coreml_units units, const coreml_layout *l,
                             const coreml_package *package, size_t rows, coreml_form *out,
                             yoke_error *err)
{
    *out = (coreml_form){.rows = rows};
    yoke_status status = create_memory(l, out, err);
    if (status == YOKE_OK)
        status = compile(a, l, package, out, err);
    if (status == YOKE_OK)
        status = load(a, units, out, err);
    if (status == YOKE_OK)
        status = create_input(a, l, rows, out->x, &out->provider, err);
    if (status == YOKE_OK)
        status = create_backings(a, l, out, err);
    return status;
}

void coreml_form_free(const apple *a, const coreml_layout *l, coreml_form *form)
{
    apple_release(a, form->options);
    apple_release(a, form->provider);
    apple_release(a, form->model);
    memory_unmap(form->x, form->rows * l->k * element_bytes(l));
    memory_unmap(form->y, form->rows * l->rows * element_bytes(l));
    *form = (coreml_form){0};
}

yoke_matrix coreml_form_result(const coreml_layout *l, const coreml_form *form,
                               const coreml_part *part)
{
    return (yoke_matrix){.format = coreml_form_format(l),
                         .rows = form->rows,
                         .cols = part->rows,
                         .data = (char *)form->y + part->begin * form->rows * element_bytes(l)};
}

static yoke_status read_results(const apple *a, const coreml_layout *l, const coreml_form *form,
                                apple_id results, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < l->count && status == YOKE_OK; i++) {
        yoke_matrix y = coreml_form_result(l, form, &l->parts[i]);
        size_t shape[COREML_RANK];
        char name[32];
        shape_of(form->rows, y.cols, shape);
        snprintf(name, sizeof name, COREML_OUTPUT, i);
        status =
            coreml_array_read(a, coreml_result(a, results, name), y.format, shape, y.data, err);
    }
    return status;
}

yoke_status coreml_form_run(const apple *a, const coreml_layout *l, const coreml_form *form,
                            void *x, yoke_error *err)
{
    apple_id provider = form->provider, own = NULL, error;
    yoke_status status = YOKE_OK;
    if (x != form->x) {
        status = create_input(a, l, form->rows, x, &own, err);
        provider = own;
    }
    if (status != YOKE_OK)
        return status;
    apple_id results = coreml_predict(a, form->model, provider, form->options, &error);
    status = results ? read_results(a, l, form, results, err)
                     : call_failed(a, "predictionFromFeatures:options:error:", error, err);
    apple_release(a, own);
    return status;
}
