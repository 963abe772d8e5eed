/* The words of the Metal language that product.metal uses, as C. The 32 lanes of a simdgroup are
 * run one after the other where they join, in simd_sum: before it they only compute what goes in.
 *
 * Given by -D: WEIGHT_F16 or another, its name as MACRO, and TABLE. */
#include "kernels.h"

#include <sys/types.h>

/* What is not for one format is for another, and attributes are Metal's own. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wattributes"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#endif

#define kernel static
#define device
#define thread
#define constant const

typedef struct uint2 {
    uint x, y;
} uint2;

#ifdef __clang__
typedef __fp16 half;
#else
typedef _Float16 half;
#endif

static inline float as_float(uint bits)
{
    union {
        uint bits;
        float value;
    } both = {.bits = bits};
    return both.value;
}
#define AS_FLOAT(bits) as_float(bits)

#define simd_sum(part)                                                                             \
    ({                                                                                             \
        float all = 0;                                                                             \
        for (lane = 0; lane < LANES; lane++)                                                       \
            all += (part);                                                                         \
        lane = 0;                                                                                  \
        all;                                                                                       \
    })

#include "engines/metal/kernels/product.metal"

static void run_multiply_row(void *const buffers[STANDIN_BUFFERS], const void *constants,
                             const uint64_t groups[2], const uint64_t threads[2])
{
    for (uint y = 0; y < groups[1]; y++)
        for (uint x = 0; x < groups[0]; x++)
            for (uint member = 0; member < threads[0] / LANES; member++)
                multiply_row(buffers[0], buffers[1], buffers[2], buffers[3], constants,
                             (uint2){x, y}, member, 0);
}

static void run_widen(void *const buffers[STANDIN_BUFFERS], const void *constants,
                      const uint64_t groups[2], const uint64_t threads[2])
{
    for (uint y = 0; y < groups[1] * threads[1]; y++)
        for (uint x = 0; x < groups[0] * threads[0]; x++)
            widen(buffers[0], buffers[1], buffers[2], constants, (uint2){x, y});
}

const standin_kernels TABLE = {MACRO, run_multiply_row, run_widen};
