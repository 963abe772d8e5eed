#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_test.h"

static yoke_context *context_with_plugins(void)
{
    yoke_error err = {0};
    yoke_context *context = NULL;
    const yoke_context_options options = {.plugin_dir = PLUGIN_FOLDER};
    assert_ok(yoke_context_create(&options, &context, &err), &err);
    return context;
}

static const yoke_engine_info *find(const yoke_context *context, const char *name)
{
    for (size_t i = 0; i < yoke_context_engine_count(context); i++)
        if (strcmp(yoke_context_engine_info(context, i)->name, name) == 0)
            return yoke_context_engine_info(context, i);
    fail_msg("no engine %s is listed", name);
    return NULL;
}

static void is_refused(const char *file, const char *why)
{
    yoke_context *context = context_with_plugins();
    const yoke_engine_info *info = find(context, file);
    assert_false(info->ready);
    if (!strstr(info->reason, why))
        fail_msg("%s: \"%s\" does not say \"%s\"", file, info->reason, why);
    yoke_context_free(context);
}

static void a_plugin_multiplies_as_the_built_in_engines_do(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_context *context = context_with_plugins();
    assert_true(find(context, "scripted")->ready);
    yoke_engine *engine;
    yoke_weight *weight;
    assert_ok(yoke_engine_open(context, "scripted,fixed_us=1", &engine, &err), &err);
    const yoke_matrix w = matrix_f32((float[]){1, 2, 3, 4, 5, 6}, 2, 3);
    const yoke_matrix x = matrix_f32((float[]){1, 10, 100}, 1, 3);
    float result[2] = {0};
    yoke_matrix y = matrix_f32(result, 1, 2);
    assert_ok(yoke_weight_prepare(engine, &w, &weight, NULL, &err), &err);
    assert_ok(yoke_weight_multiply(weight, &x, &y, NULL, NULL, &err), &err);
    assert_true(result[0] == 321 && result[1] == 654);
    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
}

static void plugins_come_after_the_built_in_engines_in_the_order_of_their_names(void **state)
{
    (void)state;
    yoke_context *context = context_with_plugins();
    const yoke_engine_info *ref = find(context, "ref");
    assert_true(ref < find(context, "good:x"));
    assert_true(find(context, "good:x") < find(context, "old_and_small:x"));
    assert_true(find(context, "old_and_small:x") < find(context, "scripted"));
    yoke_context_free(context);
}

static void a_class_with_many_engines_is_listed_whole(void **state)
{
    (void)state;
    yoke_context *context = context_with_plugins();
    size_t seen = 0;
    for (size_t i = 0; i < yoke_context_engine_count(context); i++)
        seen += strcmp(yoke_context_engine_info(context, i)->name, "good:x") == 0;
    assert_int_equal(seen, 20);
    yoke_context_free(context);
}

static void entries_beyond_the_size_of_an_older_table_are_missing(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_context *context = context_with_plugins();
    yoke_engine *engine;
    assert_ok(yoke_engine_open(context, "old_and_small", &engine, &err), &err);
    double limit = 0;
    const yoke_limit_request request = {.size = sizeof request, .limit = YOKE_LIMIT_COMPUTE};
    assert_int_equal(yoke_engine_limit(engine, &request, &limit, &err), YOKE_ERR_UNSUPPORTED);
    yoke_engine_free(engine);

    assert_ok(yoke_engine_open(context, "good", &engine, &err), &err);
    assert_int_equal(yoke_engine_limit(engine, &request, &limit, &err), YOKE_ERR_CHECK);
    yoke_engine_free(engine);
    yoke_context_free(context);
}

static void what_an_author_left_out_is_filled_in(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_context *context = context_with_plugins();
    yoke_engine *engine;
    assert_ok(yoke_engine_open(context, "good:7", &engine, &err), &err);
    const yoke_engine_info *info = yoke_engine_describe(engine);
    assert_string_equal(info->name, "good:7");
    assert_int_equal(info->facts.granule_n, 1);

    yoke_weight *weight;
    yoke_prepare_report report = {0};
    const yoke_matrix w = matrix_f32((float[]){1}, 1, 1), x = matrix_f32((float[]){1}, 1, 1);
    yoke_matrix y = matrix_f32((float[]){1}, 1, 1);
    yoke_timing timing = {0};
    assert_ok(yoke_weight_prepare(engine, &w, &weight, &report, &err), &err);
    assert_int_equal(report.format, YOKE_F32);
    assert_ok(yoke_weight_multiply(weight, &x, &y, NULL, &timing, &err), &err);
    assert_true(timing.submit_ns > 0 && timing.submit_ns <= timing.submitted_ns);
    assert_true(timing.submitted_ns <= timing.done_ns);
    assert_int_equal(timing.device_begin_ns, 0);
    assert_string_equal(timing.path, "good");
    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
}

static void plugins_that_cannot_be_used_are_listed_with_the_reason(void **state)
{
    (void)state;
    is_refused("wrong_abi.so", "its engine ABI is 2, this library's is 1");
    is_refused("too_small.so", "lacks required entries");
    is_refused("no_symbol.so", "does not export yoke_engine_plugin");
    is_refused("null_table.so", "answered NULL");
    is_refused("bad_name.so", "name");
    is_refused("taken_name.so", "same name");
    is_refused("no_library.so", "no_library.so");
}

static void a_class_that_cannot_look_is_listed_with_its_error(void **state)
{
    (void)state;
    is_refused("probe_fails", "the driver is upset");
}

static void other_files_of_the_folder_are_left_alone(void **state)
{
    (void)state;
    yoke_context *context = context_with_plugins();
    for (size_t i = 0; i < yoke_context_engine_count(context); i++)
        assert_null(strstr(yoke_context_engine_info(context, i)->name, "readme"));
    yoke_context_free(context);
}

static void a_folder_that_cannot_be_read_is_an_error_that_names_it(void **state)
{
    (void)state;
    yoke_error err = {0};
    yoke_context *context = (yoke_context *)&err;
    const yoke_context_options options = {.plugin_dir = PLUGIN_FOLDER "/not/there"};
    assert_int_equal(yoke_context_create(&options, &context, &err), YOKE_ERR_IO);
    assert_says(&err, "/not/there");
    assert_null(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_multiplies_as_the_built_in_engines_do),
        cmocka_unit_test(plugins_come_after_the_built_in_engines_in_the_order_of_their_names),
        cmocka_unit_test(a_class_with_many_engines_is_listed_whole),
        cmocka_unit_test(entries_beyond_the_size_of_an_older_table_are_missing),
        cmocka_unit_test(what_an_author_left_out_is_filled_in),
        cmocka_unit_test(plugins_that_cannot_be_used_are_listed_with_the_reason),
        cmocka_unit_test(a_class_that_cannot_look_is_listed_with_its_error),
        cmocka_unit_test(other_files_of_the_folder_are_left_alone),
        cmocka_unit_test(a_folder_that_cannot_be_read_is_an_error_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
