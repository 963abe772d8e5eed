#include "engines/metal/prepare.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "engines/metal/library.h"
#include "engines/planes.h"

static yoke_status create_plane(metal_engine *e, const yoke_matrix *w, size_t row_bytes,
                                void (*pack)(const yoke_matrix *, size_t, size_t, size_t, char *),
                                apple_id *out, yoke_error *err)
{
    size_t bytes;
    if (!size_mul(row_bytes, w->rows, &bytes) || bytes > e->largest_buffer)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "engine %s: w of %zu by %zu exceeds the device's largest buffer of "
                              "%zu bytes",
                              METAL_NAME, w->rows, w->cols, e->largest_buffer);
    *out = metal_buffer_new(&e->api, e->device, bytes);
    if (!*out)
        return yoke_error_set(err, YOKE_ERR_MEMORY,
                              "engine %s: newBufferWithLength:options: gave no %zu bytes for w",
                              METAL_NAME, bytes);
    pack(w, 0, w->rows, row_bytes, metal_buffer_contents(&e->api, *out));
    return YOKE_OK;
}

static yoke_status fill(metal_engine *e, const yoke_matrix *w, metal_prepared *p,
                        yoke_prepare_report *report, yoke_error *err)
{
    planes of;
    if (!planes_of(w->format, &of))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: prepare: w is %s, not taken",
                              METAL_NAME, yoke_format_get(w->format)->name);
    const size_t blocks = p->padded_k / PLANES_PAD;
    yoke_status status =
        create_plane(e, w, blocks * of.value_bytes, planes_pack_values, &p->values, err);
    if (status == YOKE_OK && of.scale_bytes > 0)
        status = create_plane(e, w, blocks * of.scale_bytes, planes_pack_scales, &p->scales, err);
    report->prepared_bytes = (of.value_bytes + of.scale_bytes) * blocks * w->rows;
    return status;
}

static yoke_status fill_as_f16(metal_engine *e, const yoke_matrix *w, metal_prepared *p,
                               yoke_prepare_report *report, yoke_error *err)
{
    yoke_matrix halves;
    yoke_status status = yoke_matrix_create(YOKE_F16, w->rows, w->cols, &halves, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_convert(w, &halves, err);
    if (status == YOKE_OK)
        status = fill(e, &halves, p, report, err);
    yoke_matrix_free(&halves);
    return status;
}

static bool needs_kernels(yoke_format format)
{
    return format == YOKE_BF16 || format == YOKE_Q8_0 || format == YOKE_Q4_0;
}

yoke_status metal_prepare(metal_engine *e, const yoke_matrix *w, metal_prepared **out,
                          yoke_prepare_report *report, yoke_error *err)
{
    yoke_error why = {0};
    const metal_kernels_built *kernels = metal_library_get(e, w->format, &why);
    const bool without = !kernels && needs_kernels(w->format);
    if (without && w->format == YOKE_BF16) /* the library tries f32 then, which loses nothing */
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s", why.text);
    metal_prepared *p = calloc(1, sizeof *p);
    if (!p)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine %s: preparing w: out of memory",
                              METAL_NAME);
    *p = (metal_prepared){.format = without ? YOKE_F16 : w->format,
                          .rows = w->rows,
                          .k = w->cols,
                          .padded_k = size_round_up(w->cols, PLANES_PAD),
                          .kernels = without ? metal_library_get(e, YOKE_F16, NULL) : kernels};
    yoke_status status = without ? fill_as_f16(e, w, p, report, err) : fill(e, w, p, report, err);
    if (status != YOKE_OK) {
        metal_release(e, p);
        return status;
    }
    size_t stored = 0;
    yoke_format_bytes(w->format, w->rows, w->cols, &stored, NULL);
    report->format = p->format;
    report->copied_bytes = stored;
    snprintf(report->layout, sizeof report->layout, "%s",
             without     ? "f16, rounded: its own kernel did not build"
             : p->scales ? "shared buffers, values and scales apart"
                         : "a shared buffer, rows of whole 32s");
    *out = p;
    return YOKE_OK;
}

void metal_release(void *engine, void *prepared)
{
    const apple *a = &((metal_engine *)engine)->api.objc;
    metal_prepared *p = prepared;
    apple_release(a, p->values);
    apple_release(a, p->scales);
    free(p);
}
