#include "matrix/wide.h"

#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "matrix/view.h"

#define CHUNK 256

bool wide_format(yoke_format format)
{
    return format == YOKE_F64 || format == YOKE_U32 || format == YOKE_I32 || format == YOKE_U64 ||
           format == YOKE_I64;
}

#define WIDE_LOAD(type)                                                                            \
    do {                                                                                           \
        type value;                                                                                \
        memcpy(&value, data + i * sizeof value, sizeof value);                                     \
        out[i] = (double)value;                                                                    \
    } while (0)

static void wide_load(const yoke_matrix *matrix, size_t row, size_t col, size_t count, double *out)
{
    const unsigned char *data = view_block(matrix, row, col);
    for (size_t i = 0; i < count; i++) {
        switch (matrix->format) {
        case YOKE_U32: WIDE_LOAD(uint32_t); break;
        case YOKE_I32: WIDE_LOAD(int32_t); break;
        case YOKE_U64: WIDE_LOAD(uint64_t); break;
        case YOKE_I64: WIDE_LOAD(int64_t); break;
        default: WIDE_LOAD(double); break;
        }
    }
}

void wide_read(const yoke_matrix *matrix, size_t row, size_t col, size_t count, double *out)
{
    if (count == 0)
        return;
    if (wide_format(matrix->format)) {
        wide_load(matrix, row, col, count, out);
        return;
    }
    float chunk[CHUNK];
    while (count > 0) {
        size_t n = size_min(count, CHUNK);
        yoke_matrix_read(matrix, row, col, n, chunk, NULL);
        for (size_t i = 0; i < n; i++)
            out[i] = (double)chunk[i];
        col += n;
        out += n;
        count -= n;
    }
}
