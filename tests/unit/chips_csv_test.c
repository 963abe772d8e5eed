#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chips/csv.h"

static char text[400];

static yoke_status parse_bytes(const char *bytes, size_t size, csv *table, yoke_error *err)
{
    assert_true(size < sizeof text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    return csv_parse("t.csv", text, size, table, err);
}

static csv parsed(const char *source)
{
    csv table;
    yoke_error err = {0};
    assert_int_equal(parse_bytes(source, strlen(source), &table, &err), YOKE_OK);
    return table;
}

static void refused_bytes(const char *bytes, size_t size, const char *message)
{
    csv table;
    yoke_error err = {0};
    assert_int_equal(parse_bytes(bytes, size, &table, &err), YOKE_ERR_FORMAT);
    assert_string_equal(err.text, message);
}

static void refused(const char *source, const char *message)
{
    refused_bytes(source, strlen(source), message);
}

static void assert_field(const csv *table, size_t record, size_t column, const char *expected)
{
    assert_string_equal(csv_at(table, record, column)->text, expected);
}

static void plain_fields_are_read_in_order(void **state)
{
    (void)state;
    csv t = parsed("a,b\n1,two words\n,\n");
    assert_int_equal(t.records, 3);
    assert_int_equal(t.columns, 2);
    assert_field(&t, 0, 1, "b");
    assert_field(&t, 1, 0, "1");
    assert_field(&t, 1, 1, "two words");
    assert_field(&t, 2, 0, "");
    assert_field(&t, 2, 1, "");
    csv_free(&t);
}

static void quoted_fields_hold_commas_quotes_and_line_ends(void **state)
{
    (void)state;
    csv t = parsed("a,b\n\"1,5\",\"say \"\"no\"\"\"\n\"two\r\nlines\",\"\"\n");
    assert_field(&t, 1, 0, "1,5");
    assert_field(&t, 1, 1, "say \"no\"");
    assert_field(&t, 2, 0, "two lines");
    assert_field(&t, 2, 1, "");
    csv_free(&t);
}

static void crlf_byte_order_mark_and_empty_lines_are_taken(void **state)
{
    (void)state;
    csv t = parsed("\xef\xbb\xbf"
                   "a,b\r\n\r\n1,2\r\n\n3,4");
    assert_int_equal(t.records, 3);
    assert_field(&t, 0, 0, "a");
    assert_field(&t, 1, 1, "2");
    assert_field(&t, 2, 1, "4");
    csv_free(&t);
}

static void rows_are_counted_with_header_and_empty_lines(void **state)
{
    (void)state;
    csv t = parsed("a\n\n1\n\"x\ny\"\n2\n");
    assert_int_equal(t.rows[1], 3);
    assert_int_equal(t.rows[2], 4);
    assert_int_equal(t.rows[3], 5);
    csv_free(&t);
}

static void row_of_another_length_is_named_with_its_column(void **state)
{
    (void)state;
    refused("a,b,c\n1,2,3\n1,2\n",
            "t.csv: row 3, column 3, byte 15: the row has 2 fields, the header 3");
    refused("a,b\n1,2,3\n", "t.csv: row 2, column 3, byte 9: the row has 3 fields, the header 2");
}

static void quotes_out_of_place_are_refused(void **state)
{
    (void)state;
    refused("a,b\n1,x\"y\n",
            "t.csv: row 2, column 2, byte 7: a quote in a field that does not begin with one");
    refused("a,b\n\"1\"x,2\n", "t.csv: row 2, column 1, byte 7: text behind a closing quote");
    refused("a,b\n1,\"2\n", "t.csv: row 2, column 2, byte 6: a quote that is never closed");
}

static void control_characters_and_broken_utf8_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } bad[] = {{"a\nx\x1b[0m\n", 8},      {"a\nx\0y\n", 6},
               {"a\nx\xc3\n", 5},         {"a\nx\xc2\x85\n", 6},
               {"a\nx\xed\xa0\x80\n", 7}, {"a\nx\xc0\xaf\n", 6},
               {"a\nx\ry\n", 6},          {"a\nx\xf4\x90\x80\x80\n", 8}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused_bytes(bad[i].bytes, bad[i].size,
                      "t.csv: row 2, column 1, byte 3: a control character, or not UTF-8");
    csv t = parsed("a\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n");
    assert_field(&t, 1, 0, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    csv_free(&t);
}

static void header_needs_names_and_each_once(void **state)
{
    (void)state;
    refused("", "t.csv: byte 0: has no header");
    refused("\n\n", "t.csv: byte 0: has no header");
    refused("a,,c\n", "t.csv: row 1, column 2 (), byte 2: a column without a name");
    refused("a,b,a\n", "t.csv: row 1, column 3 (a), byte 4: a second column of that name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_fields_are_read_in_order),
        cmocka_unit_test(quoted_fields_hold_commas_quotes_and_line_ends),
        cmocka_unit_test(crlf_byte_order_mark_and_empty_lines_are_taken),
        cmocka_unit_test(rows_are_counted_with_header_and_empty_lines),
        cmocka_unit_test(row_of_another_length_is_named_with_its_column),
        cmocka_unit_test(quotes_out_of_place_are_refused),
        cmocka_unit_test(control_characters_and_broken_utf8_are_refused),
        cmocka_unit_test(header_needs_names_and_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
