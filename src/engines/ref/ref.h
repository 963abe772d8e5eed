/* The reference engine: the oracle as an engine. */
#ifndef REF_REF_H
#define REF_REF_H

#include "yoke/engine.h"

extern const yoke_engine_class engine_ref;

#endif
