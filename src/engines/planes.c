#include "engines/planes.h"

#include <string.h>

#define SCALE_BYTES                                                                                \
    ((size_t)2) /* blocks of q8_0 and q4_0 are a half, the scale, and the values                   \
                 */

bool planes_of(yoke_format format, planes *out)
{
    switch (format) {
    case YOKE_F32: *out = (planes){128, 0}; return true;
    case YOKE_F16:
    case YOKE_BF16: *out = (planes){64, 0}; return true;
    case YOKE_Q8_0: *out = (planes){32, SCALE_BYTES}; return true;
    case YOKE_Q4_0: *out = (planes){16, SCALE_BYTES}; return true;
    default: return false;
    }
}

static const char *stored_row(const yoke_matrix *w, size_t row)
{
    const yoke_format_info *format = yoke_format_get(w->format);
    return (const char *)w->data +
           row * (yoke_matrix_stride(w) / format->block * format->block_bytes);
}

static void pack_elements(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes,
                          char *to)
{
    size_t stored = w->cols * yoke_format_get(w->format)->block_bytes;
    for (size_t row = 0; row < count; row++, to += row_bytes) {
        memcpy(to, stored_row(w, begin + row), stored);
        memset(to + stored, 0, row_bytes - stored);
    }
}

void planes_pack_values(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes,
                        char *to)
{
    const yoke_format_info *format = yoke_format_get(w->format);
    if (format->block == 1) {
        pack_elements(w, begin, count, row_bytes, to);
        return;
    }
    size_t values = format->block_bytes - SCALE_BYTES;
    for (size_t row = 0; row < count; row++, to += row_bytes) {
        const char *from = stored_row(w, begin + row);
        for (size_t block = 0; block < row_bytes / values; block++)
            memcpy(to + block * values, from + block * format->block_bytes + SCALE_BYTES, values);
    }
}

void planes_pack_scales(const yoke_matrix *w, size_t begin, size_t count, size_t row_bytes,
                        char *to)
{
    size_t block_bytes = yoke_format_get(w->format)->block_bytes;
    for (size_t row = 0; row < count; row++, to += row_bytes) {
        const char *from = stored_row(w, begin + row);
        for (size_t block = 0; block < row_bytes / SCALE_BYTES; block++)
            memcpy(to + block * SCALE_BYTES, from + block * block_bytes, SCALE_BYTES);
    }
}
