/* The OpenCL engine: GPUs, and whatever else has an OpenCL 1.2 driver. */
#ifndef OPENCL_OPENCL_H
#define OPENCL_OPENCL_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_opencl;

#endif
