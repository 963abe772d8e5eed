/* Core ML bundles made by hand. */
#ifndef FILES_COREML_SUPPORT_H
#define FILES_COREML_SUPPORT_H

#include "files_support.h"

/* Type codes of weight.bin. */
enum {
    BLOB_F16 = 1,
    BLOB_F32 = 2,
    BLOB_U8 = 3,
    BLOB_I8 = 4,
    BLOB_I4 = 8,
    BLOB_U1 = 9,
    BLOB_U2 = 10,
    BLOB_U4 = 11
};

/* Adds a blob to a weight file, which it begins when it is empty; the offset of its metadata. */
size_t put_blob(bytes *b, uint32_t type, const void *data, size_t size, uint64_t padding_bits);

/* A program of one function, of inputs "x" (fp16 [1, 4, 1, 1]) and "v" (fp32 [1, 4]). */
#define PROGRAM(body, outputs)                                                                     \
    "program(1.3)\n[buildInfo = dict<string, string>({})]\n{\n"                                    \
    "func main<ios18>(tensor<fp16, [1, 4, 1, 1]> x, tensor<fp32, [1, 4]> v) {\n" body              \
    "} -> (" outputs ");\n}\n"

/* A const in weights/weight.bin: its element type, dimensions, name and (printf) offset. */
#define STORED(type, shape, name)                                                                  \
    "tensor<" type ", [" shape "]> " name " = const()[name = string(\"" name                       \
    "\"), val = tensor<" type ", [" shape                                                          \
    "]>(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = "                     \
    "uint64(%zu)))];\n"

/* A folder with a model.mil of that (printf-formatted) text and a weights/weight.bin. */
char *make_bundle(bytes *blobs, const char *text, ...) YOKE_PRINTF(2, 3);
void remove_bundle(char *folder);

/* Opens such a bundle. Frees the blobs. */
yoke_file *open_bundle(bytes *blobs, const char *text, ...) YOKE_PRINTF(2, 3);

/* Requires that it is refused, with that text in the message. */
void refuse_bundle(const char *expected, bytes *blobs, const char *text, ...) YOKE_PRINTF(3, 4);

/* Requires that the named tensor is that matrix, to the bit; how many bytes were copied. */
size_t expect_matrix(yoke_file *file, const char *name, yoke_format format, size_t rows,
                     size_t cols, const float *values);

/* Element `index` of packed unsigned elements, bit by bit from the low one on. */
unsigned packed_at(const uint8_t *data, unsigned bits, size_t index);

/* Packs values the same way; `data` is zeroed and large enough. */
void pack(uint8_t *data, unsigned bits, const unsigned *values, size_t count);

#endif
