/* The Metal engine: the GPU of a Mac. */
#ifndef METAL_METAL_H
#define METAL_METAL_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_metal;

#endif
