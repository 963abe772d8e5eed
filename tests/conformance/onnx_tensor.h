/* A tensor of an ONNX node test: as much of TensorProto (onnx.proto) as those files use. */
#ifndef CONFORMANCE_ONNX_TENSOR_H
#define CONFORMANCE_ONNX_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ONNX_MOST_DIMENSIONS 8
#define ONNX_MOST_VALUES     1024

typedef struct onnx_tensor {
    size_t rank;
    size_t dimensions[ONNX_MOST_DIMENSIONS];
    size_t count;
    float values[ONNX_MOST_VALUES];
} onnx_tensor;

/* False when the file is not there; fails the test when it is not a small f32 tensor. */
bool onnx_tensor_read(const char *path, onnx_tensor *tensor);

#endif
