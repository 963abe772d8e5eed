/* The engines that are part of the library. */
#ifndef ENGINES_REGISTRY_H
#define ENGINES_REGISTRY_H

#include "yoke/engine.h"

/* The built-in classes, in the order in which they are listed. */
const yoke_engine_class *const *registry_classes(size_t *count);

#endif
