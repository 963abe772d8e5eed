/* Apple's Accelerate, which reaches matrix units that no public instruction does. */
#ifndef CPU_ACCELERATE_H
#define CPU_ACCELERATE_H

#include "engines/cpu/kernels.h"

/* Stands among the features of a CPU for "cblas_sgemm of Accelerate can be called". */
#define FEATURE_ACCELERATE (UINT32_C(1) << 31)

/* FEATURE_ACCELERATE, or 0 and the reason. Loads it once. Thread-safe. */
uint32_t accelerate_feature(yoke_error *err);

/* f32 weights with x as f32. Its bits are the library's own: never of a pinned path. */
extern const path path_f32_accelerate;

#endif
