/* arm64: what the operating system says of the processor. */
#include "host/parts.h"

#if defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

/* Bits of arch/arm64/include/uapi/asm/hwcap.h, which older headers lack in part. */
#define HWCAP_BIT_ASIMD   (1ul << 1)
#define HWCAP_BIT_FPHP    (1ul << 9)
#define HWCAP_BIT_ASIMDHP (1ul << 10)
#define HWCAP_BIT_ASIMDDP (1ul << 20)
#define HWCAP2_BIT_I8MM   (1ul << 13)
#define HWCAP2_BIT_BF16   (1ul << 14)
#define HWCAP2_BIT_SME    (1ul << 23)

/* Bytes of a vector in streaming mode. Only where there is SME. */
static uint64_t streaming_vector_bytes(void)
{
    register uint64_t bytes __asm__("x0");
    __asm__(".inst 0x04bf5820" : "=r"(bytes)); /* rdsvl x0, #1, which older assemblers lack */
    return bytes;
}

uint32_t arm_features(void)
{
    unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
    if (!(first & HWCAP_BIT_ASIMD))
        return 0;
    uint32_t features = YOKE_CPU_NEON;
    if ((first & HWCAP_BIT_FPHP) && (first & HWCAP_BIT_ASIMDHP))
        features |= YOKE_CPU_NEON_FP16;
    if (first & HWCAP_BIT_ASIMDDP)
        features |= YOKE_CPU_NEON_DOTPROD;
    if (second & HWCAP2_BIT_I8MM)
        features |= YOKE_CPU_NEON_I8MM;
    if (second & HWCAP2_BIT_BF16)
        features |= YOKE_CPU_NEON_BF16;
    if ((second & HWCAP2_BIT_SME) && streaming_vector_bytes() == 64)
        features |= YOKE_CPU_SME;
    return features;
}

#elif defined(__aarch64__) && defined(__APPLE__)

#include <sys/sysctl.h>

static int value_of(const char *name)
{
    int value = 0;
    size_t bytes = sizeof value;
    return sysctlbyname(name, &value, &bytes, NULL, 0) == 0 ? value : 0;
}

static bool has(const char *name)
{
    return value_of(name) == 1;
}

uint32_t arm_features(void)
{
    uint32_t features = YOKE_CPU_NEON;
    if (has("hw.optional.arm.FEAT_FP16"))
        features |= YOKE_CPU_NEON_FP16;
    if (has("hw.optional.arm.FEAT_DotProd"))
        features |= YOKE_CPU_NEON_DOTPROD;
    if (has("hw.optional.arm.FEAT_I8MM"))
        features |= YOKE_CPU_NEON_I8MM;
    if (has("hw.optional.arm.FEAT_BF16"))
        features |= YOKE_CPU_NEON_BF16;
    if (has("hw.optional.arm.FEAT_SME") && value_of("hw.optional.arm.sme_max_svl_b") == 64)
        features |= YOKE_CPU_SME;
    return features;
}

#else

uint32_t arm_features(void)
{
    return 0;
}

#endif
