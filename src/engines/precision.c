#include "engines/precision.h"

const char *precision_name(yoke_precision precision)
{
    switch (precision) {
    case YOKE_PRECISION_FULL: return "full";
    case YOKE_PRECISION_BF16_X: return "bf16_x";
    case YOKE_PRECISION_INT8_X: return "int8_x";
    }
    return "";
}
