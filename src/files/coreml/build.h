/* What the parts of decompress.h share: a tree of dense tensors being made, and the first error. */
#ifndef FILES_COREML_BUILD_H
#define FILES_COREML_BUILD_H

#include "files/coreml/decompress.h"

/* Longer chains of operations are refused: scaled, sparse palettes of scaled entries are five. */
enum { BUILD_MAX_CHAIN = 8 };

extern const char BUILD_TOO_LONG[];

typedef struct builder {
    yoke_file *file;
    const bundle *from;
    const scope *definitions;
    const mil_operation *operation; /* for messages */
    stored_tensor *out;
    unsigned depth;
    yoke_status status;
    yoke_error *err;
} builder;

/* All functions that give a tensor give NULL after an error, or when yoke does not decode it. */

/* Records the first error: what is wrong with operand `name`. */
const dense *build_fail(builder *b, const char *name, const char *why);
const dense *build_no_memory(builder *b);
/* Records why yoke does not decode it, which is no error. */
const dense *build_not_decoded(builder *b, const char *reason);

/* A copy in the file's arena, with its elements counted. */
const dense *build_keep(builder *b, dense *made, const char *name);

/* Adds to where the tensor is stored, and in how many bytes. */
void build_note_place(builder *b, size_t part, uint64_t offset, uint64_t bytes);

/* What an operand of an operation stands for. */
const dense *build_operand(builder *b, const mil_operation *operation, const char *name);

/* A value as it is stored. */
const dense *build_plain(builder *b, const mil_value *value, const char *name);

/* Elements as stored, of that class? */
bool build_is_plain(const dense *tensor, mil_element_class element_class);

/* fp16 when all values of a tensor are, else fp32. */
mil_element build_exact_element(const dense *values);

/* An ios16 operation says the shape of its result in an argument of its own, and takes packed
 * elements as bytes. */
bool build_has_shape(const mil_operation *operation);
bool build_read_shape(builder *b, const mil_operation *operation, dense *made);
/* The packed elements that bytes hold, in the shape of `like`. */
const dense *build_repack(builder *b, const dense *bytes, const dense *like, mil_element element,
                          const char *name);

/* The results of the operations; `indices` and `data` are theirs. */
const dense *build_palette_of_bytes(builder *b, const mil_operation *operation);
const dense *build_palette(builder *b, const mil_operation *operation, const dense *indices);
const dense *build_affine(builder *b, const mil_operation *operation);
const dense *build_blockwise(builder *b, const mil_operation *operation, const dense *data);
const dense *build_sparse_of_bytes(builder *b, const mil_operation *operation);
const dense *build_sparse_to_dense(builder *b, const mil_operation *operation);

#endif
