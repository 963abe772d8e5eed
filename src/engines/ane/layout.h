/* How a weight is cut into programs.
 *
 * A group is one program's part of w: one range of columns, and up to 15 parts of its rows, each a
 * convolution of its own over the one input. Groups of the same rows and successive columns stand
 * together; their results are added.
 *
 *                 columns 0 ..      columns 16384 ..
 *     rows 0 ..   group 0           group 1
 *     rows n ..   group 2           group 3                                                    */
#ifndef ANE_LAYOUT_H
#define ANE_LAYOUT_H

#include "engines/ane/encoding.h"

enum { ANE_GRANULE = 32 }; /* rows and columns of a part are padded to whole 32s */

typedef struct ane_part {
    size_t begin, count, padded;            /* rows of w */
    size_t weight_at, palette_at, zeros_at; /* blobs in the weight file; 0: there is none */
} ane_part;

typedef struct ane_group {
    size_t k_begin, k_count, k_padded;
    size_t begin, count; /* rows of all parts */
    size_t part_count;
    ane_part parts[ANE_PARTS_MOST];
    size_t file_bytes; /* of a weight file with its blobs alone; 0: there are none */
} ane_group;

typedef struct ane_layout {
    ane_group *groups;
    size_t group_count;
    size_t ranges;    /* of columns: so many groups share rows */
    size_t most_rows; /* of a group's parts together, padded */
} ane_layout;

/* Errors: YOKE_ERR_SHAPE (too large), YOKE_ERR_MEMORY. */
yoke_status ane_layout_make(const ane_options *options, const ane_encoding *e, ane_layout *out,
                            yoke_error *err);
void ane_layout_free(ane_layout *l);

/* Has the group's blobs begin at *bytes of a weight file instead of right behind its header, and
 * *bytes be behind them. False when that is too much. */
bool ane_layout_move(ane_group *g, size_t *bytes);

/* Writes the blobs of a group into a weight file (see files/coreml/blob.h). *blobs grows by how
 * many they are, *sum to the largest of the rows' magnitudes. Errors: those of ane_encoding_write.
 */
yoke_status ane_layout_fill(const ane_group *g, const ane_encoding *e, void *file, uint32_t *blobs,
                            double *sum, yoke_error *err);

#endif
