/* IOReport's channels by name, over its stand-in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/counters.h"
#include "standin/apple/ioreport/control.h"
#include "unit/standin_framework.h"

static void (*set)(const standin_channel *, size_t);

static int load(void **state)
{
    (void)state;
    return standin_open("IOReport", "standin_ioreport_set", &set);
}

/* One interval of an engine on a chip that counts so. */
static counters_reading read_once(const standin_channel *channels, size_t count, const char *engine,
                                  const char *cpu)
{
    counters *c = NULL;
    counters_reading reading;
    set(channels, count);
    assert_int_equal(counters_open("/nowhere", engine, cpu, &c, NULL), YOKE_OK);
    counters_begin(c);
    counters_end(c, &reading);
    counters_free(c);
    return reading;
}

#define READ(channels, engine, cpu)                                                                \
    read_once(channels, sizeof(channels) / sizeof *(channels), engine, cpu)

#define AMC    .group = "AMC Stats", .subgroup = "Perf Counters"
#define ENERGY .group = "Energy Model", .subgroup = ""

static const standin_channel m4[] = {
    {AMC, .name = "DCS RD", .step = 9000000000},
    {AMC, .name = "ANE DCS RD", .step = 1050000000},
    {AMC, .name = "ANE DCS WR", .step = 700000},
    {AMC, .name = "GFX DCS RD", .step = 111},
    {ENERGY, .name = "ANE", .unit = "mJ", .step = 0},
    {ENERGY, .name = "CPU Energy", .unit = "mJ", .step = 1500},
    {ENERGY, .name = "GPU Energy", .unit = "nJ ", .step = 250000000},
};

static void bytes_are_those_of_the_engines_own_channels(void **state)
{
    (void)state;
    counters_reading r = READ(m4, "ane", "Apple M4");
    assert_true(r.bytes == 1050000000.0 + 700000.0);
    assert_string_equal(r.bytes_source, "IOReport AMC Stats: ANE DCS RD and its likes");
    assert_true(READ(m4, "coreml", "Apple M4").bytes == r.bytes);
    assert_true(READ(m4, "metal", "Apple M4").bytes == 111);
    assert_true(isnan(READ(m4, "cpu", "Apple M4").bytes));
}

static void energy_that_is_frozen_is_not_known(void **state)
{
    (void)state;
    counters_reading r = READ(m4, "ane", "Apple M4");
    assert_true(isnan(r.joules));
    assert_string_equal(r.joules_source, "");
}

static void energy_is_in_the_unit_that_the_channel_names(void **state)
{
    (void)state;
    assert_true(fabs(READ(m4, "cpu:0", "Apple M4").joules - 1.5) < 1e-9);
    assert_true(fabs(READ(m4, "metal", "Apple M4").joules - 0.25) < 1e-9);
    const standin_channel m1 = {ENERGY, .name = "ANE", .unit = "uJ", .step = 42};
    assert_true(fabs(read_once(&m1, 1, "ane", "Apple M1").joules - 42e-6) < 1e-12);
}

/* M1: the same traffic under several names. */
static void traffic_with_two_names_is_counted_once(void **state)
{
    (void)state;
    static const standin_channel m1[] = {
        {AMC, .name = "ANE0 RD", .step = 500},     {AMC, .name = "ANE0 WR", .step = 50},
        {AMC, .name = "ANE0 DCS RD", .step = 400}, {AMC, .name = "ANE0 DCS WR", .step = 40},
        {AMC, .name = "ANE NRT AF RD", .step = 7},
    };
    assert_true(READ(m1, "ane", "Apple M1").bytes == 440);
}

static void energy_of_two_dies_is_added(void **state)
{
    (void)state;
    static const standin_channel ultra[] = {
        {ENERGY, .name = "ANE0_0", .unit = "mJ", .step = 300},
        {ENERGY, .name = "ANE0_1", .unit = "mJ", .step = 200},
        {ENERGY, .name = "DRAM0", .unit = "mJ", .step = 900},
    };
    assert_true(fabs(READ(ultra, "ane", "Apple M3 Ultra").joules - 0.5) < 1e-9);
}

/* 4408 samples a second on an M4: half of them at 10 to 11 GB/s, half at 20 to 21, is 15.5 GB in a
 * second. */
#define BINS(in_10, in_20, in_last)                                                                \
    .states = {                                                                                    \
        {"0", 0},  {"1", 0},  {"2", 0},  {"3", 0},        {"4", 0},  {"5", 0},  {"6", 0},          \
        {"7", 0},  {"8", 0},  {"9", 0},  {"10", in_10},   {"11", 0}, {"12", 0}, {"13", 0},         \
        {"14", 0}, {"15", 0}, {"16", 0}, {"17", 0},       {"18", 0}, {"19", 0}, {"20", in_20},     \
        {"21", 0}, {"22", 0}, {"23", 0}, {"24", 0},       {"25", 0}, {"26", 0}, {"27", 0},         \
        {"28", 0}, {"29", 0}, {"30", 0}, {"31", in_last},                                          \
    }

static void chip_that_hides_the_count_is_read_by_its_histogram(void **state)
{
    (void)state;
    static const standin_channel histogram[] = {
        {AMC, .name = "ANE DCS RD", .step = 5, .unsubscribable = true},
        {.group = "PMP", .subgroup = "DCS BW", .name = "ANE0 RD", BINS(2204, 2204, 0)},
    };
    counters_reading r = READ(histogram, "ane", "Apple M4");
    assert_true(fabs(r.bytes / 15.5e9 - 1) < 1e-9);
    assert_string_equal(r.bytes_source, "IOReport PMP: ANE0 RD and its likes");
}

static void histogram_beyond_its_scale_says_that_it_is_too_low(void **state)
{
    (void)state;
    const standin_channel full = {
        .group = "PMP", .subgroup = "DCS BW", .name = "ANE0 RD", BINS(0, 0, 4408)};
    counters_reading r = read_once(&full, 1, "ane", "Apple M4");
    assert_true(fabs(r.bytes / 31.5e9 - 1) < 1e-9);
    assert_non_null(strstr(r.bytes_source, "beyond its scale: at least so much"));
}

static void histogram_of_a_chip_whose_rate_nobody_knows_says_nothing(void **state)
{
    (void)state;
    const standin_channel histogram = {
        .group = "PMP", .subgroup = "DCS BW", .name = "ANE0 RD", BINS(100, 0, 0)};
    assert_true(isnan(read_once(&histogram, 1, "ane", "Apple M4 Max").bytes));
}

static void other_channels_with_ane_in_their_name_do_not_count(void **state)
{
    (void)state;
    static const standin_channel others[] = {
        {AMC, .name = "ANE DCS RD2", .step = 5},
        {AMC, .name = "PLANE DCS RD", .step = 5},
        {ENERGY, .name = "ANE_SRAM", .unit = "mJ", .step = 5},
    };
    counters_reading r = READ(others, "ane", "Apple M4");
    assert_true(isnan(r.bytes) && isnan(r.joules));
}

static void chip_without_any_of_them_counts_nothing(void **state)
{
    (void)state;
    counters *c = NULL;
    set(NULL, 0);
    assert_int_equal(counters_open("/nowhere", "ane", "Apple M3 Max", &c, NULL), YOKE_OK);
    assert_false(counters_any(c));
    counters_free(c);
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_engines_own_channels),
        cmocka_unit_test(energy_that_is_frozen_is_not_known),
        cmocka_unit_test(energy_is_in_the_unit_that_the_channel_names),
        cmocka_unit_test(traffic_with_two_names_is_counted_once),
        cmocka_unit_test(energy_of_two_dies_is_added),
        cmocka_unit_test(chip_that_hides_the_count_is_read_by_its_histogram),
        cmocka_unit_test(histogram_beyond_its_scale_says_that_it_is_too_low),
        cmocka_unit_test(histogram_of_a_chip_whose_rate_nobody_knows_says_nothing),
        cmocka_unit_test(other_channels_with_ane_in_their_name_do_not_count),
        cmocka_unit_test(chip_without_any_of_them_counts_nothing),
    };
    return cmocka_run_group_tests(tests, load, nothing_is_left);
}
