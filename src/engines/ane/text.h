/* The program of a group as MIL text.
 *
 *     compiled   y_00 = conv1x1(w_00, a_x), y_01 = ...   a_x [1, K, 1, M], y [1, N, 1, M]
 *     surface    y_00 = a_x^T * b_w                      b_w [1, K, 1, N], y [1, M, 1, N]
 *
 * Names are in the order of the tensors: requests go by the alphabet. */
#ifndef ANE_TEXT_H
#define ANE_TEXT_H

#include "engines/ane/folder.h"
#include "engines/ane/layout.h"

#define ANE_INPUT_X    "a_x"
#define ANE_INPUT_W    "b_w"
#define ANE_OUTPUT     "y_%02zu"
#define ANE_NAME_BYTES 24 /* of an output or weight, whatever its number */
#define ANE_BLOB_PATH  "@model_path/" ANE_FOLDER_WEIGHTS

typedef enum ane_spelling { ANE_SPELLING_1_3, ANE_SPELLING_1_0 } ane_spelling;

/* The one to try first: palettes of ios16 were only seen in the older one. */
ane_spelling ane_text_spelling(const ane_encoding *e);

/* For m rows of x. The caller frees *text. Errors: YOKE_ERR_MEMORY. */
yoke_status ane_text_make(const ane_group *g, const ane_encoding *e, bool surface, size_t m,
                          ane_spelling spelling, char **text, yoke_error *err);

/* `depth` products in a chain, each with the one weight of channels by channels, over `width` rows.
 */
yoke_status ane_text_make_chain(size_t channels, size_t width, size_t depth, char **text,
                                yoke_error *err);

#endif
