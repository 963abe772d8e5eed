/* Weights as the dense tensors that they stand for, however they are compressed: a small tree over
 * stored arrays, which is read from the first element to the last. */
#ifndef FILES_COREML_DENSE_H
#define FILES_COREML_DENSE_H

#include "files/coreml/array.h"
#include "files/coreml/grid.h"

typedef enum dense_kind {
    DENSE_PLAIN,  /* the elements as stored */
    DENSE_LUT,    /* a palette's entries, which inner counts from 0 */
    DENSE_SCALED, /* (inner - offset) * scale */
    DENSE_SPARSE, /* inner's elements one after the other where the mask is 1, else 0 */
    DENSE_MASKED  /* inner's elements where the mask is 1, else 0 */
} dense_kind;

typedef struct dense dense;
struct dense {
    dense_kind kind;
    mil_element element; /* fp16 when every value is one exactly, or another type of its own when
                          * plain; else fp32 */
    unsigned rank;
    size_t shape[MIL_MAX_RANK];
    size_t count;

    array stored;       /* plain: elements; sparse, masked: the mask */
    const dense *inner; /* all but plain */

    const dense *table; /* lut: the palettes, block after block; scaled: the scales */
    const dense *shift; /* scaled: the offsets, or NULL */
    grid grid;          /* lut, scaled: which block's; over inner's elements */
    size_t entries;     /* lut: of each palette */
    size_t vector;      /* lut: elements of an entry, laid along `axis` */
    unsigned axis;
    unsigned depth; /* of the tree */
    bool per_axis;  /* scaled: constexpr_affine_dequantize, not by blocks */
};

/* Reads one tensor, from front to back (opaque). */
typedef struct dense_reader dense_reader;

/* NULL when memory is out. */
dense_reader *dense_reader_create(const dense *from);
void dense_reader_free(dense_reader *reader);

/* The next `count` elements as f32. */
void dense_read(dense_reader *reader, size_t count, float *out);

/* What can only be seen in the data: does each mask have as many ones as there are elements for
 * it? NULL, or what is wrong. */
const char *dense_check(const dense *from);

#endif
