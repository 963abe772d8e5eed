#include "files/gguf_types.h"

/* Numbers and names of ggml's enum ggml_type. */
static const gguf_type TYPES[] = {
    [0] = {"F32", YOKE_F32},
    [1] = {"F16", YOKE_F16},
    [2] = {"Q4_0", YOKE_Q4_0},
    [3] = {"Q4_1", YOKE_Q4_1},
    [4] = {"Q4_2", YOKE_FORMAT_NONE},
    [5] = {"Q4_3", YOKE_FORMAT_NONE},
    [6] = {"Q5_0", YOKE_Q5_0},
    [7] = {"Q5_1", YOKE_Q5_1},
    [8] = {"Q8_0", YOKE_Q8_0},
    [9] = {"Q8_1", YOKE_Q8_1},
    [10] = {"Q2_K", YOKE_Q2_K},
    [11] = {"Q3_K", YOKE_Q3_K},
    [12] = {"Q4_K", YOKE_Q4_K},
    [13] = {"Q5_K", YOKE_Q5_K},
    [14] = {"Q6_K", YOKE_Q6_K},
    [15] = {"Q8_K", YOKE_Q8_K},
    [16] = {"IQ2_XXS", YOKE_IQ2_XXS},
    [17] = {"IQ2_XS", YOKE_IQ2_XS},
    [18] = {"IQ3_XXS", YOKE_IQ3_XXS},
    [19] = {"IQ1_S", YOKE_IQ1_S},
    [20] = {"IQ4_NL", YOKE_IQ4_NL},
    [21] = {"IQ3_S", YOKE_IQ3_S},
    [22] = {"IQ2_S", YOKE_IQ2_S},
    [23] = {"IQ4_XS", YOKE_IQ4_XS},
    [24] = {"I8", YOKE_I8},
    [25] = {"I16", YOKE_I16},
    [26] = {"I32", YOKE_I32},
    [27] = {"I64", YOKE_I64},
    [28] = {"F64", YOKE_F64},
    [29] = {"IQ1_M", YOKE_IQ1_M},
    [30] = {"BF16", YOKE_BF16},
    [31] = {"Q4_0_4_4", YOKE_FORMAT_NONE},
    [32] = {"Q4_0_4_8", YOKE_FORMAT_NONE},
    [33] = {"Q4_0_8_8", YOKE_FORMAT_NONE},
    [34] = {"TQ1_0", YOKE_TQ1_0},
    [35] = {"TQ2_0", YOKE_TQ2_0},
    [36] = {"IQ4_NL_4_4", YOKE_FORMAT_NONE},
    [37] = {"IQ4_NL_4_8", YOKE_FORMAT_NONE},
    [38] = {"IQ4_NL_8_8", YOKE_FORMAT_NONE},
    [39] = {"MXFP4", YOKE_MXFP4},
    [40] = {"NVFP4", YOKE_NVFP4},
    [41] = {"Q1_0", YOKE_Q1_0},
    [42] = {"Q2_0", YOKE_Q2_0},
};

gguf_type gguf_type_get(uint32_t id)
{
    return id < sizeof TYPES / sizeof *TYPES ? TYPES[id] : (gguf_type){NULL, YOKE_FORMAT_NONE};
}
