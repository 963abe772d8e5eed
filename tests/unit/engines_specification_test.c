#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engines/specification.h"

static void parse_fails(const char *text, const char *why)
{
    specification parsed;
    yoke_error err = {0};
    assert_int_equal(specification_parse(text, &parsed, &err), YOKE_ERR_USAGE);
    assert_non_null(strstr(err.text, why));
}

static void a_bare_name_has_no_device_and_no_options(void **state)
{
    (void)state;
    specification parsed;
    assert_int_equal(specification_parse("cpu", &parsed, NULL), YOKE_OK);
    assert_string_equal(parsed.name, "cpu");
    assert_string_equal(parsed.config.device, "");
    assert_int_equal(parsed.config.option_count, 0);
    specification_free(&parsed);
}

static void device_and_options_come_in_their_order(void **state)
{
    (void)state;
    specification parsed;
    assert_int_equal(specification_parse("cpu:0,isa=avx2,pin,path=a=b:c", &parsed, NULL), YOKE_OK);
    assert_string_equal(parsed.name, "cpu");
    assert_string_equal(parsed.config.device, "0");
    assert_int_equal(parsed.config.option_count, 3);
    assert_string_equal(yoke_engine_option_get(&parsed.config, "isa"), "avx2");
    assert_string_equal(yoke_engine_option_get(&parsed.config, "pin"), "");
    assert_string_equal(yoke_engine_option_get(&parsed.config, "path"), "a=b:c");
    assert_null(yoke_engine_option_get(&parsed.config, "threads"));
    specification_free(&parsed);
}

static void a_colon_within_an_option_is_no_device(void **state)
{
    (void)state;
    specification parsed;
    assert_int_equal(specification_parse("fake,x=1:2", &parsed, NULL), YOKE_OK);
    assert_string_equal(parsed.config.device, "");
    assert_string_equal(yoke_engine_option_get(&parsed.config, "x"), "1:2");
    specification_free(&parsed);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    parse_fails("", "name");
    parse_fails(":0", "name");
    parse_fails("CPU", "name");
    parse_fails("cpu 0", "name");
    parse_fails("cpu:", "no device");
    parse_fails("cpu:,a=1", "no device");
    parse_fails("cpu,", "without a name");
    parse_fails("cpu,=1", "without a name");
    parse_fails("cpu,a=1,,b=2", "without a name");
    parse_fails("cpu,isa=avx2,isa=avx512", "\"isa\" is given twice");
}

static void unknown_options_are_named_beside_the_known_ones(void **state)
{
    (void)state;
    static const char *const known[] = {"isa", "threads", NULL};
    specification parsed;
    yoke_error err = {0};
    assert_int_equal(specification_parse("cpu,threads=1,isb=2", &parsed, NULL), YOKE_OK);
    assert_int_equal(yoke_engine_option_check(&parsed.config, known, &err), YOKE_ERR_USAGE);
    assert_non_null(strstr(err.text, "\"isb\""));
    assert_non_null(strstr(err.text, "isa, threads"));
    specification_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_name_has_no_device_and_no_options),
        cmocka_unit_test(device_and_options_come_in_their_order),
        cmocka_unit_test(a_colon_within_an_option_is_no_device),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(unknown_options_are_named_beside_the_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
