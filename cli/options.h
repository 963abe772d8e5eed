/* Options that mean the same to every verb that takes them. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "verb.h"

#define OPTIONS_X_FORMATS "f32 f16 bf16"
#define OPTIONS_FORMATS   "f32 f16 bf16 q8_0 q4_0" /* that a weight can be converted to */
#define OPTIONS_TABLES    "lut1 lut2 lut3 lut4 lut6 lut8 int4 int8" /* only random ones have them */

// clang-format off
#define OPTION_PLUGINS(key) \
    {"plugins", key, "DIR", VALUE_FOLDER, NULL, "also load the engines (*.so, *.dylib) found in DIR"}
#define OPTION_JSON(key, what) \
    {"json", key, "FILE", VALUE_FILE, NULL, \
     "write " what " into FILE, beside what is printed; - prints it instead"}
#define OPTION_SEED(key) \
    {"seed", key, "S", VALUE_TEXT, NULL, "of the random values [1]"}
#define OPTION_X_FORMAT(key) \
    {"x-format", key, "F", VALUE_ONE_OF, OPTIONS_X_FORMATS, "format of x: " OPTIONS_X_FORMATS " [f32]"}
#define OPTION_PRECISION(key) \
    {"precision", key, "P", VALUE_ONE_OF, "full bf16 int8", "how exactly x is used: full bf16 int8 [full]"}
#define OPTION_DB(key) \
    {"db", key, "FILE", VALUE_FILE, NULL, \
     "the history [$YOKE_HISTORY, or yoke/history.db in the user's data folder]"}
#define OPTION_RANDOM_SHAPE(key) \
    {"shape", key, "NxK", VALUE_TEXT, NULL, "a random weight of N outputs and K inputs [128256x4096]"}
#define OPTION_LARGEST_TENSOR(key) \
    {"tensor", key, "NAME", VALUE_TEXT, NULL, "the weight in FILE [the largest that can be read]"}
// clang-format on

#endif
