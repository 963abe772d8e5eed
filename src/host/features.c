#include <string.h>

#include "yoke/host.h"

static const struct {
    uint32_t feature;
    const char *name;
} names[] = {
    {YOKE_CPU_AVX2, "avx2"},
    {YOKE_CPU_AVX512, "avx512"},
    {YOKE_CPU_AVX512_BF16, "avx512_bf16"},
    {YOKE_CPU_AVX512_FP16, "avx512_fp16"},
    {YOKE_CPU_AVX512_VBMI, "avx512_vbmi"},
    {YOKE_CPU_AVX512_VNNI, "avx512_vnni"},
    {YOKE_CPU_AMX_BF16, "amx_bf16"},
    {YOKE_CPU_AMX_INT8, "amx_int8"},
    {YOKE_CPU_NEON, "neon"},
    {YOKE_CPU_NEON_FP16, "neon_fp16"},
    {YOKE_CPU_NEON_BF16, "neon_bf16"},
    {YOKE_CPU_NEON_DOTPROD, "neon_dotprod"},
    {YOKE_CPU_NEON_I8MM, "neon_i8mm"},
    {YOKE_CPU_SME, "sme"},
};

char *yoke_host_features_text(uint32_t features, char *out, size_t out_bytes)
{
    if (out_bytes == 0)
        return out;
    size_t used = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i].name);
        size_t gap = used > 0;
        if (!(features & names[i].feature))
            continue;
        if (used + gap + length + 1 > out_bytes) /* cut between names, not within one */
            break;
        if (gap)
            out[used++] = ' ';
        memcpy(out + used, names[i].name, length);
        used += length;
    }
    out[used] = '\0';
    return out;
}
