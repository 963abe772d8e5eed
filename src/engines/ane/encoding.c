#include "engines/ane/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "matrix/table.h"

#define INT8_STEP         0x1p-8f /* of the program's values, so that sums stay small */
#define INT4_STEP         0x1p-4f
#define MOST_SCALED       9.0 /* larger than any integer less its zero, times its step */
#define READ_COLS         ((size_t)256)
#define PALETTE_MOST_ROWS ((size_t)64)

/* An entry of an intN's table. */
typedef struct affine {
    float scale, zero;
} affine;

static affine affine_of(const yoke_matrix *w, size_t row)
{
    affine a;
    memcpy(&a, table_entry(w, row), sizeof a);
    return a;
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        size_t next = a % b;
        a = b;
        b = next;
    }
    return a;
}

/* Palettes for groups of rows are laid on a grid: groups that begin within one are cut. */
static size_t palette_rows_of(const yoke_matrix *w)
{
    if (w->table_rows == 0 || w->table_rows - w->table_skip >= w->rows)
        return 0;
    size_t rows = common_divisor(w->table_rows, w->table_skip);
    return common_divisor(rows, PALETTE_MOST_ROWS);
}

static yoke_status choose_affine(const yoke_matrix *w, ane_encoding *out, yoke_error *err)
{
    out->zero_shared = true;
    out->scaled = true;
    const float first = affine_of(w, 0).zero;
    for (size_t row = 0; row < w->rows; row++) {
        const affine a = affine_of(w, row);
        const bool held = a.zero >= -128 && a.zero <= 127 && rintf(a.zero) == a.zero;
        out->zero_shared = out->zero_shared && a.zero == first;
        if (!held || !isfinite(a.scale))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                  "engine ane: row %zu of w has the zero %g and the scale %g: "
                                  "only whole zeros from -128 to 127 are taken",
                                  row, (double)a.zero, (double)a.scale);
    }
    if (out->kind == ANE_LUT && !out->zero_shared)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine ane: the rows of w, int4, have different zeros: one palette "
                              "cannot serve them");
    return YOKE_OK;
}

yoke_status ane_encoding_choose(const ane_options *options, const yoke_matrix *w, ane_encoding *out,
                                yoke_error *err)
{
    *out = (ane_encoding){.w = w, .kind = ANE_F16, .bits = 16, .round = options->round};
    if (!yoke_format_get(w->format)->readable)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine ane: w is %s, not taken",
                              yoke_format_get(w->format)->name);
    if (options->surface)
        return YOKE_OK;
    switch (w->format) {
    case YOKE_LUT1: out->bits = 1; break;
    case YOKE_LUT2: out->bits = 2; break;
    case YOKE_LUT3: out->bits = 3; break;
    case YOKE_LUT6: out->bits = 6; break;
    case YOKE_LUT4:
    case YOKE_INT4: out->bits = 4; break;
    case YOKE_LUT8:
    case YOKE_INT8: out->bits = 8; break;
    default: return YOKE_OK;
    }
    out->kind = w->format == YOKE_INT8 ? ANE_INT8 : ANE_LUT;
    if (w->format == YOKE_INT8 || w->format == YOKE_INT4)
        return choose_affine(w, out, err);
    out->palette_rows = palette_rows_of(w);
    return YOKE_OK;
}

size_t ane_encoding_row_bytes(const ane_encoding *e, size_t k)
{
    return k / 8 * e->bits;
}

void ane_encoding_palette(const ane_encoding *e, size_t row, uint16_t *to)
{
    const size_t entries = (size_t)1 << e->bits;
    if (!e->scaled) {
        memcpy(to, table_entry(e->w, row), entries * sizeof *to);
        return;
    }
    const float zero = affine_of(e->w, row).zero;
    for (size_t i = 0; i < entries; i++) {
        const float q = (float)i - (i < entries / 2 ? 0.0f : (float)entries);
        to[i] = f16_from_f32((q - zero) * INT4_STEP);
    }
}

int8_t ane_encoding_zero(const ane_encoding *e, size_t row)
{
    return (int8_t)affine_of(e->w, row).zero;
}

float ane_encoding_factor(const ane_encoding *e, size_t row)
{
    if (!e->scaled)
        return 1.0f;
    return affine_of(e->w, row).scale / (e->kind == ANE_INT8 ? INT8_STEP : INT4_STEP);
}

/* Reads as f32, rounds, and says where that loses something. */
static yoke_status write_f16(const ane_encoding *e, size_t row, size_t k_begin, size_t k_count,
                             uint16_t *to, double *sum, yoke_error *err)
{
    float values[READ_COLS];
    for (size_t done = 0; done < k_count;) {
        const size_t count = k_count - done < READ_COLS ? k_count - done : READ_COLS;
        yoke_status status = yoke_matrix_read(e->w, row, k_begin + done, count, values, err);
        if (status != YOKE_OK)
            return status;
        for (size_t i = 0; i < count; i++) {
            const uint16_t half = f16_from_f32(values[i]);
            const float held = f16_to_f32(half);
            if (!isfinite(held) || (held != values[i] && !e->round))
                return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                      "engine ane: w[%zu][%zu] = %g is no f16 value%s", row,
                                      k_begin + done + i, (double)values[i],
                                      isfinite(held) ? ": the option round=1 has w rounded" : "");
            to[done + i] = half;
            *sum += fabs((double)held);
        }
        done += count;
    }
    return YOKE_OK;
}

static const uint8_t *stored(const yoke_matrix *w, size_t row, size_t k_begin)
{
    const yoke_format_info *format = yoke_format_get(w->format);
    return (const uint8_t *)w->data +
           (row * yoke_matrix_stride(w) + k_begin) / format->block * format->block_bytes;
}

static double sum_of_values(const ane_encoding *e, size_t row, size_t k_begin, size_t k_count)
{
    /* The magnitudes of the row as it reads; the factor is not in the program. */
    float values[READ_COLS];
    double sum = 0;
    for (size_t done = 0; done < k_count;) {
        const size_t count = k_count - done < READ_COLS ? k_count - done : READ_COLS;
        if (yoke_matrix_read(e->w, row, k_begin + done, count, values, NULL) != YOKE_OK)
            return INFINITY;
        for (size_t i = 0; i < count; i++)
            sum += fabs((double)values[i]);
        done += count;
    }
    const double factor = fabs((double)ane_encoding_factor(e, row));
    return factor > 0 ? sum / factor : (double)k_count * MOST_SCALED;
}

yoke_status ane_encoding_write(const ane_encoding *e, size_t row, size_t k_begin, size_t k_count,
                               void *to, double *sum, yoke_error *err)
{
    *sum = 0;
    if (e->kind == ANE_F16)
        return write_f16(e, row, k_begin, k_count, to, sum, err);
    const yoke_format_info *format = yoke_format_get(e->w->format);
    memcpy(to, stored(e->w, row, k_begin), k_count / format->block * format->block_bytes);
    *sum = sum_of_values(e, row, k_begin, k_count);
    return YOKE_OK;
}
