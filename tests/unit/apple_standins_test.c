/* The stand-ins for Apple's frameworks, as the library reaches them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apple/foundation.h"
#include "apple/framework.h"
#include "apple/needs.h"
#include "standin/apple/standins.h"
#include "unit/engines_test.h"

static int load(void **state)
{
    static apple loaded;
    yoke_error err;
    assert_ok(apple_load(&loaded, &err), &err);
    *state = &loaded;
    return 0;
}

static void values_come_back_as_they_went_in(void **state)
{
    const apple *a = *state;
    void *pool = apple_pool_push(a);
    const apple_id keys[] = {apple_string(a, "b"), apple_string(a, "a")};
    const apple_id values[] = {apple_number(a, -7), apple_array(a, keys, 2)};
    apple_id dictionary = apple_dictionary(a, keys, values, 2);
    assert_int_equal(apple_integer(a, apple_dictionary_get(a, dictionary, "b")), -7);
    assert_null(apple_dictionary_get(a, dictionary, "c"));
    apple_id array = apple_dictionary_get(a, dictionary, "a");
    char text[8];
    assert_int_equal(apple_array_count(a, array), 2);
    assert_true(apple_text(a, apple_array_get(a, array, 1), text, sizeof text));
    assert_string_equal(text, "a");
    apple_pool_pop(a, pool);
    assert_string_equal(standins_live(), "");
}

static void what_is_not_released_is_named(void **state)
{
    const apple *a = *state;
    void *pool = apple_pool_push(a);
    apple_id kept = apple_retain(a, apple_string(a, "kept"));
    apple_pool_pop(a, pool);
    assert_string_equal(standins_live(), "1 NSString");
    apple_release(a, kept);
    assert_string_equal(standins_live(), "");
}

/* The encodings of arm64 macOS: BOOL is B, NSUInteger Q, BOOL's arguments four bytes. */
static void methods_have_the_types_of_the_real_ones(void **state)
{
    static const apple_need needs[] = {
        {"NSData", true, false, "dataWithBytes:length:", "@^Q"},
        {"NSNumber", true, false, "numberWithBool:", "@B"},
        {"NSError", false, false, "code", "q"},
        {"NSFileManager", false, false, "removeItemAtPath:error:", "B@^"},
    };
    yoke_error err;
    assert_ok(apple_needs_check(*state, needs, 4, &err), &err);
}

static void an_error_is_told_in_its_own_words(void **state)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, int64_t, apple_id);
    const apple *a = *state;
    void *pool = apple_pool_push(a);
    apple_sel sel;
    apple_id class = apple_class(a, "NSError"), info;
    const apple_id key = apple_string(a, "NSLocalizedDescription");
    const apple_id said = apple_string(a, "no room");
    info = apple_dictionary(a, &key, &said, 1);
    call *make = (call *)apple_method(a, class, "errorWithDomain:code:userInfo:", &sel);
    yoke_error err;
    apple_error_set(a, &err, YOKE_ERR_ENGINE, "ane", "load",
                    make(class, sel, apple_string(a, "space"), 3, info));
    assert_says(&err, "engine ane");
    assert_says(&err, "no room (space, code 3)");
    apple_pool_pop(a, pool);
    assert_string_equal(standins_live(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back_as_they_went_in),
        cmocka_unit_test(what_is_not_released_is_named),
        cmocka_unit_test(methods_have_the_types_of_the_real_ones),
        cmocka_unit_test(an_error_is_told_in_its_own_words),
    };
    standins_use();
    return cmocka_run_group_tests(tests, load, NULL);
}
