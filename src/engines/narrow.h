/* Which formats lose nothing as f16: half the bytes of f32, for engines that take no narrower one.
 */
#ifndef ENGINES_NARROW_H
#define ENGINES_NARROW_H

#include "yoke/matrix.h"

/* Whether every value of the format is an f16 value too. */
static inline bool narrow_fits_f16(yoke_format format)
{
    switch (format) {
    case YOKE_LUT1:
    case YOKE_LUT2:
    case YOKE_LUT3:
    case YOKE_LUT4:
    case YOKE_LUT6:
    case YOKE_LUT8: /* palettes are f16 */
    case YOKE_BOOL:
    case YOKE_U8:
    case YOKE_I8:
    case YOKE_F8_E4M3:
    case YOKE_F8_E5M2:
    case YOKE_F6_E2M3:
    case YOKE_F6_E3M2:
    case YOKE_F4_E2M1: return true;
    default: return false;
    }
}

#endif
