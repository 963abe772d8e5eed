/* The low-precision paths: bf16 weights with x rounded to bf16, and q8_0, q4_0 and int8 weights
 * with x quantised to int8, in AVX-512 dot instructions and in AMX tiles; f16, q8_0, q4_0, lut4 and
 * lut6 weights as sums of bf16 parts with x rounded to bf16, in AMX tiles. x86-64 only.
 *
 * The bits of an element of y depend on its row of x and its row of w alone, for each of these
 * paths: not on M, the window, the chunk or the thread. The two paths of an integer format give
 * the same bits as each other; "amx_bf16 tiles" and "avx512_bf16 dot" do not (they add in another
 * order).
 */
#ifndef CPU_DOT_H
#define CPU_DOT_H

#include "engines/cpu/kernels.h"

#ifdef AMX_EMULATED /* a suffix, so that a program can hold both builds of the AMX paths */
#define AMX_JOIN(name, suffix)   name##suffix
#define AMX_SUFFIX(name, suffix) AMX_JOIN(name, suffix)
#define path_bf16_amx            AMX_SUFFIX(path_bf16_amx, AMX_EMULATED)
#define path_q8_0_amx            AMX_SUFFIX(path_q8_0_amx, AMX_EMULATED)
#define path_q4_0_amx            AMX_SUFFIX(path_q4_0_amx, AMX_EMULATED)
#define path_int8_amx            AMX_SUFFIX(path_int8_amx, AMX_EMULATED)
#define path_f16_parts           AMX_SUFFIX(path_f16_parts, AMX_EMULATED)
#define path_q8_0_parts          AMX_SUFFIX(path_q8_0_parts, AMX_EMULATED)
#define path_q4_0_parts          AMX_SUFFIX(path_q4_0_parts, AMX_EMULATED)
#define path_lut4_parts          AMX_SUFFIX(path_lut4_parts, AMX_EMULATED)
#define path_lut6_parts          AMX_SUFFIX(path_lut6_parts, AMX_EMULATED)
#endif

extern const path path_bf16_avx512bf16; /* bf16_dot_avx512.c */
extern const path path_q8_0_vnni;       /* int8_dot_avx512.c */
extern const path path_q4_0_vnni;
extern const path path_int8_vnni;
extern const path path_bf16_amx; /* bf16_amx.c */
extern const path path_q8_0_amx; /* int8_amx.c */
extern const path path_q4_0_amx;
extern const path path_int8_amx;
extern const path path_f16_parts; /* bf16_parts_amx.c */
extern const path path_q8_0_parts;
extern const path path_q4_0_parts;
extern const path path_lut4_parts;
extern const path path_lut6_parts;

#endif
