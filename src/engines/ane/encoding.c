#include "engines/ane/encoding.h"

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "matrix/table.h"

#define INT8_STEP         0x1p-8f /* of the program's values, so that sums stay small */
#define INT4_STEP         0x1p-4f
#define F16_INFINITY      0x7c00 /* and NaN has all its bits */
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

static float step_of(const ane_encoding *e)
{
    return e->w->format == YOKE_INT8 ? INT8_STEP : INT4_STEP;
}

int8_t ane_encoding_zero(const ane_encoding *e, size_t row)
{
    /* One palette has one zero. */
    const float zero = affine_of(e->w, e->w->format == YOKE_INT8 ? row : 0).zero;
    return (int8_t)fmaxf(-128, fminf(127, rintf(zero)));
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
    return common_divisor(common_divisor(w->table_rows, w->table_skip), PALETTE_MOST_ROWS);
}

static yoke_status choose_affine(ane_encoding *e, yoke_error *err)
{
    e->zero_shared = true;
    e->scaled = true;
    for (size_t row = 0; row < e->w->rows; row++) {
        const affine a = affine_of(e->w, row);
        e->zero_shared = e->zero_shared && ane_encoding_zero(e, row) == ane_encoding_zero(e, 0);
        if (!isfinite(a.zero) || !isfinite(a.scale))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                  "engine ane: row %zu of w has the zero %g and the scale %g", row,
                                  (double)a.zero, (double)a.scale);
    }
    return YOKE_OK;
}

static unsigned bits_of(yoke_format format)
{
    switch (format) {
    case YOKE_LUT1: return 1;
    case YOKE_LUT2: return 2;
    case YOKE_LUT3: return 3;
    case YOKE_LUT6: return 6;
    case YOKE_LUT4:
    case YOKE_INT4: return 4;
    case YOKE_LUT8:
    case YOKE_INT8: return 8;
    default: return 16;
    }
}

yoke_status ane_encoding_choose(const ane_options *options, const yoke_matrix *w, ane_encoding *out,
                                yoke_error *err)
{
    *out = (ane_encoding){.w = w, .kind = ANE_F16, .bits = 16, .round = options->round};
    if (!yoke_format_get(w->format)->readable)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine ane: w is %s, not taken",
                              yoke_format_get(w->format)->name);
    const bool integers = w->format == YOKE_INT8 || w->format == YOKE_INT4;
    out->bits = bits_of(w->format);
    if (out->bits < 16)
        out->kind = w->format == YOKE_INT8 ? ANE_INT8 : ANE_LUT;
    if (out->kind == ANE_LUT && !integers)
        out->palette_rows = palette_rows_of(w);
    yoke_status status = integers ? choose_affine(out, err) : YOKE_OK;
    if (options->surface)
        ane_encoding_expand(out);
    return status;
}

void ane_encoding_expand(ane_encoding *e)
{
    e->kind = ANE_F16;
    e->bits = 16;
    e->palette_rows = 0;
}

bool ane_encoding_has_one_palette(const ane_encoding *e)
{
    return e->kind == ANE_LUT && e->palette_rows == 0 && e->bits != 3;
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
        for (size_t i = 0; i < entries; i++)
            if ((to[i] & F16_INFINITY) == F16_INFINITY)
                to[i] = 0; /* of no element, as these are finite; but of what pads them */
        return;
    }
    const float zero = ane_encoding_zero(e, row);
    for (size_t i = 0; i < entries; i++) {
        const float q = (float)i - (i < entries / 2 ? 0.0f : (float)entries);
        to[i] = f16_from_f32((q - zero) * INT4_STEP);
    }
}

float ane_encoding_factor(const ane_encoding *e, size_t row)
{
    return e->scaled ? affine_of(e->w, row).scale / step_of(e) : 1.0f;
}

float ane_encoding_offset(const ane_encoding *e, size_t row)
{
    if (!e->scaled)
        return 0.0f;
    const affine a = affine_of(e->w, row);
    return ((float)ane_encoding_zero(e, row) - a.zero) * a.scale;
}

static const uint8_t *stored(const yoke_matrix *w, size_t row, size_t col)
{
    const yoke_format_info *format = yoke_format_get(w->format);
    return (const uint8_t *)w->data +
           (row * yoke_matrix_stride(w) + col) / format->block * format->block_bytes;
}

/* The program's values of some columns, col a multiple of 32. */
static yoke_status read_values(const ane_encoding *e, size_t row, size_t col, size_t count,
                               float *out, yoke_error *err)
{
    if (!e->scaled)
        return yoke_matrix_read(e->w, row, col, count, out, err);
    const uint8_t *from = stored(e->w, row, col);
    const float zero = ane_encoding_zero(e, row), step = step_of(e);
    for (size_t i = 0; i < count; i++) {
        const int q = e->w->format == YOKE_INT8
                          ? (int8_t)from[i]
                          : (int8_t)((unsigned)from[i / 2] >> i % 2 * 4 << 4) / 16;
        out[i] = ((float)q - zero) * step;
    }
    return YOKE_OK;
}

static yoke_status write_halves(const ane_encoding *e, size_t row, size_t col, const float *values,
                                size_t count, void *to, yoke_error *err)
{
    uint16_t halves[READ_COLS];
    for (size_t i = 0; i < count; i++) {
        halves[i] = f16_from_f32(values[i]);
        const float held = f16_to_f32(halves[i]);
        if (!isfinite(held) || (held != values[i] && !e->round))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                  "engine ane: w[%zu][%zu] = %g is no f16 value%s", row, col + i,
                                  (double)values[i],
                                  isfinite(held) ? ": the option round=1 has w rounded" : "");
    }
    memcpy(to, halves, count * sizeof *halves);
    return YOKE_OK;
}

yoke_status ane_encoding_write(const ane_encoding *e, size_t row, size_t k_begin, size_t k_count,
                               void *to, double *sum, yoke_error *err)
{
    float values[READ_COLS];
    yoke_status status = YOKE_OK;
    *sum = 0;
    for (size_t done = 0; done < k_count && status == YOKE_OK; done += READ_COLS) {
        const size_t count = size_min(READ_COLS, k_count - done);
        status = read_values(e, row, k_begin + done, count, values, err);
        for (size_t i = 0; i < count; i++)
            *sum += fabs((double)values[i]);
        if (status == YOKE_OK && e->kind == ANE_F16)
            status =
                write_halves(e, row, k_begin + done, values, count, (char *)to + 2 * done, err);
    }
    if (status == YOKE_OK && !isfinite(*sum))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "engine ane: row %zu of w holds infinity or NaN", row);
    if (status == YOKE_OK && e->kind != ANE_F16) {
        const yoke_format_info *format = yoke_format_get(e->w->format);
        memcpy(to, stored(e->w, row, k_begin), k_count / format->block * format->block_bytes);
    }
    return status;
}
