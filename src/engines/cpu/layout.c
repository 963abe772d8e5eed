#include "engines/cpu/layout.h"

#include <stdint.h>
#include <string.h>

#include "base/size.h"

#define QUANT_BLOCK ((size_t)32) /* elements of a q8_0 or q4_0 block, as ggml defines them */
#define PALETTE_N   ((size_t)8)  /* outputs that share a palette in a panel */

/* How a format is laid out; line_k 0: not native. */
typedef struct shape {
    size_t line_k;
    size_t unit_k;
    size_t unit_lines; /* of data and scales */
    size_t head_bytes;
} shape;

static shape shape_of(yoke_format format)
{
    switch (format) {
    case YOKE_F32: return (shape){1, 1, 1, 0};
    case YOKE_F16:
    case YOKE_BF16: return (shape){2, 2, 1, 0};
    case YOKE_Q8_0: return (shape){4, 2 * QUANT_BLOCK, 17, 0};
    case YOKE_Q4_0: return (shape){8, 2 * QUANT_BLOCK, 9, 0};
    case YOKE_LUT4: return (shape){8, 8, 1, 2 * 16 * 2};
    case YOKE_LUT6: return (shape){16, 16, 3, 2 * 64 * 2};
    case YOKE_INT4: return (shape){8, 8, 1, 2 * PANEL_N * 4};
    case YOKE_INT8: return (shape){4, 4, 1, 2 * PANEL_N * 4};
    default: return (shape){0, 0, 0, 0};
    }
}

bool layout_native(yoke_format format)
{
    return shape_of(format).line_k > 0;
}

bool layout_fits(const yoke_matrix *w)
{
    if (!layout_native(w->format))
        return false;
    if (yoke_format_get(w->format)->table_bytes == 0)
        return true;
    bool palettes_fit = w->format == YOKE_INT4 || w->format == YOKE_INT8 ||
                        (w->table_rows % PALETTE_N == 0 && w->table_skip % PALETTE_N == 0);
    return palettes_fit && w->cols % shape_of(w->format).unit_k == 0;
}

yoke_status layout_of(yoke_format format, size_t n, size_t k, layout *out, yoke_error *err)
{
    const yoke_format_info *info = yoke_format_get(format);
    shape s = shape_of(format);
    if (s.line_k == 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: no packed form for %s", info->name);
    if (k % info->block != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "cpu: %zu columns are no whole %s blocks", k,
                              info->name);
    *out = (layout){.format = format,
                    .n = n,
                    .k = k,
                    .line_k = s.line_k,
                    .unit_k = s.unit_k,
                    .unit_bytes = s.unit_lines * LINE_BYTES,
                    .head_bytes = s.head_bytes,
                    .units = size_ceil_div(k, s.unit_k),
                    .panels = size_ceil_div(n, PANEL_N)};

    size_t stride;
    bool fits = size_mul(out->units, out->unit_bytes, &stride) &&
                size_add(stride, out->head_bytes, &stride);
    if (fits && stride > 0 && stride % 4096 == 0)
        fits = size_add(stride, LINE_BYTES, &stride);
    if (!fits || !size_mul(stride, out->panels, &out->bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "cpu: a weight of %zu by %zu is too large", n,
                              k);
    out->panel_stride = stride;
    return YOKE_OK;
}

/* Elements of `bytes` each: line `l` takes k = l * line_k + j. K-major lines hold one k after the
 * other, n-major ones (VNNI) one output after the other. The 16 rows are read a cache line at a
 * time into a small block: their distance is often a power of two, and element by element they
 * would push each other out of the cache. */
static inline void pack_plain(const layout *l, const char *const rows[PANEL_N], size_t bytes,
                              bool n_major, char *to)
{
    char block[PANEL_N][LINE_BYTES] = {{0}};
    const size_t run = LINE_BYTES / bytes;
    for (size_t k = 0; k < l->k; k += run) {
        size_t count = size_min(run, l->k - k);
        for (size_t n = 0; n < PANEL_N; n++)
            if (rows[n])
                memcpy(block[n], rows[n] + k * bytes, count * bytes);
        for (size_t i = 0; i < count; i++) {
            char *line = to + (k + i) / l->line_k * LINE_BYTES;
            size_t j = (k + i) % l->line_k;
            for (size_t n = 0; n < PANEL_N; n++) {
                size_t at = n_major ? n * l->line_k + j : j * PANEL_N + n;
                memcpy(line + at * bytes, block[n] + i * bytes, bytes);
            }
        }
    }
}

/* With the element size known to the compiler each memcpy is one move. */
static void pack_f32(const layout *l, const char *const rows[PANEL_N], char *to)
{
    pack_plain(l, rows, 4, false, to);
}

static void pack_f16(const layout *l, const char *const rows[PANEL_N], char *to)
{
    pack_plain(l, rows, 2, false, to);
}

static void pack_bf16(const layout *l, const char *const rows[PANEL_N], char *to)
{
    pack_plain(l, rows, 2, true, to);
}

/* Where a quantised block's scales and lines are. */
static char *block_scales(const layout *l, char *panel, size_t block)
{
    return panel + block / 2 * l->unit_bytes + block % 2 * PANEL_N * 2;
}

static char *block_lines(const layout *l, char *panel, size_t block)
{
    return panel + block / 2 * l->unit_bytes + LINE_BYTES +
           block % 2 * (QUANT_BLOCK / l->line_k) * LINE_BYTES;
}

static void pack_q8_0(const layout *l, const char *const rows[PANEL_N], char *to)
{
    for (size_t b = 0; b < l->k / QUANT_BLOCK; b++) {
        char *scales = block_scales(l, to, b), *lines = block_lines(l, to, b);
        for (size_t n = 0; n < PANEL_N; n++) {
            if (!rows[n])
                continue;
            const char *block = rows[n] + b * (2 + QUANT_BLOCK); /* f16 scale, 32 int8 */
            memcpy(scales + n * 2, block, 2);
            for (size_t i = 0; i < QUANT_BLOCK / 4; i++)
                memcpy(lines + i * LINE_BYTES + n * 4, block + 2 + i * 4, 4);
        }
    }
}

static void pack_q4_0(const layout *l, const char *const rows[PANEL_N], char *to)
{
    for (size_t b = 0; b < l->k / QUANT_BLOCK; b++) {
        char *scales = block_scales(l, to, b), *lines = block_lines(l, to, b);
        for (size_t n = 0; n < PANEL_N; n++) {
            if (!rows[n])
                continue;
            /* f16 scale, 16 bytes: byte i has element i low and element 16 + i high. */
            const char *block = rows[n] + b * (2 + QUANT_BLOCK / 2);
            memcpy(scales + n * 2, block, 2);
            const unsigned char *q = (const unsigned char *)block + 2;
            for (size_t i = 0; i < QUANT_BLOCK; i++) {
                unsigned value = i < 16 ? q[i] & 15u : q[i - 16] >> 4;
                unsigned char *byte = (unsigned char *)lines + i / 8 * LINE_BYTES + n * 4 + i % 4;
                if (i % 8 < 4)
                    *byte = (unsigned char)value;
                else
                    *byte |= (unsigned char)(value << 4);
            }
        }
    }
}

/* 4 bytes of each row a line: int8, and the nibbles of int4 and lut4. */
static void pack_bytes(const layout *l, const char *const rows[PANEL_N], char *to)
{
    for (size_t u = 0; u < l->units; u++)
        for (size_t n = 0; n < PANEL_N; n++)
            if (rows[n])
                memcpy(to + u * LINE_BYTES + n * 4, rows[n] + u * 4, 4);
}

static unsigned index_6(const unsigned char *row, size_t k)
{
    size_t bit = k * 6;
    unsigned pair = row[bit / 8];
    if (bit % 8 > 2)
        pair |= (unsigned)row[bit / 8 + 1] << 8;
    return pair >> bit % 8 & 63u;
}

static void pack_lut6(const layout *l, const char *const rows[PANEL_N], char *to)
{
    for (size_t u = 0; u < l->units; u++, to += 3 * LINE_BYTES)
        for (size_t n = 0; n < PANEL_N; n++)
            for (size_t k = 0; rows[n] && k < 4; k++) {
                unsigned char *at = (unsigned char *)to + n / 4 * 16 + k * 4 + n % 4;
                unsigned v[4];
                for (size_t i = 0; i < 4; i++)
                    v[i] = index_6((const unsigned char *)rows[n], u * 16 + 4 * i + k);
                for (size_t i = 0; i < 3; i++)
                    at[i * LINE_BYTES] = (unsigned char)(v[i] | (v[3] >> 2 * i & 3u) << 6);
            }
}

/* The table entry that serves a row of w. */
static const char *table_of(const yoke_matrix *w, size_t row)
{
    yoke_matrix one = yoke_matrix_rows(w, row, 1);
    return one.table;
}

static void pack_head(const layout *l, const yoke_matrix *w, size_t row, char *to)
{
    size_t bytes = yoke_format_get(l->format)->table_bytes;
    if (l->format == YOKE_LUT4 || l->format == YOKE_LUT6) {
        for (size_t n = 0; n < PANEL_N && row + n < w->rows; n += PALETTE_N)
            memcpy(to + n / PALETTE_N * bytes, table_of(w, row + n), bytes);
        return;
    }
    for (size_t n = 0; n < PANEL_N && row + n < w->rows; n++) { /* scale, zero */
        const char *entry = table_of(w, row + n);
        memcpy(to + n * 4, entry, 4);
        memcpy(to + (PANEL_N + n) * 4, entry + 4, 4);
    }
}

void layout_pack_panel(const layout *l, const yoke_matrix *w, size_t panel, void *to)
{
    const yoke_format_info *info = yoke_format_get(w->format);
    size_t row_bytes = yoke_matrix_stride(w) / info->block * info->block_bytes;
    const char *rows[PANEL_N] = {0}; /* NULL past the last row: zeros */
    for (size_t n = 0; n < PANEL_N && panel * PANEL_N + n < w->rows; n++)
        rows[n] = (const char *)w->data + (panel * PANEL_N + n) * row_bytes;

    char *lines = (char *)to + l->head_bytes;
    memset(to, 0, l->panel_stride);
    if (l->head_bytes > 0)
        pack_head(l, w, panel * PANEL_N, to);
    switch (l->format) {
    case YOKE_F32: pack_f32(l, rows, lines); break;
    case YOKE_F16: pack_f16(l, rows, lines); break;
    case YOKE_BF16: pack_bf16(l, rows, lines); break;
    case YOKE_Q8_0: pack_q8_0(l, rows, lines); break;
    case YOKE_Q4_0: pack_q4_0(l, rows, lines); break;
    case YOKE_LUT6: pack_lut6(l, rows, lines); break;
    default: pack_bytes(l, rows, lines); break;
    }
}
