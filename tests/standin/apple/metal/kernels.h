/* The engine's kernels for one format of weight, from its own source text compiled as C. */
#ifndef STANDIN_METAL_KERNELS_H
#define STANDIN_METAL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum { STANDIN_BUFFERS = 8 };

typedef void standin_kernel(void *const buffers[STANDIN_BUFFERS], const void *constants,
                            const uint64_t groups[2], const uint64_t threads[2]);

typedef struct standin_kernels {
    const char *macro; /* "WEIGHT_F16" */
    standin_kernel *multiply_row, *widen;
} standin_kernels;

extern const standin_kernels standin_kernels_f32, standin_kernels_f16, standin_kernels_bf16,
    standin_kernels_q8_0, standin_kernels_q4_0;

#endif
