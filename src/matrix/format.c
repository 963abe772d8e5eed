#include <strings.h>

#include "base/size.h"
#include "yoke/matrix.h"

/* Element formats as safetensors and npy have them; block formats and names as ggml has them. */
static const yoke_format_info FORMATS[YOKE_FORMAT_COUNT] = {
    [YOKE_FORMAT_NONE] = {"none", 1, 0, 0, false, false},

    [YOKE_F64] = {"f64", 1, 8, 0, true, true},
    [YOKE_F32] = {"f32", 1, 4, 0, true, true},
    [YOKE_F16] = {"f16", 1, 2, 0, true, true},
    [YOKE_BF16] = {"bf16", 1, 2, 0, true, true},
    [YOKE_BOOL] = {"bool", 1, 1, 0, true, false},
    [YOKE_U8] = {"u8", 1, 1, 0, true, false},
    [YOKE_I8] = {"i8", 1, 1, 0, true, false},
    [YOKE_U16] = {"u16", 1, 2, 0, true, false},
    [YOKE_I16] = {"i16", 1, 2, 0, true, false},
    [YOKE_U32] = {"u32", 1, 4, 0, true, false},
    [YOKE_I32] = {"i32", 1, 4, 0, true, false},
    [YOKE_U64] = {"u64", 1, 8, 0, true, false},
    [YOKE_I64] = {"i64", 1, 8, 0, true, false},
    [YOKE_C64] = {"c64", 1, 8, 0, false, false},
    [YOKE_C128] = {"c128", 1, 16, 0, false, false},
    [YOKE_F8_E4M3] = {"f8_e4m3", 1, 1, 0, true, false},
    [YOKE_F8_E5M2] = {"f8_e5m2", 1, 1, 0, true, false},
    [YOKE_F8_E8M0] = {"f8_e8m0", 1, 1, 0, true, false},
    [YOKE_F6_E2M3] = {"f6_e2m3", 4, 3, 0, true, false},
    [YOKE_F6_E3M2] = {"f6_e3m2", 4, 3, 0, true, false},
    [YOKE_F4_E2M1] = {"f4_e2m1", 2, 1, 0, true, false},

    [YOKE_Q4_0] = {"q4_0", 32, 18, 0, true, true},
    [YOKE_Q4_1] = {"q4_1", 32, 20, 0, true, false},
    [YOKE_Q5_0] = {"q5_0", 32, 22, 0, true, false},
    [YOKE_Q5_1] = {"q5_1", 32, 24, 0, true, false},
    [YOKE_Q8_0] = {"q8_0", 32, 34, 0, true, true},
    [YOKE_Q8_1] = {"q8_1", 32, 36, 0, false, false},
    [YOKE_Q2_K] = {"q2_k", 256, 84, 0, true, false},
    [YOKE_Q3_K] = {"q3_k", 256, 110, 0, true, false},
    [YOKE_Q4_K] = {"q4_k", 256, 144, 0, true, false},
    [YOKE_Q5_K] = {"q5_k", 256, 176, 0, true, false},
    [YOKE_Q6_K] = {"q6_k", 256, 210, 0, true, false},
    [YOKE_Q8_K] = {"q8_k", 256, 292, 0, true, false},
    [YOKE_IQ2_XXS] = {"iq2_xxs", 256, 66, 0, true, false},
    [YOKE_IQ2_XS] = {"iq2_xs", 256, 74, 0, true, false},
    [YOKE_IQ2_S] = {"iq2_s", 256, 82, 0, true, false},
    [YOKE_IQ3_XXS] = {"iq3_xxs", 256, 98, 0, true, false},
    [YOKE_IQ3_S] = {"iq3_s", 256, 110, 0, true, false},
    [YOKE_IQ1_S] = {"iq1_s", 256, 50, 0, true, false},
    [YOKE_IQ1_M] = {"iq1_m", 256, 56, 0, true, false},
    [YOKE_IQ4_NL] = {"iq4_nl", 32, 18, 0, true, false},
    [YOKE_IQ4_XS] = {"iq4_xs", 256, 136, 0, true, false},
    [YOKE_TQ1_0] = {"tq1_0", 256, 54, 0, true, false},
    [YOKE_TQ2_0] = {"tq2_0", 256, 66, 0, true, false},
    [YOKE_MXFP4] = {"mxfp4", 32, 17, 0, true, false},
    [YOKE_NVFP4] = {"nvfp4", 64, 36, 0, true, false},
    [YOKE_Q1_0] = {"q1_0", 128, 18, 0, true, false},
    [YOKE_Q2_0] = {"q2_0", 64, 18, 0, true, false},

    [YOKE_LUT1] = {"lut1", 8, 1, 4, true, false},
    [YOKE_LUT2] = {"lut2", 4, 1, 8, true, false},
    [YOKE_LUT3] = {"lut3", 8, 3, 16, true, false},
    [YOKE_LUT4] = {"lut4", 2, 1, 32, true, false},
    [YOKE_LUT6] = {"lut6", 4, 3, 128, true, false},
    [YOKE_LUT8] = {"lut8", 1, 1, 512, true, false},
    [YOKE_INT4] = {"int4", 2, 1, 8, true, false},
    [YOKE_INT8] = {"int8", 1, 1, 8, true, false},
};

const yoke_format_info *yoke_format_get(yoke_format format)
{
    size_t index = (size_t)format;
    return &FORMATS[index < YOKE_FORMAT_COUNT ? index : YOKE_FORMAT_NONE];
}

yoke_format yoke_format_find(const char *name)
{
    for (size_t i = 1; name && i < YOKE_FORMAT_COUNT; i++)
        if (strcasecmp(name, FORMATS[i].name) == 0)
            return (yoke_format)i;
    return YOKE_FORMAT_NONE;
}

yoke_status yoke_format_bytes(yoke_format format, size_t rows, size_t cols, size_t *bytes,
                              yoke_error *err)
{
    if (!bytes)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_format_bytes: bytes is NULL");
    const yoke_format_info *info = yoke_format_get(format);
    if (info->block_bytes == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%d is no matrix format", (int)format);
    if (cols % info->block != 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE,
                              "%zu columns are not whole %s blocks of %zu elements", cols,
                              info->name, info->block);
    size_t row_bytes;
    if (!size_mul(cols / info->block, info->block_bytes, &row_bytes) ||
        !size_mul(row_bytes, rows, bytes))
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%zu x %zu elements of %s do not fit memory",
                              rows, cols, info->name);
    return YOKE_OK;
}
