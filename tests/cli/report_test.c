/* The page as text: what it says of a record that is known, and of what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "program.h"

static const char record_path[] = YOKE_TEST_DATA "/record.json";

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

/* The record with every `old` in its text replaced, as a file. */
static const char *record_with(const char *old, const char *new)
{
    char *text = read_file(record_path), *changed = NULL;
    size_t bytes;
    FILE *out = open_memstream(&changed, &bytes);
    const char *at = text, *found;
    assert_non_null(out);
    assert_non_null(strstr(text, old));
    for (; (found = strstr(at, old)); at = found + strlen(old))
        fprintf(out, "%.*s%s", (int)(found - at), at, new);
    fputs(at, out);
    fclose(out);
    const char *path = program_file("changed.json", changed, bytes);
    free(changed);
    free(text);
    return path;
}

/* The page of a record, on stdout. Free with program_free. */
static program page_of(const char *path)
{
    program p = program_run("report", path, "--output", "-");
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.err, "");
    return p;
}

static void assert_page_has(const program *page, const char *part)
{
    if (!text_has(page->out, part))
        fail_msg("not on the page: %s", part);
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void a_record_becomes_a_page_of_its_numbers(void **state)
{
    (void)state;
    program page = page_of(record_path);
    static const char *const parts[] = {
        "<!DOCTYPE html>",
        "Example CPU",
        "<data value=\"50\">50.0</data>",          /* GB/s, the slope */
        "<data value=\"100\">100</data>",          /* us, the fixed cost */
        "<data value=\"1.04166667\">104.2</data>", /* of the plain read */
        "<data value=\"1.53846154\">1.54</data>",  /* the split at M = 512, times as fast */
        "needs macOS on Apple silicon",
        "beside opencl:0",
        "uPlot",
        "Copyright (c) 2022 Leon Sorokin",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_page_has(&page, parts[i]);
    program_free(&page);
}

static void the_same_record_gives_the_same_bytes(void **state)
{
    (void)state;
    program first = page_of(record_path), second = page_of(record_path);
    assert_string_equal(first.out, second.out);
    program_free(&second);
    program_free(&first);
}

static void the_page_names_nothing_that_a_browser_would_fetch(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_page_has(&page, "default-src 'none'");
    const char *const fetching[] = {" src=", "url(", "@import", "href=\"http", "<link rel=\"style"};
    for (size_t i = 0; i < sizeof fetching / sizeof *fetching; i++)
        assert_false(text_has(page.out, fetching[i]));
    program_free(&page);
}

static void what_is_not_known_is_said_and_never_0(void **state)
{
    (void)state;
    program known = page_of(record_path);
    program page = page_of(record_with("\"limit_naive_gbps\"", "\"limit_of_a_later_yoke\""));
    /* The plain read of each of the four sizes. */
    assert_int_equal(times(page.out, ">not known<"), times(known.out, ">not known<") + 4);
    assert_int_equal(times(page.out, "<data value=\"0\">"), times(known.out, "<data value=\"0\">"));
    program_free(&page);
    program_free(&known);
}

static void digits_are_those_after_rounding_and_small_figures_are_not_0(void **state)
{
    (void)state;
    program page = page_of(record_with("\"slope_gbps\": 50.0", "\"slope_gbps\": 9.996"));
    assert_page_has(&page, "<data value=\"9.996\">10.0</data>");
    program_free(&page);
    page = page_of(record_with("\"slope_gbps\": 50.0", "\"slope_gbps\": 1.5e-12"));
    assert_page_has(&page, "<data value=\"1.5e-12\">1.50e-12</data>");
    program_free(&page);
}

static void counters_of_the_machine_are_shown_where_there_are_some(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_false(text_has(page.out, "own counters"));
    program_free(&page);
    page = page_of(record_with("\"limit_naive_gbps\"", "\"counted_joules\": 0.5,"
                                                       "\"counted_joules_by\": \"a meter\","
                                                       "\"limit_naive_gbps\""));
    assert_page_has(&page, "One product by the machine&#39;s own counters");
    assert_int_equal(times(page.out, "<data value=\"500\">500</data>"), 4); /* mJ */
    assert_int_equal(times(page.out, "<td>a meter</td>"), 4);
    program_free(&page);
}

static void a_failed_row_says_so_and_why(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_page_has(&page, "<strong>FAILED</strong>: 1 of 54 rows have no figure.");
    assert_page_has(&page, "<strong>FAILED</strong> the answer is wrong: row 0, output 3");
    program_free(&page);
    page = page_of(record_with("\"failed\": true", "\"failed\": false"));
    assert_false(text_has(page.out, "FAILED"));
    program_free(&page);
}

static void figures_of_a_simulated_engine_are_said_to_be_simulated(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_false(text_has(page.out, "Simulated"));
    program_free(&page);
    page = page_of(record_with("\"opencl:0\"", "\"fake\""));
    assert_page_has(&page, "<strong>Simulated</strong>: fake follows a script.");
    program_free(&page);
}

static void rows_of_a_suite_without_a_section_are_shown_too(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_false(text_has(page.out, "Other suites"));
    program_free(&page);
    page = page_of(record_with("\"suite\": \"wake\"", "\"suite\": \"doze\""));
    assert_page_has(&page, "Other suites");
    assert_int_equal(times(page.out, "<th scope=\"row\">doze, task</th>"), 12);
    program_free(&page);
}

static void texts_of_a_record_are_escaped(void **state)
{
    (void)state;
    program page = page_of(record_with("Example CPU", "</script><b onclick=x> & 'co'\\u0007"));
    assert_false(text_has(page.out, "<b onclick"));
    assert_page_has(&page, "&lt;/script&gt;&lt;b onclick=x&gt; &amp; &#39;co&#39;&#xfffd;");
    program_free(&page);
    page = page_of(record_with("\"opencl:0\"", "\"</script><!--\""));
    assert_int_equal(times(page.out, "</script><!--"), 0);
    program_free(&page);
}

/* predict() is Core ML's alone: the same figure of another engine is by another method. */
static void published_figures_stand_beside_those_of_the_same_method_alone(void **state)
{
    (void)state;
    program page = page_of(record_path);
    assert_page_has(&page, "published figures of llama_lm_head are by predict-mean");
    assert_false(text_has(page.out, "this record</th>"));
    program_free(&page);
    page = page_of(record_with("\"cpu\"", "\"coreml\""));
    assert_page_has(&page, "llama_lm_head, alone, by predict-mean");
    assert_int_equal(times(page.out, "this record</th>"), 1);
    assert_page_has(&page, "M3 Ultra");
    assert_false(text_has(page.out, "llama_lm_head_lut6"));
    program_free(&page);
    page = page_of(record_with("\"n\": 128256", "\"n\": 128000"));
    assert_page_has(&page, "No published figure of this artefact is known.");
    program_free(&page);
}

static void two_records_of_one_weight_are_compared(void **state)
{
    (void)state;
    program page = program_run("report", record_path, record_path, "-o", "-");
    assert_int_equal(page.exit_code, 0);
    assert_page_has(&page, "Record 2 against record 1");
    assert_page_has(&page, "0 rows faster, 0 slower,");
    assert_page_has(&page, "<td>same</td>");
    program_free(&page);
}

static void numbers_are_records_of_the_history(void **state)
{
    (void)state;
    char db[160];
    snprintf(db, sizeof db, "--db=%s", program_new_path("history.db"));
    program p = program_run("history", "import", record_path, record_with("2026", "2027"), db);
    if (text_has(p.err, "SQLite")) {
        print_message("built without SQLite\n");
        program_free(&p);
        skip();
    }
    program_free(&p);
    p = program_run("report", "1-2", db, "-o", "-");
    assert_int_equal(p.exit_code, 0);
    assert_page_has(&p, "record 1: Example CPU");
    assert_page_has(&p, "record 2: Example CPU");
    program_free(&p);
    p = program_run("report", db, "-o", "-"); /* the newest */
    assert_page_has(&p, "record 2");
    program_free(&p);
    p = program_run("report", "1,3", db, "-o", "-");
    program_assert_refused(&p, "no record 3");
    p = program_run("report", "1-2,1-2,1-2,1-2,1-2,1-2,1-2,1-2,1-2", db, "-o", "-");
    program_assert_refused(&p, "18 records; a page takes 16");
}

/* What needs no weight, as waking up, is compared all the same. */
static void figures_of_two_weights_are_not(void **state)
{
    (void)state;
    program page =
        program_run("report", record_path, record_with("420d17276562c160", "17"), "-o", "-");
    assert_int_equal(page.exit_code, 0);
    char *compared = strstr(page.out, "Median times;"), *apart = strstr(page.out, "<details>");
    assert_true(compared && apart && compared < apart);
    assert_true(text_has(apart, "<th scope=\"row\">read, size, cpu"));
    *apart = '\0';
    assert_true(text_has(compared, "<th scope=\"row\">wake, task"));
    assert_false(text_has(compared, "<th scope=\"row\">read, size"));
    program_free(&page);
}

static void a_page_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    char folder[] = "/tmp/yoke-report-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/report.html", folder);
    program p = program_run("report", record_with("\"rows\"", "\"lines\""), "-o", path);
    program_assert_refused(&p, "changed.json");
    assert_int_equal(folder_files(folder), 0);
    p = program_run("report", record_path, "-o", path);
    assert_int_equal(p.exit_code, 0);
    assert_string_equal(p.out, "");
    program_free(&p);
    char *page = read_file(path);
    assert_true(text_has(page, "</html>"));
    free(page);
    assert_int_equal(folder_files(folder), 1);
    unlink(path);
    rmdir(folder);
}

static void what_is_no_record_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[6], *why;
    } cases[] = {
        {{"report", "/nonexistent/r.json", "-o", "-"}, "/nonexistent/r.json"},
        {{"report", record_path, "-o", "/nonexistent/report.html"}, "/nonexistent/report.html"},
        {{"report", record_path, "--colour"}, "--colour"},
        {{"report", record_path, "-o"}, "output"},
        {{"report", "-o", "-"}, "give a record"},
    };
    setenv("YOKE_HISTORY", "/nonexistent/history.db", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program p = program_run_list(cases[i].arguments);
        program_assert_refused(&p, cases[i].why);
    }
    unsetenv("YOKE_HISTORY");
    program p = program_run("report", record_with("\"schema\": 1", "\"schema\": 99"), "-o", "-");
    program_assert_refused(&p, "99");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_becomes_a_page_of_its_numbers),
        cmocka_unit_test(the_same_record_gives_the_same_bytes),
        cmocka_unit_test(the_page_names_nothing_that_a_browser_would_fetch),
        cmocka_unit_test(what_is_not_known_is_said_and_never_0),
        cmocka_unit_test(digits_are_those_after_rounding_and_small_figures_are_not_0),
        cmocka_unit_test(counters_of_the_machine_are_shown_where_there_are_some),
        cmocka_unit_test(a_failed_row_says_so_and_why),
        cmocka_unit_test(figures_of_a_simulated_engine_are_said_to_be_simulated),
        cmocka_unit_test(rows_of_a_suite_without_a_section_are_shown_too),
        cmocka_unit_test(texts_of_a_record_are_escaped),
        cmocka_unit_test(published_figures_stand_beside_those_of_the_same_method_alone),
        cmocka_unit_test(two_records_of_one_weight_are_compared),
        cmocka_unit_test(numbers_are_records_of_the_history),
        cmocka_unit_test(figures_of_two_weights_are_not),
        cmocka_unit_test(a_page_appears_whole_or_not_at_all),
        cmocka_unit_test(what_is_no_record_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
