/* Half floats against their definition, computed in double with ldexp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/half.h"

/* The value of a 16-bit float by its definition; NaN excluded. */
static double defined_value(unsigned bits, int exponent_bits)
{
    int fraction_bits = 15 - exponent_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    double fraction = ldexp(bits & ((1u << fraction_bits) - 1u), -fraction_bits);
    double sign = bits & 0x8000u ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1)
        return sign * INFINITY;
    return exponent == 0 ? sign * ldexp(fraction, 1 - bias)
                         : sign * ldexp(1.0 + fraction, exponent - bias);
}

static int is_nan_pattern(unsigned bits, unsigned infinity)
{
    return (bits & 0x7fffu) > infinity;
}

static void every_f16_has_the_value_of_its_definition(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 0x10000u; bits++) {
        float value = f16_to_f32((uint16_t)bits);
        if (is_nan_pattern(bits, 0x7c00u)) {
            assert_true(isnan(value) && (float_to_bits(value) & 0x400000u)); /* quiet */
            assert_true(is_nan_pattern(f16_from_f32(value), 0x7c00u));
        } else {
            assert_true((double)value == defined_value(bits, 5));
            assert_int_equal(signbit(value) != 0, bits >> 15);
            assert_int_equal(f16_from_f32(value), bits);
        }
    }
}

static void every_bf16_has_the_value_of_its_definition(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 0x10000u; bits++) {
        float value = bf16_to_f32((uint16_t)bits);
        if (is_nan_pattern(bits, 0x7f80u)) {
            assert_true(isnan(value));
            assert_true(is_nan_pattern(bf16_from_f32(value), 0x7f80u));
        } else {
            assert_true((double)value == defined_value(bits, 8));
            assert_int_equal(signbit(value) != 0, bits >> 15);
            assert_int_equal(bf16_from_f32(value), bits);
        }
    }
}

/* Between two neighbours: below the middle goes down, above it up, the middle to the even one. */
static void check_rounding_between(unsigned low, int exponent_bits, uint16_t (*round)(float),
                                   double beyond)
{
    double a = defined_value(low, exponent_bits), b = defined_value(low + 1, exponent_bits);
    float middle = (float)((a + (isinf(b) ? beyond : b)) / 2);
    unsigned even = low & 1u ? low + 1 : low;
    assert_int_equal(round(middle), even);
    assert_int_equal(round(nextafterf(middle, 0.0f)), low);
    assert_int_equal(round(nextafterf(middle, INFINITY)), low + 1);
    assert_int_equal(round(-middle), even | 0x8000u);
}

static void f16_rounds_to_nearest_even_between_all_neighbours(void **state)
{
    (void)state;
    for (unsigned low = 0; low < 0x7c00u; low++)
        check_rounding_between(low, 5, f16_from_f32, 65536.0);
}

static void bf16_rounds_to_nearest_even_between_all_neighbours(void **state)
{
    (void)state;
    for (unsigned low = 0; low < 0x7f80u; low++)
        check_rounding_between(low, 8, bf16_from_f32, 0x1p128);
}

static void bf16_keeps_nan_and_overflows_to_infinity(void **state)
{
    (void)state;
    assert_true(is_nan_pattern(bf16_from_f32(float_from_bits(0x7f800001u)), 0x7f80u));
    assert_true(is_nan_pattern(bf16_from_f32(float_from_bits(0x7fff8c22u)), 0x7f80u));
    assert_true(is_nan_pattern(bf16_from_f32(float_from_bits(0xff800001u)), 0x7f80u));
    assert_int_equal(bf16_from_f32(float_from_bits(0x7f7fffffu)), 0x7f80);
    assert_int_equal(bf16_from_f32(-INFINITY), 0xff80);
}

static void f16_keeps_nan_and_overflows_to_infinity(void **state)
{
    (void)state;
    assert_true(is_nan_pattern(f16_from_f32(float_from_bits(0x7f800001u)), 0x7c00u));
    assert_true(is_nan_pattern(f16_from_f32(float_from_bits(0x7fff8c22u)), 0x7c00u));
    assert_int_equal(f16_from_f32(65536.0f), 0x7c00);
    assert_int_equal(f16_from_f32(65504.0f), 0x7bff);
    assert_int_equal(f16_from_f32(-1e30f), 0xfc00);
    assert_int_equal(f16_from_f32(-INFINITY), 0xfc00);
    assert_int_equal(f16_from_f32(0x1p-24f), 0x0001);
    assert_int_equal(f16_from_f32(1e-45f), 0x0000);
    assert_int_equal(f16_from_f32(-0.0f), 0x8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_f16_has_the_value_of_its_definition),
        cmocka_unit_test(every_bf16_has_the_value_of_its_definition),
        cmocka_unit_test(f16_rounds_to_nearest_even_between_all_neighbours),
        cmocka_unit_test(bf16_rounds_to_nearest_even_between_all_neighbours),
        cmocka_unit_test(bf16_keeps_nan_and_overflows_to_infinity),
        cmocka_unit_test(f16_keeps_nan_and_overflows_to_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
