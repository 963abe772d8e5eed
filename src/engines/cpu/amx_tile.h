/* AMX tile operations, one for each instruction. Tile numbers are part of the instruction:
 * literals. The state belongs to the thread: configure before use, release after it.
 *
 * Assembler, not intrinsics: gcc 12's _tile_loadconfig says that it reads 8 of the 64 bytes, and
 * the stores to the others are dropped. With AMX_EMULATED, a model in plain C in place of the
 * instructions. */
#ifndef CPU_AMX_TILE_H
#define CPU_AMX_TILE_H

#include <stddef.h>
#include <stdint.h>

#define TILE_ROWS  ((size_t)16)
#define TILE_BYTES ((size_t)64) /* of a row */

/* What ldtilecfg reads: palette 1 has 8 tiles of up to 16 rows of up to 64 bytes. */
typedef struct tile_config {
    uint8_t palette, start_row;
    uint8_t reserved[14];
    uint16_t row_bytes[16]; /* of each tile; the last 8 are zero */
    uint8_t rows[16];
} tile_config;

_Static_assert(sizeof(tile_config) == 64, "as the instruction reads it");

#ifdef AMX_EMULATED
#include "engines/cpu/amx_emulated.h"
#else

static inline void tile_configure(const tile_config *config)
{
    __asm__ volatile("ldtilecfg %0" : : "m"(*config));
}

static inline void tile_release(void)
{
    __asm__ volatile("tilerelease");
}

/* Rows of a tile from and to memory, `stride` bytes apart. */
#define tile_load(tile, from, stride)                                                              \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #tile                                            \
                     :                                                                             \
                     : "r"((const void *)(from)), "r"((size_t)(stride))                            \
                     : "memory")
#define tile_store(tile, to, stride)                                                               \
    __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1,1)"                                        \
                     :                                                                             \
                     : "r"((void *)(to)), "r"((size_t)(stride))                                    \
                     : "memory")
#define tile_zero(tile)       __asm__ volatile("tilezero %%tmm" #tile : :)

/* c += a * b: bf16 pairs into f32, int8 quadruples (both signed) into int32. The assembler's order
 * is b, a, c. */
#define tile_dp_bf16(c, a, b) __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #c : :)
#define tile_dp_i8(c, a, b)   __asm__ volatile("tdpbssd %%tmm" #b ", %%tmm" #a ", %%tmm" #c : :)

#endif
#endif
