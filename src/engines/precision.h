/* How exactly x is used, in words. */
#ifndef ENGINES_PRECISION_H
#define ENGINES_PRECISION_H

#include "yoke/engine.h"

/* "full", "bf16_x", "int8_x", as records and profiles have it; "" for no precision. */
const char *precision_name(yoke_precision precision);

#endif
