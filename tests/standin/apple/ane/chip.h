/* What differs from chip to chip, by its architecture: h13 (M1), h14 (M2), h15 (M3), h16 (M4), ...
 * The switch arch=h13g chooses; without it h16g. */
#ifndef STANDIN_ANE_CHIP_H
#define STANDIN_ANE_CHIP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct chip {
    char architecture[16]; /* "h16g" */
    size_t max_axis;       /* of width, height and the depth of a product */
    bool flushes;          /* subnormal operands of products count as 0 */
    bool overflow_is_zero; /* a partial sum of 2^15 makes the result 0 */
} chip;

chip chip_get(void);

enum { CHIP_MAX_CHANNELS = 65536 };

/* Sums of products of fp16 values, as the engine forms them: each product rounded to fp16, the sum
 * kept wide, the result rounded to fp16, and infinite from 2^15 on. So many side by side, for
 * compilers to take them in vectors. */
enum { MACS = 64 };

typedef struct macs {
    chip of;
    double sum[MACS], peak[MACS]; /* the greatest magnitude that the sum has had */
} macs;

/* To the first count sums a * b[i * stride]. */
void macs_add(macs *m, float a, const float *b, size_t stride, size_t count);
float macs_result(const macs *m, size_t i);

#endif
