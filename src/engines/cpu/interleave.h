/* Rows of 32-bit words taken together, as kernels read packed x: a transposition. */
#ifndef CPU_INTERLEAVE_H
#define CPU_INTERLEAVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD sizeof(uint32_t)

typedef uint32_t word_quad __attribute__((vector_size(16)));
#if defined(__clang__) || __GNUC__ >= 12
#define QUAD_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define QUAD_PICK(a, b, ...) __builtin_shuffle(a, b, (word_quad){__VA_ARGS__})
#endif

/* 4 words of 4 rows, `stride` words apart, to 4 times a word of each row, `rows` words apart. */
static inline void interleave_quad(const char *from, size_t stride, size_t rows, char *to)
{
    word_quad r[4];
    for (size_t i = 0; i < 4; i++)
        memcpy(&r[i], from + i * stride * WORD, sizeof *r);
    word_quad low01 = QUAD_PICK(r[0], r[1], 0, 4, 1, 5), high01 = QUAD_PICK(r[0], r[1], 2, 6, 3, 7);
    word_quad low23 = QUAD_PICK(r[2], r[3], 0, 4, 1, 5), high23 = QUAD_PICK(r[2], r[3], 2, 6, 3, 7);
    word_quad k[4] = {QUAD_PICK(low01, low23, 0, 1, 4, 5), QUAD_PICK(low01, low23, 2, 3, 6, 7),
                      QUAD_PICK(high01, high23, 0, 1, 4, 5), QUAD_PICK(high01, high23, 2, 3, 6, 7)};
    for (size_t i = 0; i < 4; i++)
        memcpy(to + i * rows * WORD, &k[i], sizeof *k);
}

/* `count` words of each row, the rows `stride` words apart, to [count][rows]. */
static inline void interleave(const void *from, size_t stride, size_t rows, size_t count, void *to)
{
    const char *source = from;
    char *target = to;
    if (rows == 1) {
        memcpy(to, from, count * WORD);
        return;
    }
    size_t i = 0;
    if (rows % 4 == 0)
        for (; i + 4 <= count; i += 4)
            for (size_t r = 0; r < rows; r += 4)
                interleave_quad(source + (r * stride + i) * WORD, stride, rows,
                                target + (i * rows + r) * WORD);
    for (; i < count; i++)
        for (size_t r = 0; r < rows; r++)
            memcpy(target + (i * rows + r) * WORD, source + (r * stride + i) * WORD, WORD);
}

#undef WORD
#endif
