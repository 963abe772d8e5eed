/* yoke matmul --engines: one product on several engines. It watches simulated ones in real time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "program.h"

static double real_of(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!json_is_number(value))
        fail_msg("no number %s", name);
    return json_number_value(value);
}

static json_t *json_of(const program *p)
{
    json_error_t error;
    json_t *object = json_loads(p->out, 0, &error);
    if (!object)
        fail_msg("%s\n%s\n%s", error.text, p->out, p->err);
    return object;
}

/* Two that take 10 and 20 ms for all of it. */
#define TWO_ENGINES "fake,rate_gflops=0.002048,fake,rate_gflops=0.001024"

static void split_says_what_each_took_and_how_close_it_came(void **state)
{
    (void)state;
    program p = program_run("matmul", "--shape", "1x160x64", "--engines", TWO_ENGINES, "--check",
                            "--split", "n");
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    static const char *const parts[] = {"\nfake,rate_gflops=0.002048 ",
                                        "\nsplit ",
                                        "windows along N",
                                        "best single  ",
                                        "ideal        ",
                                        "reached      ",
                                        "efficiency   ",
                                        "copied       0 B"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!text_has(p.out, parts[i]))
            fail_msg("no \"%s\" in\n%s", parts[i], p.out);
    program_free(&p);
}

static void json_of_a_split_has_its_figures(void **state)
{
    (void)state;
    program p =
        program_run("matmul", "--shape", "1x160x64", "--engines", TWO_ENGINES, "--json", "-");
    assert_int_equal(p.exit_code, 0);
    json_t *object = json_of(&p);
    double single = real_of(object, "best_single_ns"), ideal = real_of(object, "ideal_ns");
    double reached = real_of(object, "reached_ns");
    assert_true(single >= 1e7); /* the fake never runs ahead of its script */
    assert_true(reached >= 1e7 * 2 / 3 - 2e4);
    assert_true(ideal <= single);
    double efficiency = real_of(object, "efficiency") * reached / ideal;
    assert_true(efficiency > 0.999 && efficiency < 1.001);
    json_t *window, *windows = json_object_get(object, "windows");
    size_t index, whole = 0;
    json_array_foreach(windows, index, window)
    {
        assert_int_equal((size_t)real_of(window, "begin"), whole);
        whole += (size_t)real_of(window, "count");
    }
    assert_int_equal(whole, 160);
    assert_string_equal(json_string_value(json_object_get(object, "check")), "right");
    json_decref(object);
    program_free(&p);
}

static void split_with_a_wrong_engine_is_right_and_says_so(void **state)
{
    (void)state;
    /* Alone it is right the first time; in the split it is wrong later, and made good. */
    program p = program_run("matmul", "--shape", "1x160x64", "--engines",
                            "fake,rate_gflops=0.01,fail_wait_at=12,ref", "--check", "--json", "-");
    json_t *object = json_of(&p);
    json_t *split = json_object_get(object, "split");
    assert_string_equal(json_string_value(json_object_get(split, "check")), "right");
    assert_null(json_object_get(split, "failed"));
    json_decref(object);
    program_free(&p);
}

static void splits_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"--engines", "ref", "two engines"},      {"--engines", "ref,,cpu", "--engines"},
        {"--split", "n", "two engines"},          {"--split", "k", "--split"},
        {"--profile", "p.json", "--engines A,B"}, {"--precision", "half", "--precision"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        program p = program_run("matmul", bad[i][0], bad[i][1]);
        program_assert_refused(&p, bad[i][2]);
    }
}

static void split_goes_by_the_profile_given(void **state)
{
    (void)state;
    const char *path = program_file("empty.json", "", 0); /* no profile */
    program p =
        program_run("matmul", "--shape", "1x64x64", "--engines", "ref,cpu", "--profile", path);
    program_assert_refused(&p, "empty.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_says_what_each_took_and_how_close_it_came),
        cmocka_unit_test(json_of_a_split_has_its_figures),
        cmocka_unit_test(split_with_a_wrong_engine_is_right_and_says_so),
        cmocka_unit_test(splits_that_make_no_sense_are_refused),
        cmocka_unit_test(split_goes_by_the_profile_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
