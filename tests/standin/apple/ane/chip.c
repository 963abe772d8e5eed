#include "chip.h"

#include <math.h>
#include <stdlib.h>

#include "../foundation/control.h"
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

static float operand(const mac *m, float value)
{
    return m->of.flushes && fabsf(value) < SMALLEST_NORMAL ? 0 : value;
}

void mac_add(mac *m, float a, float b)
{
    m->sum += tensor_rounded(MIL_FP16, (double)operand(m, a) * operand(m, b));
    m->overflowed |= m->of.overflow_is_zero && fabs(m->sum) >= SATURATION;
}

float mac_result(const mac *m)
{
    const float rounded = tensor_rounded(MIL_FP16, m->sum);
    if (m->overflowed)
        return 0;
    if (isnan(rounded))
        return INFINITY;
    return fabs(rounded) >= SATURATION ? copysignf(INFINITY, rounded) : rounded;
}
