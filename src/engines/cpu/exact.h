/* The exact paths: x as it is, w expanded without loss to f32 in registers, one fused multiply-add
 * for each k in ascending order, starting from zero. So y has the same bits on every instruction
 * set, for every M, window and number of threads, and its error is that of fp32 summation: |error|
 * <= K * 2^-24 / (1 - K * 2^-24) * sum |w| |x|.
 *
 * One entry a format; the same for every instruction set. */
#ifndef CPU_EXACT_H
#define CPU_EXACT_H

#include "engines/cpu/kernels.h"

#define EXACT_PATHS 9

extern const path exact_portable[EXACT_PATHS];
#ifdef __x86_64__
extern const path exact_avx2[EXACT_PATHS];
extern const path exact_avx512[EXACT_PATHS];
extern const path exact_lut6_vbmi[1];
#endif
#ifdef __aarch64__
extern const path exact_neon[EXACT_PATHS];
#endif

/* Bytes of a packed row: the blocks of rows are apart by an odd number of 4 KiB, because the same k
 * of many blocks, read one after the other, would else meet in a few sets of the caches. */
static inline size_t exact_row_bytes(const layout *l)
{
    size_t bytes = layout_padded_k(l) * sizeof(float);
    return bytes % 4096 == 0 ? bytes + 512 : bytes;
}

/* Packs rows of x as f32, [k][rows]. */
void exact_pack_x(const layout *l, const yoke_matrix *x, size_t row, size_t rows, void *to);

#endif
