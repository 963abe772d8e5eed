/* Programs as MIL text: a function for each group.
 *
 *     compiled   y_00 = conv1x1(w_00, a_x), y_01 = ...   a_x [1, K, 1, M], y [1, N, 1, M]
 *     surface    y_00 = a_x^T * b_w                      b_w [1, K, 1, N], y [1, M, 1, N]
 *
 * Names are in the order of the tensors: requests go by the alphabet. */
#ifndef ANE_TEXT_H
#define ANE_TEXT_H

#include <stdio.h>

#include "engines/ane/folder.h"
#include "engines/ane/layout.h"

#define ANE_INPUT_X    "a_x"
#define ANE_INPUT_W    "b_w"
#define ANE_OUTPUT     "y_%02zu"
#define ANE_NAME_BYTES 24 /* of an output, weight or function, whatever its number */
#define ANE_BLOB_PATH  "@model_path/" ANE_FOLDER_WEIGHTS

typedef enum ane_spelling { ANE_SPELLING_1_3, ANE_SPELLING_1_0 } ane_spelling;

/* A text that is being written. */
typedef struct ane_text {
    FILE *stream; /* NULL: no memory */
    char *written;
    size_t size;
    size_t functions, done;    /* how many it gets, and has */
    bool has_ios16, has_ios18; /* palettes in the form of */
} ane_text;

/* A text of so many functions is begun, gets them one by one, for m rows of x, and is ended in one
 * of the spellings. The caller frees *text, NULL on an error. Errors: YOKE_ERR_MEMORY. */
void ane_text_begin(size_t functions, ane_text *t);
void ane_text_add(ane_text *t, const ane_group *g, const ane_encoding *e, bool surface, size_t m);
yoke_status ane_text_end(ane_text *t, ane_spelling spelling, char **text, yoke_error *err);

/* The spelling to try first: palettes of ios16 were only seen in the older one. */
ane_spelling ane_text_spelling(const ane_text *t);

/* The name of the function that was added at that position: "main" where it is the only one, else
 * by number, so that the order of the text is that of the alphabet. */
void ane_text_function(size_t position, size_t functions, char name[ANE_NAME_BYTES]);

/* `depth` products in a chain, each with the one weight of channels by channels, over `width` rows.
 */
yoke_status ane_text_make_chain(size_t channels, size_t width, size_t depth, char **text,
                                yoke_error *err);

#endif
