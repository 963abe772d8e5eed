/* MIL text: reading, writing, and what is wrong with it. */
#include "files_support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"

typedef struct parsed {
    arena memory;
    mil_program program;
} parsed;

/* A copy of exact size, so that a sanitizer sees a read behind the end of the text. */
static yoke_status parse_text(const char *text, parsed *out, yoke_error *err)
{
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    *out = (parsed){0};
    yoke_status status = mil_parse(copy, size, "model.mil", &out->memory, &out->program, err);
    free(copy);
    return status;
}

static parsed parse_good(const char *text)
{
    parsed out;
    yoke_error err = {0};
    if (parse_text(text, &out, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return out;
}

static void parse_bad(const char *text, const char *expected)
{
    parsed out;
    yoke_error err = {0};
    if (parse_text(text, &out, &err) == YOKE_OK)
        fail_msg("accepted: %s", text);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in: %s", expected, err.text);
    arena_free(&out.memory);
}

/* Prints, reads again and compares; the text is the caller's. */
static char *print_and_compare(const parsed *from)
{
    char *text = NULL;
    yoke_error err = {0};
    assert_int_equal(mil_print(&from->program, &text, &err), YOKE_OK);
    parsed again = parse_good(text);
    assert_true(mil_equal(&from->program, &again.program));
    arena_free(&again.memory);
    return text;
}

#define MAIN(body)         "program(1.3)\n[]\n{\nfunc main<ios18>() {\n" body "} -> (a);\n}\n"
#define VALUE(type, value) MAIN(type " a = const()[val = " type "(" value ")];\n")

static const mil_value *first_value(const parsed *from)
{
    return mil_find_attribute(&from->program.functions[0].body.operations[0].attributes, "val");
}

static const char OLD_SPELLING[] =
    "program(1.0)\n"
    "[buildInfo = dict<tensor<string, []>, tensor<string, []>>({{\"coremlc-version\", "
    "\"3500.32.1\"}})]\n{\n"
    "    func main<ios16>(tensor<fp16, [1, ?]> x) {\n"
    "            tensor<int32, []> n = const()[name = tensor<string, []>(\"n\"), val = "
    "tensor<int32, []>(1)];\n"
    "            tensor<fp16, [2]> w = const()[name = tensor<string, []>(\"w\"), val = "
    "tensor<fp16, [2]>(BLOBFILE(path = tensor<string, []>(\"@model_path/w.bin\"), offset = "
    "tensor<uint64, []>(64)))];\n"
    "            tensor<fp16, [1, ?]> a, tensor<int32, [1]> b = topk(k = n, x = x)[name = "
    "tensor<string, []>(\"t\")];\n"
    "            tensor<fp16, [1, ?]> c = concat(values = (a, w))[name = "
    "tensor<string, []>(\"c\")];\n"
    "        } -> (c, b);\n}";

static const char NEW_SPELLING[] =
    "program(1.0)[buildInfo=dict<string,string>({{\"coremlc-version\",\"3500.32.1\"}})]{"
    "func main<ios16>(tensor<fp16,[1,?]>x){"
    "int32 n=const()[name=string(\"n\"),val=int32(1)];"
    "tensor<fp16,[2]>w=const()[name=string(\"w\"),val=tensor<fp16,[2]>(BLOBFILE(path="
    "string(\"@model_path/w.bin\"),offset=uint64(64)))];"
    "tensor<fp16,[1,?]>a,tensor<int32,[1]>b=topk(k=n,x=x)[name=string(\"t\")];"
    "tensor<fp16,[1,?]>c=concat(values=(a,w))[name=string(\"c\")];"
    "}->(c,b);}";

static void both_spellings_are_the_same_program(void **state)
{
    (void)state;
    parsed old = parse_good(OLD_SPELLING), new = parse_good(NEW_SPELLING);
    assert_true(mil_equal(&old.program, &new.program));
    const mil_function *function = &old.program.functions[0];
    assert_string_equal(function->name, "main");
    assert_string_equal(function->opset, "ios16");
    assert_int_equal(function->body.inputs[0].type.shape[1], MIL_UNKNOWN);
    const mil_operation *topk = &function->body.operations[2];
    assert_string_equal(topk->kind, "topk");
    assert_int_equal(topk->output_count, 2);
    assert_string_equal(mil_find_argument(topk, "k")->bindings[0].variable, "n");
    const mil_argument *values = mil_find_argument(&function->body.operations[3], "values");
    assert_true(values->tuple);
    assert_int_equal(values->count, 2);
    const mil_value *blob = mil_find_attribute(&function->body.operations[1].attributes, "val");
    assert_int_equal(blob->kind, MIL_BLOB);
    assert_string_equal(blob->path.text, "@model_path/w.bin");
    assert_int_equal(blob->offset, 64);
    char *text = print_and_compare(&old);
    assert_non_null(strstr(text, "tensor<int32, []>(1)"));
    free(text);
    arena_free(&old.memory);
    arena_free(&new.memory);
}

/* As Core ML's compiler writes a cache that is read, written, and read again. */
static void a_state_is_written_by_an_operation_without_outputs(void **state)
{
    (void)state;
    parsed p =
        parse_good("program(1.3)\n[]\n{\n"
                   "func main<ios18>(state<tensor<fp16, [1, 8]>> cache, tensor<fp16, [1, 8]> x) {\n"
                   "tensor<fp16, [1, 8]> old = read_state(input = cache)[name = string(\"old\")];\n"
                   "tensor<fp16, [1, 8]> sum = add(x = old, y = x)[name = string(\"sum\")];\n"
                   "write_state(data = sum, input = cache)[name = string(\"written\")];\n"
                   "tensor<fp16, [1, 8]> new = read_state(input = cache)[name = string(\"new\")];\n"
                   "} -> (new);\n}\n");
    const mil_block *body = &p.program.functions[0].body;
    assert_int_equal(body->inputs[0].type.kind, MIL_STATE);
    assert_int_equal(body->operation_count, 4);
    const mil_operation *write = &body->operations[2];
    assert_string_equal(write->kind, "write_state");
    assert_int_equal(write->output_count, 0);
    assert_string_equal(mil_find_argument(write, "data")->bindings[0].variable, "sum");
    free(print_and_compare(&p));
    arena_free(&p.memory);
}

/* As Core ML's compiler tells the shapes of an input that has several. */
static void lists_of_open_length_have_the_length_of_their_text(void **state)
{
    (void)state;
    parsed p = parse_good(
        "program(1.0)\n[]\n{\nfunc main<ios16>(tensor<fp16, [1, ?, ?]> x) "
        "[FlexibleShapeInformation = tuple<tuple<string, dict<string, tensor<int32, [?]>>>, "
        "tuple<string, dict<string, dict<string, tensor<int32, [?]>>>>>(((\"DefaultShapes\", "
        "{{\"x\", [1, -3, 4]}}), (\"EnumeratedShapes\", {{\"a\", {{\"x\", [1, 3]}}}, {\"b\", "
        "{{\"x\", []}}}})))] {\n} -> (x);\n}\n");
    const mil_value *shapes =
        mil_find_attribute(&p.program.functions[0].attributes, "FlexibleShapeInformation");
    const mil_value *given = &shapes->items[0].items[1].items[1];
    assert_int_equal(given->count, 3);
    assert_int_equal(((const int32_t *)given->data)[1], -3);
    const mil_value *enumerated = &shapes->items[1].items[1];
    assert_int_equal(enumerated->items[1].items[1].count, 2);
    assert_int_equal(enumerated->items[3].items[1].count, 0);
    free(print_and_compare(&p));
    arena_free(&p.memory);
}

static void programs_differ_where_anything_in_them_does(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"int32(1)", "int32(2)"},
        {"topk", "topj"},
        {"values=(a,w)", "values=(w,a)"},
        {"[2]>w", "[3]>w"},
        {"uint64(64)", "uint64(128)"},
        {"->(c,b)", "->(b,c)"},
        {"ios16", "ios17"},
        {"w.bin", "v.bin"},
        {"3500", "3501"},
        {"program(1.0)", "program(1.3)"},
        {"x=x", "x=n"},
        {",[1,?]>x", ",[1,1]>x"},
    };
    parsed whole = parse_good(NEW_SPELLING);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[2048];
        const char *at = strstr(NEW_SPELLING, pairs[i][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - NEW_SPELLING), NEW_SPELLING, pairs[i][1],
                 at + strlen(pairs[i][0]));
        parsed other = parse_good(text);
        if (mil_equal(&whole.program, &other.program))
            fail_msg("equal with %s", pairs[i][1]);
        arena_free(&other.memory);
    }
    arena_free(&whole.memory);
}

static void floats_of_all_spellings_are_read_and_written_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float value;
    } cases[] = {{"0x1.8p+1", 3},
                 {"-0x1.48p-1", -0.640625f},
                 {"0x1.1p-20", 0x1.1p-20f},
                 {"0.5", 0.5f},
                 {"1", 1},
                 {"-1e-3", -1e-3f},
                 {"inf", INFINITY},
                 {"-inf", -INFINITY},
                 {"0x1p-149", 0x1p-149f},
                 {"-0.0", -0.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, VALUE("fp32", "%s"), cases[i].text);
        parsed out = parse_good(text);
        assert_memory_equal(first_value(&out)->data, &cases[i].value, sizeof(float));
        free(print_and_compare(&out));
        arena_free(&out.memory);
    }
}

static void half_floats_and_nan_survive_printing(void **state)
{
    (void)state;
    parsed out = parse_good(VALUE("tensor<fp16, [6]>", "[0x1p+0, -0x1.ffcp+15, 0x1p-24, nan, "
                                                       "-0x0p+0, 0.1]"));
    static const uint16_t expected[6] = {0x3c00, 0xfbff, 0x0001, 0x7e00, 0x8000, 0x2e66};
    assert_memory_equal(first_value(&out)->data, expected, sizeof expected);
    free(print_and_compare(&out));
    arena_free(&out.memory);
    out = parse_good(VALUE("tensor<bf16, [2]>", "[0x1.8p+1, inf]"));
    free(print_and_compare(&out));
    arena_free(&out.memory);
    out = parse_good(VALUE("tensor<fp64, [2]>", "[0.1, 0x0.0000000000001p-1022]"));
    free(print_and_compare(&out));
    arena_free(&out.memory);
    out = parse_good(VALUE("tensor<fp8e4m3fn, [3]>", "[448, nan, -0x1p-9]"));
    static const uint8_t small[3] = {0x7e, 0x7f, 0x81};
    assert_memory_equal(first_value(&out)->data, small, sizeof small);
    free(print_and_compare(&out));
    arena_free(&out.memory);
}

static void a_locale_with_another_decimal_point_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !set; i++)
        set = setlocale(LC_NUMERIC, locales[i]);
    if (!set) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    static const float half = 0.5f;
    parsed out = parse_good(VALUE("fp32", "0.5"));
    assert_memory_equal(first_value(&out)->data, &half, sizeof half);
    free(print_and_compare(&out));
    arena_free(&out.memory);
    setlocale(LC_NUMERIC, "C");
}

static void integers_hold_the_ends_of_their_types(void **state)
{
    (void)state;
    static const char *const good[] = {
        VALUE("tensor<int4, [2]>", "[-8, 7]"),     VALUE("tensor<uint6, [2]>", "[0, 63]"),
        VALUE("tensor<int8, [2]>", "[-128, 127]"), VALUE("int64", "-9223372036854775808"),
        VALUE("uint64", "18446744073709551615"),   VALUE("tensor<bool, [2]>", "[true, false]"),
    };
    static const char *const bad[] = {
        VALUE("int4", "8"),    VALUE("uint6", "64"),
        VALUE("int8", "-129"), VALUE("int64", "9223372036854775808"),
        VALUE("uint8", "-1"),  VALUE("uint64", "99999999999999999999999999"),
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        parsed out = parse_good(good[i]);
        free(print_and_compare(&out));
        arena_free(&out.memory);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        parse_bad(bad[i], "out of its type's range");
}

static void strings_keep_their_quotes_and_control_characters(void **state)
{
    (void)state;
    parsed out = parse_good(VALUE("string", "\"a \\\"b\\\" \\\\ \\n \\x01 \303\251\""));
    assert_string_equal(first_value(&out)->strings[0].text, "a \"b\" \\ \n \001 \303\251");
    free(print_and_compare(&out));
    arena_free(&out.memory);
}

static void lists_tuples_and_dicts_nest(void **state)
{
    (void)state;
    parsed out = parse_good(
        "program(1.0)\n[]\n{\nfunc main<ios16>(tensor<fp16, [1, ?]> x, state<tensor<fp16, [4]>> s) "
        "[FlexibleShapeInformation = tuple<tuple<string, dict<string, tensor<int32, [?]>>>, "
        "tuple<string, dict<string, list<tensor<int32, [2]>, ?>>>>((("
        "\"DefaultShapes\", {}), (\"RangeDims\", {{\"x\", [[1, 2], [3, 4]]}, {\"y\", ()}})))] {\n} "
        "-> (x);\n}\n");
    const mil_value *value = &out.program.functions[0].attributes.list[0].value;
    assert_int_equal(value->kind, MIL_ITEMS);
    assert_int_equal(value->count, 2);
    const mil_value *ranges = &value->items[1].items[1];
    assert_int_equal(ranges->kind, MIL_PAIRS);
    assert_int_equal(ranges->count, 2);
    assert_int_equal(ranges->items[1].count, 2);
    free(print_and_compare(&out));
    arena_free(&out.memory);
}

static void matrices_may_be_written_flat_or_nested(void **state)
{
    (void)state;
    parsed flat = parse_good(VALUE("tensor<int32, [2, 3]>", "[1, 2, 3, 4, 5, 6]"));
    parsed nested = parse_good(VALUE("tensor<int32, [2, 3]>", "[[1, 2, 3], [4, 5, 6]]"));
    assert_true(mil_equal(&flat.program, &nested.program));
    free(print_and_compare(&flat));
    arena_free(&flat.memory);
    arena_free(&nested.memory);
    parsed empty = parse_good(VALUE("tensor<int32, [0, 3]>", "[]"));
    free(print_and_compare(&empty));
    arena_free(&empty.memory);
    parse_bad(VALUE("tensor<int32, [2, 3]>", "[[1, 2, 3, 4], [5, 6]]"), "4 elements");
    parse_bad(VALUE("tensor<int32, [2, 3]>", "[[1, 2, 3]]"), "3 elements, but the type has 6");
    parse_bad(VALUE("tensor<int32, [2]>", "[[1, 2]]"), "deeper brackets");
    parse_bad(VALUE("tensor<int32, [2]>", "[1, 2, 3]"), "more elements than the 2");
}

static void blocks_within_operations_are_kept(void **state)
{
    (void)state;
    parsed out = parse_good(
        MAIN("tensor<int32, [1]> a = while_loop(loop_vars = (i))[name = string(\"w\")] "
             "(tensor<int32, [1]> p) {\n bool q = less(x = p, y = int32(3));\n} -> (q) "
             "(tensor<int32, [1]> r) {\n tensor<int32, [1]> t = add(x = r, y = int32(1));\n} -> "
             "(t);\n"));
    const mil_operation *loop = &out.program.functions[0].body.operations[0];
    assert_int_equal(loop->block_count, 2);
    assert_string_equal(loop->blocks[1].operations[0].kind, "add");
    assert_string_equal(loop->blocks[1].outputs[0], "t");
    free(print_and_compare(&out));
    arena_free(&out.memory);
}

static void errors_name_the_line_and_the_column(void **state)
{
    (void)state;
    parse_bad("program(1.3)\n[]\n{\nfunc main<ios18>() {\n  int32 a = 5;\n} -> (a);\n}\n",
              "model.mil: line 5, column 13: an operation is expected, not 5");
    parse_bad("", "line 1, column 1: program is expected, but the text ends");
    parse_bad("program(1.3)\n{\n}\n", "without functions");
    parse_bad(MAIN("int32 a = const()[name = string(\"a)];\n"), "a string that does not end");
    parse_bad(MAIN("int32 a = const()[name = string(\"\\q\")];\n"), "an escape");
    parse_bad(MAIN("int32 a = const() $;\n"), "line 5, column 19: a character");
    parse_bad(MAIN("float a = const();\n"), "an element type that yoke does not know");
    parse_bad(MAIN("tensor<int32, [-1]> a = f();\n"), "a dimension");
    parse_bad(MAIN("tensor<int32, [99999999999999999999]> a = f();\n"), "a dimension");
    parse_bad(VALUE("fp16", "1..5"), "not a number");
    parse_bad(VALUE("bool", "1"), "neither true nor false");
    parse_bad(VALUE("tensor<fp16, [?, 1]>", "[[1]]"), "not known");
    parse_bad(VALUE("tensor<fp16, [4000000000, 4000000000]>", "[1]"), "more than there is text");
    parse_bad(VALUE("tensor<fp16, [9000000000, 9000000000, 9000000000]>", "[1]"), "overflows");
    parse_bad(VALUE("fp16", "BLOBFILE(path = string(\"p\"), offset = int32(1))"), "uint64");
    parse_bad(VALUE("fp16", "BLOBFILE(path = string(\"p\"), offset = uint64(-1))"), "range");
    parse_bad(MAIN("int32 a = f();\n") "more", "the text goes on");
}

/* `count` times the text. */
static void repeat(char *to, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strcpy(to + i * strlen(text), text);
}

static void deep_nesting_is_refused_not_followed(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    static const char *const pieces[] = {"tuple<", "list<", "tensor<fp16, [1]>(BLOBFILE(path = "};
    static const char *const starts[] = {"", "", "int32 a = const()[val = "};
    char *deep = malloc(DEPTH * 64);
    assert_non_null(deep);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        strcpy(deep, "program(1.3)[]{func main<ios18>() {");
        strcat(deep, starts[i]);
        repeat(deep + strlen(deep), pieces[i], DEPTH);
        parse_bad(deep, "deep");
    }
    strcpy(deep, "program(1.3)[]{func main<ios18>() {int32 a = const()[val = tensor<int32, [1]>(");
    repeat(deep + strlen(deep), "[", DEPTH);
    parse_bad(deep, "deeper brackets");
    strcpy(deep, "program(1.3)[]{func main<ios18>() ");
    repeat(deep + strlen(deep), "{int32 a = f()(int32 p)", DEPTH);
    parse_bad(deep, "blocks more than 32 deep");
    free(deep);
}

static void every_cut_of_a_program_is_refused(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof NEW_SPELLING - 1; length++) {
        char text[sizeof NEW_SPELLING];
        memcpy(text, NEW_SPELLING, length);
        text[length] = '\0';
        parse_bad(text, "model.mil: line ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_spellings_are_the_same_program),
        cmocka_unit_test(a_state_is_written_by_an_operation_without_outputs),
        cmocka_unit_test(lists_of_open_length_have_the_length_of_their_text),
        cmocka_unit_test(programs_differ_where_anything_in_them_does),
        cmocka_unit_test(floats_of_all_spellings_are_read_and_written_exactly),
        cmocka_unit_test(half_floats_and_nan_survive_printing),
        cmocka_unit_test(a_locale_with_another_decimal_point_changes_nothing),
        cmocka_unit_test(integers_hold_the_ends_of_their_types),
        cmocka_unit_test(strings_keep_their_quotes_and_control_characters),
        cmocka_unit_test(lists_tuples_and_dicts_nest),
        cmocka_unit_test(matrices_may_be_written_flat_or_nested),
        cmocka_unit_test(blocks_within_operations_are_kept),
        cmocka_unit_test(errors_name_the_line_and_the_column),
        cmocka_unit_test(deep_nesting_is_refused_not_followed),
        cmocka_unit_test(every_cut_of_a_program_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
