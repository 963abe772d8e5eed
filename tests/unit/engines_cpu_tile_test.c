/* The model of the AMX tiles that the tests of the AMX paths run on: that it computes what Intel
 * describes, and notices what the processor would refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *fault;
#define TILE_FAULT(what) ((void)(fault = (what)))
#define AMX_EMULATED
#include "engines/cpu/amx_tile.h"

static tile_config whole_tiles(void)
{
    tile_config config = {.palette = 1};
    for (size_t t = 0; t < 8; t++) {
        config.rows[t] = 16;
        config.row_bytes[t] = 64;
    }
    return config;
}

static void configure(const tile_config *config)
{
    fault = NULL;
    tile_configure(config);
}

#define assert_fault(call, what)                                                                   \
    do {                                                                                           \
        fault = NULL;                                                                              \
        call;                                                                                      \
        assert_non_null(fault);                                                                    \
        assert_string_equal(fault, what);                                                          \
    } while (0)

static void use_without_configuration_is_a_fault(void **unused)
{
    (void)unused;
    char memory[1024] = {0};
    tile_config config = whole_tiles();
    tile_release();
    assert_fault(tile_zero(0), "tile not configured");
    assert_fault(tile_load(0, memory, 64), "tile not configured");
    assert_fault(tile_store(0, memory, 64), "tile not configured");
    assert_fault(tile_dp_bf16(0, 1, 2), "tile not configured");
    config.rows[3] = 0;
    config.row_bytes[3] = 0;
    configure(&config);
    assert_null(fault);
    assert_fault(tile_dp_i8(0, 3, 2), "tile not configured");
    tile_release();
    assert_fault(tile_zero(0), "tile not configured");
}

static void a_configuration_outside_the_palette_is_a_fault(void **unused)
{
    (void)unused;
    const char *what = "configuration outside palette 1";
    tile_config config = whole_tiles();
    config.rows[2] = 17;
    assert_fault(tile_configure(&config), what);
    config = whole_tiles();
    config.row_bytes[2] = 65;
    assert_fault(tile_configure(&config), what);
    config = whole_tiles();
    config.rows[8] = 16;
    config.row_bytes[8] = 64;
    assert_fault(tile_configure(&config), what);
    config = whole_tiles();
    config.palette = 2;
    assert_fault(tile_configure(&config), what);
    config = whole_tiles();
    config.reserved[13] = 1;
    assert_fault(tile_configure(&config), what);
    config = whole_tiles();
    config.rows[1] = 0;
    assert_fault(tile_configure(&config), what);
}

static void products_of_tiles_that_do_not_fit_are_faults(void **unused)
{
    (void)unused;
    const char *what = "tiles that do not go together";
    tile_config config = whole_tiles();
    config.rows[3] = 8;       /* fewer rows of a, or of b */
    config.row_bytes[4] = 32; /* a shorter k, or fewer columns */
    configure(&config);
    assert_fault(tile_dp_bf16(0, 3, 2), what);
    assert_fault(tile_dp_bf16(0, 1, 3), what);
    assert_fault(tile_dp_i8(0, 4, 2), what);
    assert_fault(tile_dp_i8(0, 1, 4), what);
    assert_fault(tile_dp_i8(0, 1, 1), what);
    fault = NULL;
    tile_dp_bf16(0, 4, 3);
    assert_null(fault);
}

static void loads_and_stores_touch_the_configured_rows_and_bytes_alone(void **unused)
{
    (void)unused;
    unsigned char from[16 * 100], to[16 * 100];
    tile_config config = whole_tiles();
    config.rows[0] = 3;
    config.row_bytes[0] = 20;
    configure(&config);
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i % 251 + 1);
    memset(to, 0, sizeof to);
    tile_load(0, from, 100);
    tile_store(0, to, 100);
    assert_null(fault);
    for (size_t i = 0; i < sizeof to; i++)
        assert_int_equal(to[i], i / 100 < 3 && i % 100 < 20 ? from[i] : 0);
}

/* One row by one column: pairs (or quadruples) of a and b, the sum before and after. */
static float dot_bf16(const uint16_t *a, const uint16_t *b, size_t k, float before)
{
    tile_config config = {.palette = 1};
    config.rows[0] = config.rows[1] = 1;
    config.row_bytes[0] = config.row_bytes[2] = 4;
    config.row_bytes[1] = (uint16_t)(2 * k);
    config.rows[2] = (uint8_t)(k / 2);
    configure(&config);
    tile_load(0, &before, 4);
    tile_load(1, a, 2 * k);
    tile_load(2, b, 4);
    tile_dp_bf16(0, 1, 2);
    float after;
    tile_store(0, &after, 4);
    assert_null(fault);
    return after;
}

#define ONE       0x3f80 /* bf16 */
#define TWO_24    0x4b80
#define MINUS_24  0xcb80
#define SUBNORMAL 0x0040
#define SMALLEST  0x0080 /* 2^-126 */
#define HALF      0x3f00

static void bf16_products_sum_even_and_odd_k_apart_before_they_meet_c(void **unused)
{
    (void)unused;
    /* Even k give 2^24 + 1 - 2^24: the 1 is lost to rounding (to even) only if they are summed in
     * order among themselves; odd k give 1. */
    static const uint16_t a[6] = {TWO_24, ONE, ONE, 0, MINUS_24, 0};
    static const uint16_t b[6] = {ONE, ONE, ONE, ONE, ONE, ONE};
    assert_true(dot_bf16(a, b, 6, 5.0f) == 6.0f);
    /* c joins last: 2^24 + (1 + 1) is exact, (2^24 + 1) + 1 is not. */
    static const uint16_t ones[2] = {ONE, ONE};
    assert_true(dot_bf16(ones, b, 2, 0x1p24f) == 0x1p24f + 2.0f);
}

static void bf16_products_take_subnormals_as_zero_and_make_none(void **unused)
{
    (void)unused;
    static const uint16_t a[2] = {SUBNORMAL, 0}, b[2] = {TWO_24, 0};
    assert_true(dot_bf16(a, b, 2, 1.0f) == 1.0f);
    static const uint16_t small[2] = {SMALLEST, 0}, half[2] = {HALF, 0};
    assert_true(dot_bf16(small, half, 2, 0.0f) == 0.0f);
    assert_true(dot_bf16(half, half, 2, 0x1p-130f) == 0.25f);
    static const uint16_t zero[2] = {0, 0};
    assert_true(dot_bf16(zero, half, 2, 0x1p-130f) == 0.0f);
}

static void int8_products_are_signed_and_exact(void **unused)
{
    (void)unused;
    static const int8_t a[64] = {-128, 127, -1, 2, 3}, b[16][4] = {{-128, -128, 5, 7}, {11}};
    tile_config config = whole_tiles();
    config.rows[0] = config.rows[1] = 1;
    config.row_bytes[0] = config.row_bytes[2] = 4;
    configure(&config);
    int32_t sum = 1000000;
    tile_load(0, &sum, 4);
    tile_load(1, a, 64);
    tile_load(2, b, 4);
    tile_dp_i8(0, 1, 2);
    tile_store(0, &sum, 4);
    assert_null(fault);
    assert_int_equal(sum, 1000000 + 128 * 128 - 127 * 128 - 5 + 14 + 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(use_without_configuration_is_a_fault),
        cmocka_unit_test(a_configuration_outside_the_palette_is_a_fault),
        cmocka_unit_test(products_of_tiles_that_do_not_fit_are_faults),
        cmocka_unit_test(loads_and_stores_touch_the_configured_rows_and_bytes_alone),
        cmocka_unit_test(bf16_products_sum_even_and_odd_k_apart_before_they_meet_c),
        cmocka_unit_test(bf16_products_take_subnormals_as_zero_and_make_none),
        cmocka_unit_test(int8_products_are_signed_and_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
