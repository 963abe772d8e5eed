/* Where Core ML means to run a program: told by its compute plan, not assumed. */
#ifndef COREML_PLAN_H
#define COREML_PLAN_H

#include "apple/foundation.h"

typedef enum coreml_placement {
    COREML_PLACED_UNKNOWN,
    COREML_PLACED_ANE,
    COREML_PLACED_GPU,
    COREML_PLACED_CPU,
    COREML_PLACED_SEVERAL
} coreml_placement;

/* The device that MLComputePlan prefers for the convolutions of a compiled model; unknown before
 * macOS 14.4, and where the plan does not come. Needs an autorelease pool. */
coreml_placement coreml_plan_read(const apple *a, apple_id url, apple_id configuration);

#endif
