/* The Apple Neural Engine, by its private framework. See docs/ane.md. */
#ifndef ANE_ANE_H
#define ANE_ANE_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_ane;

#endif
