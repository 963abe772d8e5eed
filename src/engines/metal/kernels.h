/* The text of kernels/product.metal. */
#ifndef METAL_KERNELS_H
#define METAL_KERNELS_H

extern const char metal_kernels[];

#endif
