/* The tile operations in plain C, after Intel's description of palette 1 and of each instruction,
 * for tests where there is no AMX. What the processor answers with a fault is a call of
 * TILE_FAULT(what); the operation then does nothing. */
#ifndef CPU_AMX_EMULATED_H
#define CPU_AMX_EMULATED_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"

#ifndef TILE_FAULT
#define TILE_FAULT(what) (fprintf(stderr, "AMX fault: %s\n", what), abort())
#endif

#define TILES 8

typedef struct tile_unit {
    bool configured;
    tile_config config;
    uint8_t data[TILES][TILE_ROWS][TILE_BYTES];
} tile_unit;

static inline tile_unit *tile_state(void)
{
    static _Thread_local tile_unit state;
    return &state;
}

static inline bool tile_config_allowed(const tile_config *config)
{
    bool allowed = config->palette == 1 && config->start_row == 0;
    for (size_t i = 0; i < sizeof config->reserved; i++)
        allowed = allowed && config->reserved[i] == 0;
    for (size_t t = 0; t < 16; t++) {
        bool named = config->row_bytes[t] != 0 || config->rows[t] != 0;
        bool whole = config->row_bytes[t] != 0 && config->rows[t] != 0;
        allowed = allowed && (!named || (whole && t < TILES)) &&
                  config->row_bytes[t] <= TILE_BYTES && config->rows[t] <= TILE_ROWS;
    }
    return allowed;
}

/* ldtilecfg: every tile becomes zero. (Palette 0, which is tilerelease, is not used.) */
static inline void tile_configure(const tile_config *config)
{
    if (!tile_config_allowed(config)) {
        TILE_FAULT("configuration outside palette 1");
        return;
    }
    tile_unit *state = tile_state();
    memset(state, 0, sizeof *state);
    state->configured = true;
    state->config = *config;
}

static inline void tile_release(void)
{
    memset(tile_state(), 0, sizeof(tile_unit));
}

static inline bool tile_usable(size_t tile)
{
    const tile_unit *state = tile_state();
    bool usable = state->configured && tile < TILES && state->config.rows[tile] != 0;
    if (!usable)
        TILE_FAULT("tile not configured");
    return usable;
}

static inline void tile_zero(size_t tile)
{
    if (tile_usable(tile))
        memset(tile_state()->data[tile], 0, sizeof tile_state()->data[tile]);
}

/* What is beyond the configured rows and bytes becomes zero. */
static inline void tile_load(size_t tile, const void *from, size_t stride)
{
    if (!tile_usable(tile))
        return;
    tile_unit *state = tile_state();
    memset(state->data[tile], 0, sizeof state->data[tile]);
    for (size_t row = 0; row < state->config.rows[tile]; row++)
        memcpy(state->data[tile][row], (const char *)from + row * stride,
               state->config.row_bytes[tile]);
}

static inline void tile_store(size_t tile, void *to, size_t stride)
{
    if (!tile_usable(tile))
        return;
    const tile_unit *state = tile_state();
    for (size_t row = 0; row < state->config.rows[tile]; row++)
        memcpy((char *)to + row * stride, state->data[tile][row], state->config.row_bytes[tile]);
}

/* a: m by k, b: k by n, c: m by n, in elements of 4 bytes; three different tiles. */
static inline bool tile_product_allowed(size_t c, size_t a, size_t b)
{
    if (!tile_usable(c) || !tile_usable(a) || !tile_usable(b))
        return false;
    const tile_config *config = &tile_state()->config;
    bool allowed = c != a && c != b && a != b && config->rows[c] == config->rows[a] &&
                   config->row_bytes[c] == config->row_bytes[b] &&
                   config->row_bytes[a] == 4 * config->rows[b] && config->row_bytes[c] % 4 == 0;
    if (!allowed)
        TILE_FAULT("tiles that do not go together");
    return allowed;
}

static inline uint32_t tile_word(size_t tile, size_t row, size_t word)
{
    uint32_t value;
    memcpy(&value, tile_state()->data[tile][row] + 4 * word, 4);
    return value;
}

/* Sets c's element; what is beyond c's rows and bytes is zero already. */
static inline void tile_set_word(size_t tile, size_t row, size_t word, uint32_t value)
{
    memcpy(tile_state()->data[tile][row] + 4 * word, &value, 4);
}

static inline float tile_no_subnormal(float value)
{
    uint32_t bits = float_to_bits(value);
    return (bits & 0x7f800000u) == 0 ? float_from_bits(bits & 0x80000000u) : value;
}

static inline float tile_fma(uint32_t a_bf16, uint32_t b_bf16, float sum)
{
    float a = tile_no_subnormal(float_from_bits(a_bf16 << 16));
    float b = tile_no_subnormal(float_from_bits(b_bf16 << 16));
    return tile_no_subnormal(fmaf(a, b, sum));
}

/* tdpbf16ps: even and odd k are summed apart from zero, then together, then to c; to nearest even,
 * subnormals taken as zero and made zero, whatever MXCSR says. */
static inline void tile_dp_bf16(size_t c, size_t a, size_t b)
{
    if (!tile_product_allowed(c, a, b))
        return;
    const tile_config *config = &tile_state()->config;
    for (size_t m = 0; m < config->rows[c]; m++)
        for (size_t n = 0; n < config->row_bytes[c] / 4u; n++) {
            float even = 0, odd = 0;
            for (size_t k = 0; k < config->rows[b]; k++) {
                uint32_t pair_a = tile_word(a, m, k), pair_b = tile_word(b, k, n);
                even = tile_fma(pair_a & 0xffffu, pair_b & 0xffffu, even);
                odd = tile_fma(pair_a >> 16, pair_b >> 16, odd);
            }
            float before = tile_no_subnormal(float_from_bits(tile_word(c, m, n)));
            float after = tile_no_subnormal(before + tile_no_subnormal(even + odd));
            tile_set_word(c, m, n, float_to_bits(after));
        }
}

/* tdpbssd: signed by signed bytes, sums modulo 2^32. */
static inline void tile_dp_i8(size_t c, size_t a, size_t b)
{
    if (!tile_product_allowed(c, a, b))
        return;
    const tile_config *config = &tile_state()->config;
    const tile_unit *state = tile_state();
    for (size_t m = 0; m < config->rows[c]; m++)
        for (size_t n = 0; n < config->row_bytes[c] / 4u; n++) {
            uint32_t sum = tile_word(c, m, n);
            for (size_t k = 0; k < config->rows[b]; k++)
                for (size_t i = 0; i < 4; i++)
                    sum += (uint32_t)((int8_t)state->data[a][m][4 * k + i] *
                                      (int8_t)state->data[b][k][4 * n + i]);
            tile_set_word(c, m, n, sum);
        }
}

#endif
