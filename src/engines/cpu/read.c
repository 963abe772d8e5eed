#include "engines/cpu/read.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

#include "engines/cpu/unroll.h"
#include "yoke/host.h"

#define STREAMS 8
#define LINE    ((size_t)64)

/* Each reader takes the lines [0, lines) of 8 streams that are `stride` bytes apart. */
typedef uint64_t reader(const char *from, size_t stride, size_t lines);

#ifdef __x86_64__
__attribute__((target("avx512f"))) static uint64_t read_avx512(const char *from, size_t stride,
                                                               size_t lines)
{
    __m512i sum[STREAMS];
    for (size_t s = 0; s < STREAMS; s++)
        sum[s] = _mm512_setzero_si512();
    for (size_t i = 0; i < lines; i++, from += LINE)
        EACH (s, STREAMS)
            sum[s] = _mm512_xor_si512(sum[s], _mm512_loadu_si512(from + s * stride));
    for (size_t s = 1; s < STREAMS; s++)
        sum[0] = _mm512_xor_si512(sum[0], sum[s]);
    uint64_t parts[8];
    memcpy(parts, &sum[0], sizeof parts);
    return parts[0] + parts[1] + parts[2] + parts[3] + parts[4] + parts[5] + parts[6] + parts[7];
}

__attribute__((target("avx2"))) static uint64_t read_avx2(const char *from, size_t stride,
                                                          size_t lines)
{
    __m256i sum[STREAMS];
    for (size_t s = 0; s < STREAMS; s++)
        sum[s] = _mm256_setzero_si256();
    for (size_t i = 0; i < lines; i++, from += LINE)
        EACH (s, STREAMS) {
            const __m256i *line = (const __m256i *)(from + s * stride);
            sum[s] = _mm256_xor_si256(sum[s], _mm256_loadu_si256(line));
            sum[s] = _mm256_xor_si256(sum[s], _mm256_loadu_si256(line + 1));
        }
    for (size_t s = 1; s < STREAMS; s++)
        sum[0] = _mm256_xor_si256(sum[0], sum[s]);
    uint64_t parts[4];
    memcpy(parts, &sum[0], sizeof parts);
    return parts[0] + parts[1] + parts[2] + parts[3];
}
#endif

#ifdef __aarch64__
static uint64_t read_neon(const char *from, size_t stride, size_t lines)
{
    uint8x16_t sum[STREAMS];
    for (size_t s = 0; s < STREAMS; s++)
        sum[s] = vdupq_n_u8(0);
    for (size_t i = 0; i < lines; i++, from += LINE)
        EACH (s, STREAMS) {
            const uint8_t *line = (const uint8_t *)from + s * stride;
            for (size_t q = 0; q < LINE; q += 16)
                sum[s] = veorq_u8(sum[s], vld1q_u8(line + q));
        }
    for (size_t s = 1; s < STREAMS; s++)
        sum[0] = veorq_u8(sum[0], sum[s]);
    return vaddlvq_u8(sum[0]);
}
#endif

static uint64_t read_portable(const char *from, size_t stride, size_t lines)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < lines; i++, from += LINE)
        for (size_t s = 0; s < STREAMS; s++) {
            uint64_t words[LINE / 8];
            memcpy(words, from + s * stride, sizeof words);
            for (size_t w = 0; w < LINE / 8; w++)
                sum ^= words[w];
        }
    return sum;
}

static reader *choose_reader(uint32_t features)
{
#ifdef __x86_64__
    if (features & YOKE_CPU_AVX512)
        return read_avx512;
    if (features & YOKE_CPU_AVX2)
        return read_avx2;
#endif
#ifdef __aarch64__
    if (features & YOKE_CPU_NEON)
        return read_neon;
#endif
    (void)features;
    return read_portable;
}

uint64_t read_bytes(const void *bytes, size_t count, uint32_t features)
{
    size_t lines = count / LINE / STREAMS, stride = lines * LINE;
    uint64_t sum = choose_reader(features)(bytes, stride, lines);
    const char *rest = (const char *)bytes + STREAMS * stride;
    for (size_t i = 0; i < count - STREAMS * stride; i++)
        sum += (unsigned char)rest[i];
    return sum;
}
