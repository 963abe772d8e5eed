/* The exact kernels in AVX-512. */
#ifdef __x86_64__
#include "engines/cpu/exact_avx512.h"
#include "engines/cpu/exact_lut6_gather.h"

#define EXACT_NAME     "avx512"
#define EXACT_FEATURES (YOKE_CPU_AVX2 | YOKE_CPU_AVX512)
#define EXACT_TABLE    exact_avx512
#define MANY_ROWS(format)                                                                          \
    ((format) == YOKE_F16 || (format) == YOKE_BF16 || (format) == YOKE_LUT4 ? SIZE_MAX             \
     : (format) == YOKE_F32                                                 ? 3 * ROW_BLOCK        \
     : (format) == YOKE_LUT6                                                ? 2 * ROW_BLOCK        \
                                                                            : 5 * ROW_BLOCK)

#include "engines/cpu/exact_kernels.h"
#else
typedef int exact_avx512_is_for_x86;
#endif
