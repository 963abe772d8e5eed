/* x86-64: what CPUID announces and the operating system saves. Never by model. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/parts.h"

#define BIT(n) (UINT32_C(1) << (n))

/* Bits of XCR0. */
#define XCR0_AVX    UINT64_C(0x6)  /* SSE, AVX */
#define XCR0_AVX512 UINT64_C(0xe6) /* and opmask, upper halves, upper registers */
#define XCR0_TILES  UINT64_C(0x60000)

static bool all(uint64_t word, uint64_t bits)
{
    return (word & bits) == bits;
}

static uint32_t avx512_features(const x86_words *words)
{
    uint32_t features = YOKE_CPU_AVX512;
    if (all(words->leaf7_ecx, BIT(11)))
        features |= YOKE_CPU_AVX512_VNNI;
    if (all(words->leaf7_ecx, BIT(1)))
        features |= YOKE_CPU_AVX512_VBMI;
    if (all(words->leaf7_edx, BIT(23)))
        features |= YOKE_CPU_AVX512_FP16;
    if (all(words->leaf7_1_eax, BIT(5)))
        features |= YOKE_CPU_AVX512_BF16;
    return features;
}

uint32_t x86_features_of(const x86_words *words)
{
    uint32_t features = 0;
    bool avx2 = all(words->leaf1_ecx, BIT(12) | BIT(28) | BIT(29)) && /* FMA, AVX, F16C */
                all(words->leaf7_ebx, BIT(5));
    bool avx512 = all(words->leaf7_ebx, BIT(16) | BIT(17) | BIT(30) | BIT(31)); /* F, DQ, BW, VL */
    bool tiles = all(words->leaf7_edx, BIT(24)) && words->tiles_permitted;
    if (avx2 && all(words->xcr0, XCR0_AVX))
        features |= YOKE_CPU_AVX2;
    if (avx512 && all(words->xcr0, XCR0_AVX512))
        features |= avx512_features(words);
    if (tiles && all(words->xcr0, XCR0_TILES)) {
        if (all(words->leaf7_edx, BIT(22)))
            features |= YOKE_CPU_AMX_BF16;
        if (all(words->leaf7_edx, BIT(25)))
            features |= YOKE_CPU_AMX_INT8;
    }
    return features;
}

const char *x86_hypervisor_name(const char *signature)
{
    static const char *const known[][2] = {
        {"KVMKVMKVM", "KVM"},      {"Microsoft Hv", "Hyper-V"},   {"VMwareVMware", "VMware"},
        {"XenVMMXenVMM", "Xen"},   {"TCGTCGTCGTCG", "QEMU"},      {"VBoxVBoxVBox", "VirtualBox"},
        {"bhyve bhyve ", "bhyve"}, {" lrpepyh  vr", "Parallels"}, {"ACRNACRNACRN", "ACRN"},
        {"QNXQVMBSQG", "QNX"},     {"SRESRESRESRE", "LMHS"},      {"VirtualApple", "Rosetta"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(signature, known[i][0]) == 0)
            return known[i][1];
    return NULL;
}

#if defined(__x86_64__)

#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define LEAF_HYPERVISOR 0x40000000u

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Linux hands out the 8 KiB of tile state only to processes that ask (Documentation/x86/xstate). */
static bool ask_for_tiles(void)
{
#ifdef __linux__
    const long arch_req_xcomp_perm = 0x1023, xfeature_xtiledata = 18;
    return syscall(SYS_arch_prctl, arch_req_xcomp_perm, xfeature_xtiledata) == 0;
#else
    return false;
#endif
}

uint32_t x86_features(void)
{
    x86_words words = {0};
    uint32_t a, b, c, d, subleaves;
    if (!__get_cpuid(1, &a, &b, &words.leaf1_ecx, &d))
        return 0;
    if (words.leaf1_ecx & BIT(27)) /* OSXSAVE */
        words.xcr0 = read_xcr0();
    if (!__get_cpuid_count(7, 0, &subleaves, &words.leaf7_ebx, &words.leaf7_ecx, &words.leaf7_edx))
        return 0;
    if (subleaves >= 1)
        __get_cpuid_count(7, 1, &words.leaf7_1_eax, &b, &c, &d);
    words.tiles_permitted = all(words.xcr0, XCR0_TILES) && ask_for_tiles();
    return x86_features_of(&words);
}

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if (!isprint((unsigned char)*text))
            return false;
    return true;
}

void x86_hypervisor(char *out, size_t out_bytes)
{
    uint32_t a, b, c, d;
    char signature[13] = "";
    out[0] = '\0';
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & BIT(31)))
        return;
    __cpuid(LEAF_HYPERVISOR, a, b, c, d);
    memcpy(signature, &b, 4);
    memcpy(signature + 4, &c, 4);
    memcpy(signature + 8, &d, 4);
    const char *name = x86_hypervisor_name(signature);
    if (!name)
        name = signature[0] && is_printable(signature) ? signature : "unknown";
    snprintf(out, out_bytes, "%s", name);
}

#else

uint32_t x86_features(void)
{
    return 0;
}

void x86_hypervisor(char *out, size_t out_bytes)
{
    (void)out_bytes;
    out[0] = '\0';
}

#endif
