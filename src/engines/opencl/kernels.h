/* The sources in kernels/, put into the library by the build. */
#ifndef OPENCL_KERNELS_H
#define OPENCL_KERNELS_H

extern const char kernels_weights[], kernels_elements[], kernels_vector[], kernels_group[],
    kernels_limit[];

#endif
