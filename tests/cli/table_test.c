#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "table.h"

static const table_column columns[] = {
    {"name", TABLE_TEXT}, {"bytes", TABLE_NUMBER}, {"note", TABLE_TEXT}};

/* Prints to a text that the caller frees. */
static char *printed(const table *t, size_t width)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_true(table_print(t, out, width));
    fclose(out);
    return text;
}

static void assert_prints(const table *t, size_t width, const char *expected)
{
    char *text = printed(t, width);
    assert_string_equal(text, expected);
    free(text);
}

static void add_row(table *t, const char *name, const char *bytes, const char *note)
{
    table_cell(t, "%s", name);
    table_cell(t, "%s", bytes);
    table_cell(t, "%s", note);
}

static void text_goes_left_numbers_right_and_no_line_ends_in_blanks(void **state)
{
    (void)state;
    table *t = table_create(columns, 3);
    add_row(t, "a", "1,024", "");
    add_row(t, "longer", "7", "why");
    assert_prints(t, 0,
                  "name    bytes  note\n"
                  "a       1,024\n"
                  "longer      7  why\n");
    table_free(t);
}

static void long_text_is_cut_in_the_middle_and_numbers_stay_whole(void **state)
{
    (void)state;
    table *t = table_create(columns, 3);
    add_row(t, "model.layers.0.self_attn.q_proj.weight", "1,050,673,728", "");
    assert_prints(t, 40,
                  "name                         bytes  note\n"
                  "model.la...j.weight  1,050,673,728\n");
    table_free(t);
}

static void utf8_counts_by_characters_and_is_never_cut_within_one(void **state)
{
    (void)state;
    table *t = table_create(columns, 2);
    table_cell(t, "\xc3\xa4\xc3\xb6\xc3\xbc");
    table_cell(t, "1");
    table_cell(t,
               "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
    table_cell(t, "2");
    assert_prints(t, 15,
                  "name      bytes\n"
                  "\xc3\xa4\xc3\xb6\xc3\xbc           1\n"
                  "\xc3\xa4\xc3\xa4\xc3\xa4...\xc3\xa4\xc3\xa4      2\n");
    table_free(t);
}

static void what_a_terminal_would_obey_becomes_a_question_mark(void **state)
{
    (void)state;
    table *t = table_create(columns, 3);
    add_row(t, "a\x1b[31m", "7\n", "\xc2\x9b");
    assert_prints(t, 0,
                  "name    bytes  note\n"
                  "a?[31m     7?  ?\n");
    table_free(t);
}

static void unfinished_row_is_filled_with_empty_cells(void **state)
{
    (void)state;
    table *t = table_create(columns, 3);
    table_cell(t, "a");
    table_end_row(t);
    table_end_row(t);
    add_row(t, "b", "2", "c");
    assert_prints(t, 0,
                  "name  bytes  note\n"
                  "a\n"
                  "b         2  c\n");
    table_free(t);
}

static void table_without_rows_has_its_headings(void **state)
{
    (void)state;
    table *t = table_create(columns, 3);
    assert_prints(t, 100, "name  bytes  note\n");
    table_free(t);
    table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_goes_left_numbers_right_and_no_line_ends_in_blanks),
        cmocka_unit_test(long_text_is_cut_in_the_middle_and_numbers_stay_whole),
        cmocka_unit_test(utf8_counts_by_characters_and_is_never_cut_within_one),
        cmocka_unit_test(what_a_terminal_would_obey_becomes_a_question_mark),
        cmocka_unit_test(unfinished_row_is_filled_with_empty_cells),
        cmocka_unit_test(table_without_rows_has_its_headings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
