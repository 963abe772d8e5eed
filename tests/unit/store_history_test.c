#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/plain.h"
#include "unit/record_full.h"
#include "unit/store_support.h"

static int64_t add(history *h, double gbps)
{
    store_record record = support_record(gbps);
    assert_int_equal(history_add(h, &record, 1, NULL), YOKE_OK);
    assert_true(record.added);
    store_record_free(&record);
    return record.id;
}

static void a_record_comes_back_as_it_was_kept(void **state)
{
    (void)state;
    char *text;
    yoke_record *full = record_full();
    assert_int_equal(yoke_record_json(full, &text, NULL), YOKE_OK);
    store_record kept, found;
    assert_int_equal(store_record_make(text, strlen(text), "bench", &kept, NULL), YOKE_OK);
    history *h = support_history(support_path("kept.db"));
    assert_int_equal(history_add(h, &kept, 1, NULL), YOKE_OK);
    history_close(h);

    assert_int_equal(history_open(support_path("kept.db"), HISTORY_READ, &h, NULL), YOKE_OK);
    assert_int_equal(history_find(h, kept.id, &found, NULL), YOKE_OK);
    assert_string_equal(found.json, kept.json);
    assert_null(strchr(found.json, '\n'));
    yoke_record *read;
    char *again;
    assert_int_equal(yoke_record_parse(found.json, strlen(found.json), "", &read, NULL), YOKE_OK);
    assert_int_equal(yoke_record_json(read, &again, NULL), YOKE_OK);
    assert_string_equal(again, text);
    history_close(h);
    yoke_record_free(full);
    yoke_record_free(read);
    store_record_free(&kept);
    store_record_free(&found);
    free(text);
    free(again);
}

static void a_listing_says_what_was_measured_of_what(void **state)
{
    (void)state;
    history *h = support_history(support_path("what.db"));
    store_record found;
    assert_int_equal(history_find(h, add(h, 64.25), &found, NULL), YOKE_OK);
    assert_string_equal(found.time_utc, "2026-01-31T12:00:00Z");
    assert_string_equal(found.machine, "Apple M4");
    assert_string_equal(found.artefact, "random f16 128256x4096");
    assert_string_equal(found.suites, "read");
    assert_string_equal(found.method, "median");
    assert_string_equal(found.figure_of, "slope_gbps");
    assert_string_equal(found.engine, "ane");
    assert_true(found.figure == 64.25);
    assert_int_equal(found.rows, 1);
    assert_int_equal(found.failed, 0);
    store_record_free(&found);
    history_close(h);
}

/* Keeps the figures it is shown. */
typedef struct shown {
    double figures[8];
    size_t count;
} shown;

static bool keep(void *arg, const store_record *record)
{
    shown *s = arg;
    assert_null(record->json);
    s->figures[s->count++] = record->figure;
    return true;
}

static void the_newest_come_first_and_no_more_than_asked_for(void **state)
{
    (void)state;
    history *h = support_history(support_path("order.db"));
    for (int i = 1; i <= 5; i++)
        add(h, i);
    shown s = {0};
    assert_int_equal(history_list(h, 3, keep, &s, NULL), YOKE_OK);
    assert_int_equal(s.count, 3);
    assert_true(s.figures[0] == 5 && s.figures[1] == 4 && s.figures[2] == 3);
    history_close(h);
}

static void the_same_record_is_kept_once(void **state)
{
    (void)state;
    history *h = support_history(support_path("once.db"));
    int64_t first = add(h, 1);
    store_record twice[2] = {support_record(1), support_record(2)};
    assert_int_equal(history_add(h, twice, 2, NULL), YOKE_OK);
    assert_false(twice[0].added);
    assert_int_equal(twice[0].id, first);
    assert_true(twice[1].added);
    assert_int_equal(support_count(h), 2);
    store_record_free(&twice[0]);
    store_record_free(&twice[1]);
    history_close(h);
}

static void blanks_do_not_make_another_record(void **state)
{
    (void)state;
    store_record record = support_record(1), spaced;
    char text[1200], *to = text;
    for (const char *from = record.json; *from; from++) {
        *to++ = *from;
        if (*from == ',' || *from == '{')
            *to++ = '\n';
    }
    assert_int_equal(store_record_make(text, (size_t)(to - text), "a", &spaced, NULL), YOKE_OK);
    assert_string_equal(spaced.hash, record.hash);
    store_record_free(&record);
    store_record_free(&spaced);
}

static void blanks_and_quotes_within_a_text_stay(void **state)
{
    (void)state;
    store_record record;
    const char *json = "{ \"schema\": 1, \"versions\": {}, \"artefact\": {}, \"method\": {}, "
                       "\"options\": {}, \"engines\": [], \"rows\": [], \"notes\": [\"a \\\" b\", "
                       "\"c\\\\\", \" d\"]}";
    assert_int_equal(store_record_make(json, strlen(json), "a", &record, NULL), YOKE_OK);
    assert_non_null(strstr(record.json, "\"notes\":[\"a \\\" b\",\"c\\\\\",\" d\"]}"));
    assert_true(isnan(record.figure));
    store_record_free(&record);
}

static void what_a_terminal_would_obey_is_not_listed(void **state)
{
    (void)state;
    char text[] = "red \033[31m, \302\233 and \302\265s";
    plain_text(text);
    assert_string_equal(text, "red ?[31m, ? and \302\265s");
    char json[] = "[\"a\\u001b[31m\\n\\u009b\\u00b5\\\\n\\\"\"]";
    plain_json(json);
    assert_string_equal(json, "[\"a?[31m??\\u00b5\\\\n\\\"\"]");
}

static void an_id_never_means_another_record(void **state)
{
    (void)state;
    history *h = support_history(support_path("ids.db"));
    int64_t removed = add(h, 1);
    yoke_error err = {0};
    store_record found;
    assert_int_equal(history_remove(h, removed, NULL), YOKE_OK);
    assert_int_equal(history_find(h, removed, &found, &err), YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "ids.db: no record 1"));
    assert_int_equal(history_remove(h, removed, &err), YOKE_ERR_NOT_FOUND);
    assert_true(add(h, 2) > removed);
    history_close(h);
}

static void its_folders_are_made(void **state)
{
    (void)state;
    history *h = support_history(support_path("a/b/history.db"));
    assert_int_equal(support_count(h), 0);
    history_close(h);
}

static void to_read_what_is_not_there_makes_nothing(void **state)
{
    (void)state;
    history *h = NULL;
    yoke_error err = {0};
    const char *path = support_path("none.db");
    assert_int_equal(history_open(path, HISTORY_READ, &h, &err), YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "none.db: no history yet"));
    FILE *file = fopen(path, "r");
    assert_null(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_comes_back_as_it_was_kept),
        cmocka_unit_test(a_listing_says_what_was_measured_of_what),
        cmocka_unit_test(the_newest_come_first_and_no_more_than_asked_for),
        cmocka_unit_test(the_same_record_is_kept_once),
        cmocka_unit_test(blanks_do_not_make_another_record),
        cmocka_unit_test(blanks_and_quotes_within_a_text_stay),
        cmocka_unit_test(what_a_terminal_would_obey_is_not_listed),
        cmocka_unit_test(an_id_never_means_another_record),
        cmocka_unit_test(its_folders_are_made),
        cmocka_unit_test(to_read_what_is_not_there_makes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
