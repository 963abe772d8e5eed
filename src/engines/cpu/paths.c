#include "engines/cpu/accelerate.h"
#include "engines/cpu/dot.h"
#include "engines/cpu/exact.h"
#include "engines/cpu/kernels.h"
#include "engines/cpu/sme.h"

#define EACH_FORMAT(t)                                                                             \
    &(t)[0], &(t)[1], &(t)[2], &(t)[3], &(t)[4], &(t)[5], &(t)[6], &(t)[7], &(t)[8]
_Static_assert(EXACT_PATHS == 9, "EACH_FORMAT lists them all");

static const path *const paths[] = {
    EACH_FORMAT(exact_portable),
#ifdef __x86_64__
    EACH_FORMAT(exact_avx2),
    EACH_FORMAT(exact_avx512),
    &exact_lut6_vbmi[0],
#ifndef __APPLE__
    &path_bf16_avx512bf16,
#endif
    &path_bf16_amx,
    &path_f16_parts,
    &path_q4_0_parts,
    &path_lut4_parts,
    &path_lut6_parts,
    &path_q8_0_parts,
    &path_q8_0_vnni,
    &path_q4_0_vnni,
    &path_int8_vnni,
    &path_q8_0_amx,
    &path_q4_0_amx,
    &path_int8_amx,
#endif
#ifdef __aarch64__
    EACH_FORMAT(exact_neon),
#endif
#ifdef YOKE_ASSEMBLES_SME
    &path_f32_sme,
    &path_f16_sme,
    &path_bf16_sme,
#endif
    &path_f32_accelerate,
};

const path *path_at(size_t index)
{
    return index < sizeof paths / sizeof *paths ? paths[index] : NULL;
}
