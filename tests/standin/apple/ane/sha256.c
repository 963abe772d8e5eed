/* SHA-256 as FIPS 180-4 has it. */
#include "sha256.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional part of a root. */
static uint32_t fraction(long double root)
{
    return (uint32_t)((root - floorl(root)) * 4294967296.0L);
}

static int is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return 1;
}

static void constants(uint32_t state[8], uint32_t k[64])
{
    for (unsigned found = 0, n = 2; found < 64; n++) {
        if (!is_prime(n))
            continue;
        if (found < 8)
            state[found] = fraction(sqrtl((long double)n));
        k[found++] = fraction(cbrtl((long double)n));
    }
}

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void take_block(uint32_t state[8], const uint32_t k[64], const uint8_t *block)
{
    uint32_t w[64], s[8];
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t big1 = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25);
        const uint32_t big0 = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22);
        const uint32_t one = s[7] + big1 + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        const uint32_t two = big0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (unsigned j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256_text(const void *bytes, size_t size, char out[SHA256_TEXT_BYTES])
{
    uint32_t state[8], k[64];
    const uint8_t *at = bytes;
    uint8_t end[128] = {0};
    const size_t rest = size % 64, padded = rest < 56 ? 64 : 128;
    constants(state, k);
    for (size_t i = 0; i < size / 64; i++)
        take_block(state, k, at + 64 * i);
    if (rest)
        memcpy(end, at + size - rest, rest);
    end[rest] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        end[padded - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < padded; i += 64)
        take_block(state, k, end + i);
    for (unsigned i = 0; i < 8; i++)
        snprintf(out + 8 * i, 9, "%08X", (unsigned)state[i]);
}
