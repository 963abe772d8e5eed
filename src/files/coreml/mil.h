/* A Core ML program in memory, whether it came as MIL text or as protobuf.
 *
 * Everything lives in an arena and is never changed after it was read. Identifiers hold no NUL. */
#ifndef FILES_COREML_MIL_H
#define FILES_COREML_MIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/matrix.h"

/* Deeper types, values and blocks are refused; real programs use five dimensions and four levels.
 */
enum { MIL_MAX_RANK = 16, MIL_MAX_DEPTH = 32 };

#define MIL_UNKNOWN UINT64_MAX /* a dimension or a length that is only known at run time: "?" */

typedef enum mil_element {
    MIL_STRING,
    MIL_BOOL,
    MIL_FP16,
    MIL_FP32,
    MIL_FP64,
    MIL_BF16,
    MIL_FP8E4M3FN,
    MIL_FP8E5M2,
    MIL_INT4,
    MIL_INT8,
    MIL_INT16,
    MIL_INT32,
    MIL_INT64,
    MIL_UINT1,
    MIL_UINT2,
    MIL_UINT3,
    MIL_UINT4,
    MIL_UINT6,
    MIL_UINT8,
    MIL_UINT16,
    MIL_UINT32,
    MIL_UINT64,
    MIL_ELEMENT_COUNT
} mil_element;

typedef enum mil_element_class {
    MIL_CLASS_TEXT,
    MIL_CLASS_BOOL,
    MIL_CLASS_FLOAT,
    MIL_CLASS_SIGNED,
    MIL_CLASS_UNSIGNED
} mil_element_class;

typedef struct mil_element_info {
    const char *name; /* in MIL text */
    mil_element_class element_class;
    unsigned bits;  /* as the blob file packs them; 0 for strings */
    unsigned proto; /* DataType of the protobuf */
    unsigned blob;  /* type code of the blob file, 0: not stored there */
    yoke_format format;
} mil_element_info;

const mil_element_info *mil_element_get(mil_element element);

/* By each of its three names; false when there is none. */
bool mil_element_named(const char *name, size_t length, mil_element *element);
bool mil_element_of_proto(uint64_t code, mil_element *element);
bool mil_element_of_blob(uint32_t code, mil_element *element);

/* Bytes of one element of an immediate value: those below a byte take a byte each. */
size_t mil_element_bytes(mil_element element);

typedef struct mil_text {
    const char *text; /* with a NUL behind it, and perhaps more before */
    size_t length;
} mil_text;

typedef enum mil_type_kind { MIL_TENSOR, MIL_LIST, MIL_TUPLE, MIL_DICT, MIL_STATE } mil_type_kind;

typedef struct mil_type mil_type;
struct mil_type {
    mil_type_kind kind;
    mil_element element; /* of a tensor; a scalar is a tensor of rank 0 */
    unsigned rank;
    const uint64_t *shape; /* MIL_UNKNOWN where it is "?" */
    const mil_type *items; /* list: of what; tuple: each; dict: key, value; state: of what */
    size_t item_count;
    uint64_t length; /* of a list */
};

typedef enum mil_value_kind {
    MIL_DATA,    /* elements of a tensor */
    MIL_STRINGS, /* strings of a tensor */
    MIL_BLOB,    /* a tensor's elements in a blob file */
    MIL_ITEMS,   /* of a list or a tuple */
    MIL_PAIRS    /* of a dict: items holds key, value, key, value, ... */
} mil_value_kind;

typedef struct mil_value mil_value;
struct mil_value {
    mil_type type;
    mil_value_kind kind;
    size_t count; /* elements, strings, items or pairs */
    const void *data;
    const mil_text *strings;
    const mil_value *items;
    mil_text path;   /* of the blob file, as written: "@model_path/weights/weight.bin" */
    uint64_t offset; /* of the blob's metadata in it */
    size_t at;       /* where the value is written, */
    size_t length;   /*   and in how many bytes */
};

typedef struct mil_attribute {
    const char *name;
    mil_value value;
} mil_attribute;

typedef struct mil_attributes {
    const mil_attribute *list;
    size_t count;
} mil_attributes;

typedef struct mil_variable {
    const char *name;
    mil_type type;
} mil_variable;

/* What an argument is bound to: a variable, or (variable NULL) a value. */
typedef struct mil_binding {
    const char *variable;
    const mil_value *value;
} mil_binding;

typedef struct mil_argument {
    const char *name;
    const mil_binding *bindings;
    size_t count;
    bool tuple; /* written (a, b); else there is one binding */
} mil_argument;

typedef struct mil_block mil_block;

typedef struct mil_operation {
    const char *kind; /* "conv" */
    const mil_variable *outputs;
    size_t output_count;
    const mil_argument *arguments;
    size_t argument_count;
    mil_attributes attributes;
    const mil_block *blocks; /* of while_loop and cond */
    size_t block_count;
    size_t at; /* where the operation is written */
} mil_operation;

struct mil_block {
    const mil_variable *inputs;
    size_t input_count;
    const mil_operation *operations;
    size_t operation_count;
    const char *const *outputs;
    size_t output_count;
};

typedef struct mil_function {
    const char *name;
    const char *opset; /* "ios16" in text, "CoreML6" in protobuf */
    mil_attributes attributes;
    mil_block body;
} mil_function;

typedef struct mil_program {
    const char *version; /* "1.0", "1.3" */
    mil_attributes attributes;
    const mil_function *functions;
    size_t function_count;
} mil_program;

/* NULL when there is none of that name. */
const mil_value *mil_find_attribute(const mil_attributes *attributes, const char *name);
const mil_argument *mil_find_argument(const mil_operation *operation, const char *name);

/* Elements of a tensor type; false for any other type, unknown dimensions and overflow. */
bool mil_type_elements(const mil_type *type, size_t *elements);

/* The same program, wherever it was read from? Positions do not count. */
bool mil_equal(const mil_program *a, const mil_program *b);
bool mil_type_equal(const mil_type *a, const mil_type *b);

/* Equal, or of some size where the container's items are of unknown size, "?". */
bool mil_type_fits(const mil_type *type, const mil_type *container);

#endif
