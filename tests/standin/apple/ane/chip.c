#include "chip.h"

#include <math.h>
#include <stdlib.h>

#include "../foundation/control.h"
#include "base/half.h"
#include "tensor.h"

chip chip_get(void)
{
    chip c = {.architecture = "h16g"};
    standin_word("arch", c.architecture, sizeof c.architecture);
    const long generation = strtol(c.architecture + 1, NULL, 10);
    c.max_axis = generation <= 14 ? 16384 : 65536;
    c.flushes = generation == 13 || generation == 15;
    c.overflow_is_zero = generation == 15;
    return c;
}

#define SATURATION      32768.0
#define SMALLEST_NORMAL 0x1p-14f

/* tensor_rounded() to fp16 without a branch. */
static float rounded(float value)
{
    const float magnitude = fabsf(value);
    const uint32_t bits = float_to_bits(magnitude);
    const float normal = float_from_bits((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
    const float subnormal = magnitude + 0.5f - 0.5f; /* floats by 0.5 are 2^-24 apart */
    const float finite = magnitude < SMALLEST_NORMAL ? subnormal : normal;
    const float result = magnitude >= 65520 ? INFINITY : finite;
    return isnan(value) ? value : copysignf(result, value);
}

static float operand(float value, float smallest)
{
    return fabsf(value) < smallest ? 0 : value;
}

void macs_add(macs *m, float a, const float *b, size_t stride, size_t count)
{
    const float smallest = m->of.flushes ? SMALLEST_NORMAL : 0;
    const float one = operand(a, smallest);
    for (size_t i = 0; i < count; i++) {
        m->sum[i] += (double)rounded(one * operand(b[i * stride], smallest));
        m->peak[i] = fabs(m->sum[i]) > m->peak[i] ? fabs(m->sum[i]) : m->peak[i];
    }
}

float macs_result(const macs *m, size_t i)
{
    const float result = tensor_rounded(MIL_FP16, m->sum[i]);
    if (m->of.overflow_is_zero && m->peak[i] >= SATURATION)
        return 0;
    if (isnan(result))
        return INFINITY;
    return fabsf(result) >= (float)SATURATION ? copysignf(INFINITY, result) : result;
}
