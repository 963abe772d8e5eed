/* What a Core ML bundle holds beside its weights: functions, inputs, outputs, operations.
 *
 * Its weights are the tensors of yoke/file.h: every constant in a weight file and every compressed
 * one, under its name in the program. The weight of a linear, a matmul or a convolution with a
 * kernel of one element has the shape [outputs, inputs], whichever way round it is stored. Palettes
 * are lut1 to lut8, and integers with a scale (and a zero) for whole rows int4 and int8, at their
 * stored size; a product takes (q - zero) * scale unrounded, where Core ML may round it to fp16
 * first. What is compressed otherwise (sparse, by blocks of columns, rows that end within a byte)
 * reads as f16 where that is exact, else as f32. A head that was cut into products over one input
 * is one more tensor, with the rows of all parts ("8 x lut6"). */
#ifndef YOKE_COREML_H
#define YOKE_COREML_H

#include "yoke/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An input or an output of a function. */
typedef struct yoke_coreml_variable {
    const char *name;
    const char *type; /* "tensor<fp16, [1, 4096, 1, 1]>"; "" where the program does not say */
} yoke_coreml_variable;

typedef struct yoke_coreml_operation {
    const char *name; /* "conv" */
    size_t count;     /* how many of them, those in loops and branches included */
} yoke_coreml_operation;

typedef struct yoke_coreml_function {
    const char *name;  /* "main" */
    const char *opset; /* as the bundle spells it: "ios18" in MIL text, "CoreML8" in a package */
    const yoke_coreml_variable *inputs;
    size_t input_count;
    const yoke_coreml_variable *outputs;
    size_t output_count;
    const yoke_coreml_operation *operations; /* by name */
    size_t operation_count;
} yoke_coreml_function;

/* How many functions a file's program has; 0 when it is no Core ML bundle. */
YOKE_API size_t yoke_coreml_function_count(const yoke_file *file);

/* One of them, in the program's order. Owned by the file; NULL past the end. */
YOKE_API const yoke_coreml_function *yoke_coreml_function_get(const yoke_file *file, size_t index);

/* A head of random weights as Core ML gets it: cut into convolutions over one input, each an output
 * of the function. */
typedef struct yoke_coreml_head {
    size_t outputs, inputs;
    size_t parts;       /* convolutions; 0 means 8 */
    yoke_format format; /* f16, or lutN with a palette for every 8 outputs */
    uint64_t seed;
    const volatile bool *stop; /* when it turns true, writing ends; may be NULL */
} yoke_coreml_head;

/* Bytes of the weight file of such a head. Errors: YOKE_ERR_SHAPE (outputs that the parts, or whole
 * palettes, do not divide), YOKE_ERR_UNSUPPORTED (another format). Thread-safe. */
YOKE_API yoke_status yoke_coreml_head_bytes(const yoke_coreml_head *head, uint64_t *bytes,
                                            yoke_error *err);

/* Writes it as the bundle `path`, which does not exist yet: a package (Manifest.json, a model
 * specification) when the path ends in .mlpackage, in compiled form (MIL text) when in .mlmodelc.
 * The latter is what yoke reads; a Mac compiles the package. The bundle appears whole, or, after an
 * error, not at all. Errors: those above, YOKE_ERR_USAGE (another ending), YOKE_ERR_IO,
 * YOKE_ERR_MEMORY, YOKE_ERR_INTERRUPTED (stop). Thread-safe. */
YOKE_API yoke_status yoke_coreml_write_head(const yoke_coreml_head *head, const char *path,
                                            yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
