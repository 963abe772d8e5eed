/* Where the parts of a head that is written lie in its weight file. */
#ifndef FILES_COREML_HEAD_LAYOUT_H
#define FILES_COREML_HEAD_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "files/coreml/mil.h"
#include "yoke/coreml.h"

/* One part's blob. */
typedef struct head_blob {
    mil_element element;
    uint64_t bytes;
    uint64_t offset; /* of part 0's metadata; those of the others are part_bytes apart */
} head_blob;

typedef struct head_layout {
    size_t parts, rows, cols; /* of each part */
    yoke_format format;
    head_blob weight;  /* elements or indices */
    head_blob palette; /* 0 bytes: there is none */
    size_t palette_rows;
    uint64_t part_bytes;
    uint64_t file_bytes;
} head_layout;

/* Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED (the format). */
yoke_status head_layout_make(const yoke_coreml_head *head, head_layout *out, yoke_error *err);

#endif
