/* The Core ML engine: what Apple's public framework makes of a product, on the Neural Engine where
 * it places it there. */
#ifndef COREML_COREML_H
#define COREML_COREML_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_coreml;

#endif
