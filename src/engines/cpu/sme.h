/* SME's outer products (sme.c): arm64 alone, and where the assembler knows them. */
#ifndef CPU_SME_H
#define CPU_SME_H

#include "engines/cpu/kernels.h"

extern const path path_f32_sme, path_f16_sme, path_bf16_sme;

#endif
