#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/parts.h"

/* A processor that announces everything (the words of a Sapphire Rapids, by Intel's manual, volume
 * 2A, CPUID) under a system that saves everything: x87 SSE AVX, AVX-512, PKRU, tiles. */
static x86_words everything(void)
{
    return (x86_words){.leaf1_ecx = 1u << 12 | 1u << 27 | 1u << 28 | 1u << 29,
                       .leaf7_ebx = 1u << 5 | 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31,
                       .leaf7_ecx = 1u << 1 | 1u << 11,
                       .leaf7_edx = 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25,
                       .leaf7_1_eax = 1u << 4 | 1u << 5,
                       .xcr0 = 0x602e7,
                       .tiles_permitted = true};
}

static const uint32_t avx512_all = YOKE_CPU_AVX512 | YOKE_CPU_AVX512_BF16 | YOKE_CPU_AVX512_FP16 |
                                   YOKE_CPU_AVX512_VBMI | YOKE_CPU_AVX512_VNNI;
static const uint32_t amx_all = YOKE_CPU_AMX_BF16 | YOKE_CPU_AMX_INT8;

static void everything_announced_and_saved_is_everything(void **state)
{
    (void)state;
    x86_words words = everything();
    assert_int_equal(x86_features_of(&words), YOKE_CPU_AVX2 | avx512_all | amx_all);
}

static void avx512_needs_the_system_to_save_its_registers(void **state)
{
    (void)state;
    x86_words words = everything();
    words.xcr0 = 0x7;
    assert_int_equal(x86_features_of(&words), YOKE_CPU_AVX2);
    words.xcr0 = 0x3;
    assert_int_equal(x86_features_of(&words), 0);
}

static void tiles_need_saved_state_and_permission(void **state)
{
    (void)state;
    x86_words words = everything();
    words.xcr0 = 0xe7;
    assert_int_equal(x86_features_of(&words), YOKE_CPU_AVX2 | avx512_all);
    words = everything();
    words.tiles_permitted = false;
    assert_int_equal(x86_features_of(&words), YOKE_CPU_AVX2 | avx512_all);
}

static void avx2_needs_fma_and_half_conversion(void **state)
{
    (void)state;
    x86_words words = {
        .leaf1_ecx = 1u << 27 | 1u << 28 | 1u << 29, .leaf7_ebx = 1u << 5, .xcr0 = 7};
    assert_int_equal(x86_features_of(&words), 0);
    words.leaf1_ecx |= 1u << 12;
    assert_int_equal(x86_features_of(&words), YOKE_CPU_AVX2);
}

static void avx512_needs_all_four_parts(void **state)
{
    (void)state;
    x86_words words = everything();
    words.leaf7_ebx &= ~(1u << 31); /* no VL: a Knights Landing */
    assert_int_equal(x86_features_of(&words) & avx512_all, 0);
}

static void amx_kinds_are_told_apart(void **state)
{
    (void)state;
    x86_words words = everything();
    words.leaf7_edx &= ~(1u << 22);
    assert_int_equal(x86_features_of(&words) & amx_all, YOKE_CPU_AMX_INT8);
}

static void features_agree_with_the_compiler_about_this_machine(void **state)
{
    (void)state;
#if defined(__x86_64__)
    uint32_t features = x86_features();
    __builtin_cpu_init();
    assert_int_equal((features & YOKE_CPU_AVX2) != 0,
                     __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    assert_int_equal((features & YOKE_CPU_AVX512) != 0, __builtin_cpu_supports("avx512bw") &&
                                                            __builtin_cpu_supports("avx512dq") &&
                                                            __builtin_cpu_supports("avx512vl"));
    assert_int_equal((features & YOKE_CPU_AVX512_VNNI) != 0,
                     __builtin_cpu_supports("avx512vnni") != 0);
    assert_int_equal((features & YOKE_CPU_AVX512_VBMI) != 0,
                     __builtin_cpu_supports("avx512vbmi") != 0);
    assert_int_equal(arm_features(), 0);
#elif defined(__aarch64__)
    assert_true(arm_features() & YOKE_CPU_NEON);
    assert_int_equal(x86_features(), 0);
#else
    print_message("no features are known for this processor\n");
    skip();
#endif
}

static void hypervisors_are_named_by_their_signature(void **state)
{
    (void)state;
    assert_string_equal(x86_hypervisor_name("KVMKVMKVM"), "KVM");
    assert_string_equal(x86_hypervisor_name("Microsoft Hv"), "Hyper-V");
    assert_null(x86_hypervisor_name("SomethingNew"));
}

static void features_read_as_words(void **state)
{
    (void)state;
    char text[64];
    yoke_host_features_text(YOKE_CPU_AVX2 | YOKE_CPU_AVX512 | YOKE_CPU_AVX512_BF16, text,
                            sizeof text);
    assert_string_equal(text, "avx2 avx512 avx512_bf16");
    assert_ptr_equal(yoke_host_features_text(0, text, sizeof text), text);
    assert_string_equal(text, "");
}

static void features_text_is_cut_between_words(void **state)
{
    (void)state;
    char text[12] = "xxxxxxxxxxx";
    yoke_host_features_text(YOKE_CPU_AVX2 | YOKE_CPU_AVX512, text, 11);
    assert_string_equal(text, "avx2");
    yoke_host_features_text(YOKE_CPU_AVX2 | YOKE_CPU_AVX512, text, 12);
    assert_string_equal(text, "avx2 avx512");
    yoke_host_features_text(YOKE_CPU_AVX2, text, 1);
    assert_string_equal(text, "");
    yoke_host_features_text(YOKE_CPU_AVX2, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_announced_and_saved_is_everything),
        cmocka_unit_test(avx512_needs_the_system_to_save_its_registers),
        cmocka_unit_test(tiles_need_saved_state_and_permission),
        cmocka_unit_test(avx2_needs_fma_and_half_conversion),
        cmocka_unit_test(avx512_needs_all_four_parts),
        cmocka_unit_test(amx_kinds_are_told_apart),
        cmocka_unit_test(features_agree_with_the_compiler_about_this_machine),
        cmocka_unit_test(hypervisors_are_named_by_their_signature),
        cmocka_unit_test(features_read_as_words),
        cmocka_unit_test(features_text_is_cut_between_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
