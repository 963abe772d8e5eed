/* The exact kernels in plain C: the slots every CPU can fill. */
#include "engines/cpu/exact_portable.h"

#define EXACT_NAME     "portable"
#define EXACT_FEATURES 0
#define EXACT_TABLE    exact_portable

#include "engines/cpu/exact_kernels.h"
