#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "yoke/status.h"

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = YOKE_OK; i <= YOKE_ERR_INTERRUPTED; i++) {
        assert_memory_equal(yoke_status_name((yoke_status)i), "YOKE_", 5);
        for (int j = YOKE_OK; j < i; j++)
            assert_string_not_equal(yoke_status_name((yoke_status)i),
                                    yoke_status_name((yoke_status)j));
    }
    assert_string_equal(yoke_status_name((yoke_status)999), "unknown status");
}

static void an_error_keeps_its_status_and_its_line(void **state)
{
    (void)state;
    yoke_error err;
    assert_int_equal(yoke_error_set(&err, YOKE_ERR_SHAPE, "x has %d columns", 7), YOKE_ERR_SHAPE);
    assert_int_equal(err.status, YOKE_ERR_SHAPE);
    assert_string_equal(err.text, "x has 7 columns");
    assert_int_equal(yoke_error_set(NULL, YOKE_ERR_IO, "nobody reads this"), YOKE_ERR_IO);
}

static void control_characters_cannot_break_the_line_or_the_terminal(void **state)
{
    (void)state;
    yoke_error err;
    yoke_error_set(&err, YOKE_ERR_FORMAT, "tensor '%s'", "a\nb\x1b[31m\x7f");
    assert_string_equal(err.text, "tensor 'a?b?[31m?'");
}

static void a_line_that_does_not_fit_is_cut(void **state)
{
    (void)state;
    yoke_error err;
    char name[2000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    yoke_error_set(&err, YOKE_ERR_FORMAT, "tensor '%s'", name);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void the_library_is_the_version_of_its_header(void **state)
{
    (void)state;
    assert_string_equal(yoke_version(), YOKE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(an_error_keeps_its_status_and_its_line),
        cmocka_unit_test(control_characters_cannot_break_the_line_or_the_terminal),
        cmocka_unit_test(a_line_that_does_not_fit_is_cut),
        cmocka_unit_test(the_library_is_the_version_of_its_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
