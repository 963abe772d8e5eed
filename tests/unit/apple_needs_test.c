/* What an engine needs of an Objective-C framework, checked by the runtime's type encodings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apple/foundation.h"
#include "apple/needs.h"
#include "standin/apple/standins.h"
#include "unit/engines_test.h"

/* Encodings as the two runtimes write them, reduced by hand. */
static void encodings_reduce_to_result_and_arguments(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"B36@0:8I16@20^@28", "BI@^"},      /* Apple, arm64 */
        {"c36@0:8I16@20^@28", "BI@^"},      /* Apple, x86-64: BOOL is signed char */
        {"C36@0:8I16@20^@28", "BI@^"},      /* GNU: unsigned char */
        {"@24@0:8^{__IOSurface=}16", "@^"}, /* a pointer to a struct */
        {"@\"NSString\"16@0:8", "@"},       /* an object with its class */
        {"v24@0:8@?16", "v@"},              /* a block */
        {"v40@0:8{?=QQQ}16", "v{"},         /* a struct by value */
        {"r*16@0:8", "^"},                  /* const char * */
        {"@32@0:8r^@16Q24", "@^Q"},         /* const id * */
        {"v16@0:8", "v"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[64];
        assert_true(apple_needs_reduce(cases[i][0], found, sizeof found));
        assert_string_equal(found, cases[i][1]);
    }
}

static void encodings_that_end_within_a_type_are_refused(void **state)
{
    (void)state;
    const char *const bad[] = {"", "^", "{?=QQ", "@\"NSString", "@16@0:8^"};
    char found[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(apple_needs_reduce(bad[i], found, sizeof found));
    assert_false(apple_needs_reduce("v@:QQQ", found, 4));
}

static yoke_status check(const apple_need *need, yoke_error *err)
{
    apple a;
    assert_ok(apple_load(&a, err), err);
    return apple_needs_check(&a, need, 1, err);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    yoke_error err = {0};
    assert_int_equal(check(&(apple_need){"NSNothing", false, false, "count", "Q"}, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "class NSNothing is missing");
    assert_int_equal(check(&(apple_need){"NSArray", false, false, "halve", "v"}, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "class NSArray lacks halve");
    assert_int_equal(check(&(apple_need){"NSArray", false, false, "count", "I"}, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_says(&err, "class NSArray: count has the types ");
    assert_int_equal(check(&(apple_need){"NSArray", true, false, "count", "Q"}, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "class NSArray lacks +count");
}

static void what_is_there_or_optional_passes(void **state)
{
    (void)state;
    yoke_error err = {0};
    assert_ok(check(&(apple_need){"NSArray", false, false, "count", "Q"}, &err), &err);
    assert_ok(check(&(apple_need){"NSArray", true, false, "arrayWithObjects:count:", "@^Q"}, &err),
              &err);
    assert_ok(check(&(apple_need){"NSArray", false, true, "halve", "v"}, &err), &err);
    assert_ok(check(&(apple_need){"NSNothing", false, true, "count", "Q"}, &err), &err);
}

static void values_go_to_foundation_and_back(void **state)
{
    (void)state;
    apple a;
    yoke_error err = {0};
    char text[16];
    assert_ok(apple_load(&a, &err), &err);
    void *pool = apple_pool_push(&a);
    assert_true(apple_text(&a, apple_string(&a, "surface"), text, sizeof text));
    assert_string_equal(text, "surface");
    assert_false(apple_text(&a, apple_string(&a, "longer than sixteen"), text, sizeof text));
    assert_true(apple_integer(&a, apple_number(&a, INT64_MIN)) == INT64_MIN);
    const apple_id items[] = {apple_string(&a, "key"), apple_number(&a, 7)};
    const apple_id array = apple_array(&a, items, 2);
    assert_int_equal(apple_array_count(&a, array), 2);
    assert_int_equal(apple_integer(&a, apple_array_get(&a, array, 1)), 7);
    assert_null(apple_array_get(&a, array, 2));
    const apple_id dictionary = apple_dictionary(&a, &items[0], &items[1], 1);
    assert_int_equal(apple_integer(&a, apple_dictionary_get(&a, dictionary, "key")), 7);
    assert_null(apple_dictionary_get(&a, dictionary, "other"));
    apple_pool_pop(&a, pool);
    assert_string_equal(standins_live(), "");
}

static void nil_answers_nothing(void **state)
{
    (void)state;
    apple a;
    yoke_error err = {0};
    char text[8] = "before";
    assert_ok(apple_load(&a, &err), &err);
    assert_null(apple_send(&a, NULL, "description"));
    assert_int_equal(apple_array_count(&a, NULL), 0);
    assert_int_equal(apple_integer(&a, NULL), 0);
    assert_true(apple_text(&a, NULL, text, sizeof text) && text[0] == '\0');
    apple_release(&a, apple_retain(&a, NULL));
}

int main(void)
{
    standins_use();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings_reduce_to_result_and_arguments),
        cmocka_unit_test(encodings_that_end_within_a_type_are_refused),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(what_is_there_or_optional_passes),
        cmocka_unit_test(values_go_to_foundation_and_back),
        cmocka_unit_test(nil_answers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
