#include "engines/cpu/layout.h"

#include <string.h>

#include "base/size.h"

#define QUANT_BLOCK ((size_t)32) /* elements of a q8_0 or q4_0 block, as ggml defines them */

bool layout_native(yoke_format format)
{
    switch (format) {
    case YOKE_F32:
    case YOKE_F16:
    case YOKE_BF16:
    case YOKE_Q8_0:
    case YOKE_Q4_0: return true;
    default: return false;
    }
}

static bool quantised(yoke_format format)
{
    return format == YOKE_Q8_0 || format == YOKE_Q4_0;
}

static size_t line_k_of(yoke_format format)
{
    switch (format) {
    case YOKE_F32: return 1;
    case YOKE_Q8_0: return 4;
    case YOKE_Q4_0: return 8;
    default: return 2;
    }
}

yoke_status layout_of(yoke_format format, size_t n, size_t k, layout *out, yoke_error *err)
{
    if (!layout_native(format))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: no packed form for %s",
                              yoke_format_get(format)->name);
    if (quantised(format) && k % QUANT_BLOCK != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "cpu: %zu columns are no whole %s blocks", k,
                              yoke_format_get(format)->name);
    *out = (layout){.format = format, .n = n, .k = k, .line_k = line_k_of(format)};
    out->unit_k = quantised(format) ? 2 * QUANT_BLOCK : out->line_k;
    out->unit_bytes = LINE_BYTES * (out->unit_k / out->line_k + (quantised(format) ? 1 : 0));
    out->units = size_ceil_div(k, out->unit_k);
    out->panels = size_ceil_div(n, PANEL_N);

    size_t stride;
    bool fits = size_mul(out->units, out->unit_bytes, &stride);
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

void layout_pack_panel(const layout *l, const yoke_matrix *w, size_t panel, void *to)
{
    const yoke_format_info *info = yoke_format_get(w->format);
    size_t row_bytes = yoke_matrix_stride(w) / info->block * info->block_bytes;
    const char *rows[PANEL_N] = {0}; /* NULL past the last row: zeros */
    for (size_t n = 0; n < PANEL_N && panel * PANEL_N + n < w->rows; n++)
        rows[n] = (const char *)w->data + (panel * PANEL_N + n) * row_bytes;

    memset(to, 0, l->panel_stride);
    switch (l->format) {
    case YOKE_F32: pack_f32(l, rows, to); break;
    case YOKE_F16: pack_f16(l, rows, to); break;
    case YOKE_BF16: pack_bf16(l, rows, to); break;
    case YOKE_Q8_0: pack_q8_0(l, rows, to); break;
    case YOKE_Q4_0: pack_q4_0(l, rows, to); break;
    default: break; /* layout_of refused it */
    }
}
