#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "choice.h"

static void a_comma_begins_another_engine(void **state)
{
    (void)state;
    choice c = {0};
    assert_true(choice_list(&c, "cpu:0,opencl:0,ref"));
    assert_int_equal(c.count, 3);
    assert_string_equal(c.specifications[0], "cpu:0");
    assert_string_equal(c.specifications[1], "opencl:0");
    assert_string_equal(c.specifications[2], "ref");
    choice_free(&c);
}

static void options_stay_with_the_engine_before_them(void **state)
{
    (void)state;
    choice c = {0};
    assert_true(choice_list(&c, "cpu:0,caller=1,isa=avx2,cpu:1,isa=avx2,ref"));
    assert_int_equal(c.count, 3);
    assert_string_equal(c.specifications[0], "cpu:0,caller=1,isa=avx2");
    assert_string_equal(c.specifications[1], "cpu:1,isa=avx2");
    assert_string_equal(c.specifications[2], "ref");
    choice_free(&c);
}

static void empty_engines_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"", ",", "cpu,", ",cpu", "cpu,,ref"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        choice c = {0};
        assert_false(choice_list(&c, bad[i]));
        choice_free(&c);
    }
}

static void nobody_s_choice_is_cpu_without_its_parts_and_without_ref(void **state)
{
    (void)state;
    yoke_context *context;
    choice c = {0};
    assert_int_equal(yoke_context_create(NULL, &context, NULL), YOKE_OK);
    choice_add_ready(&c, context);
    assert_true(c.count >= 1);
    assert_string_equal(c.specifications[0], "cpu");
    for (size_t i = 1; i < c.count; i++) {
        assert_string_not_equal(c.specifications[i], "ref");
        assert_memory_not_equal(c.specifications[i], "cpu", 3);
    }
    yoke_context_free(context);
}

static void engines_apart_never_share_the_host_s_cores(void **state)
{
    (void)state;
    yoke_context *context;
    choice c = {0};
    assert_int_equal(yoke_context_create(NULL, &context, NULL), YOKE_OK);
    choice_add_apart(&c, context);
    assert_true(c.count >= 1);
    for (size_t i = 0; i < c.count; i++) {
        const yoke_engine_info *info = yoke_context_engine_info(context, 0);
        for (size_t j = 1; strcmp(info->name, c.specifications[i]) != 0; j++)
            info = yoke_context_engine_info(context, j);
        bool core_set = strncmp(info->name, "cpu:", 4) == 0;
        assert_true(core_set || strcmp(info->name, "cpu") == 0 || !info->facts.on_host_cpu);
        assert_true(core_set == (strncmp(c.specifications[0], "cpu:", 4) == 0));
    }
    yoke_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comma_begins_another_engine),
        cmocka_unit_test(options_stay_with_the_engine_before_them),
        cmocka_unit_test(empty_engines_are_refused),
        cmocka_unit_test(nobody_s_choice_is_cpu_without_its_parts_and_without_ref),
        cmocka_unit_test(engines_apart_never_share_the_host_s_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
