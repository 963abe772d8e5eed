/* How a weight is cut and where its pieces lie in the program's weight file. */
#ifndef COREML_LAYOUT_H
#define COREML_LAYOUT_H

#include "files/coreml/mil.h"

/* Outputs of one convolution: the shortest of the axis limits known of Neural Engines. */
#define COREML_PART_ROWS ((size_t)16384)

/* Consecutive outputs: one convolution, one output of the program. The offsets are those of
 * metadata in the weight file. */
typedef struct coreml_part {
    size_t begin, rows;
    uint64_t values; /* elements, or indices */
    uint64_t table;  /* palettes (lutN) or scales (int8) */
    uint64_t zeros;  /* int8 */
} coreml_part;

typedef struct coreml_layout {
    yoke_format format;
    mil_element stored;  /* of the values as they are in the file */
    mil_element element; /* what the program computes in: fp16 or fp32 */
    size_t rows, k;
    size_t palette_rows; /* rows that share a palette; a divisor of every part's */
    uint64_t file_bytes;
    size_t count;
    coreml_part parts[];
} coreml_layout;

/* f16, f32, lutN whose palettes serve whole parts or divide them, and int8 whose scales are values
 * of f16. The caller frees it. Errors: YOKE_ERR_UNSUPPORTED (another weight), YOKE_ERR_SHAPE (too
 * large), YOKE_ERR_MEMORY. */
yoke_status coreml_layout_make(const yoke_matrix *w, coreml_layout **out, yoke_error *err);

/* Palettes of a part. */
size_t coreml_layout_palettes(const coreml_layout *l, const coreml_part *part);

static inline bool coreml_layout_has_palettes(const coreml_layout *l)
{
    return l->format != YOKE_INT8 && yoke_format_get(l->format)->table_bytes > 0;
}

#endif
