/* Packages: Manifest.json, and the model specification in protobuf. */
#include "files_coreml_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"
#include "files/coreml/model.h"
#include "yoke/coreml.h"

/* Field numbers and codes below are those of Core ML's published Model.proto and MIL.proto. */

static void put_varint(bytes *b, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put_u8(b, (uint8_t)(value | 128));
    put_u8(b, (uint8_t)value);
}

static void put_number(bytes *b, unsigned field, uint64_t value)
{
    put_varint(b, field << 3);
    put_varint(b, value);
}

static void put_raw(bytes *b, unsigned field, const void *data, size_t size)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, size);
    put(b, data, size);
}

/* A message within a message; frees the inner one. */
static void put_message(bytes *b, unsigned field, bytes inner)
{
    put_raw(b, field, inner.data, inner.size);
    bytes_free(&inner);
}

static void put_name(bytes *b, unsigned field, const char *text)
{
    put_raw(b, field, text, strlen(text));
}

enum { FLOAT16 = 10, FLOAT32 = 11, STRING = 2, INT32 = 23, INT4 = 25, UINT32 = 33, BOOL = 1 };

/* ValueType of a tensor; a dimension of 0 is unknown. */
static bytes tensor_type(unsigned element, size_t rank, const uint64_t *shape)
{
    bytes tensor = {0}, type = {0};
    put_number(&tensor, 1, element);
    put_number(&tensor, 2, rank);
    for (size_t i = 0; i < rank; i++) {
        bytes inner = {0}, dimension = {0};
        if (shape[i])
            put_number(&inner, 1, shape[i]);
        put_message(&dimension, shape[i] ? 1 : 2, inner);
        put_message(&tensor, 3, dimension);
    }
    put_message(&type, 1, tensor);
    return type;
}

/* Value with the TensorValue's list in field `list`. */
static bytes tensor_value(bytes type, unsigned list, bytes elements)
{
    bytes tensor = {0}, immediate = {0}, value = {0};
    put_message(&tensor, list, elements);
    put_message(&immediate, 1, tensor);
    put_message(&value, 2, type);
    put_message(&value, 3, immediate);
    return value;
}

static bytes string_value(const char *text)
{
    bytes elements = {0};
    put_name(&elements, 1, text);
    return tensor_value(tensor_type(STRING, 0, NULL), 4, elements);
}

static bytes blob_value(bytes type, const char *path, uint64_t offset)
{
    bytes blob = {0}, value = {0};
    put_name(&blob, 1, path);
    put_number(&blob, 2, offset);
    put_message(&value, 2, type);
    put_message(&value, 5, blob);
    return value;
}

/* An entry of a map from names to messages. */
static void put_entry(bytes *b, unsigned field, const char *name, bytes value)
{
    bytes entry = {0};
    put_name(&entry, 1, name);
    put_message(&entry, 2, value);
    put_message(b, field, entry);
}

static bytes named_type(const char *name, bytes type)
{
    bytes named = {0};
    put_name(&named, 1, name);
    put_message(&named, 2, type);
    return named;
}

static void put_argument(bytes *operation, const char *name, const char *variable)
{
    bytes binding = {0}, argument = {0};
    put_name(&binding, 1, variable);
    put_message(&argument, 1, binding);
    put_entry(operation, 2, name, argument);
}

static bytes const_operation(const char *name, bytes type, bytes value)
{
    bytes operation = {0};
    put_name(&operation, 1, "const");
    put_message(&operation, 3, named_type(name, type));
    put_entry(&operation, 5, "name", string_value(name));
    put_entry(&operation, 5, "val", value);
    return operation;
}

static const uint64_t TWO_BY_FOUR[2] = {2, 4}, ONE_BY_FOUR[2] = {1, 4}, ANY_BY_TWO[2] = {0, 2};

/* w (2 by 4, in the weight file), and y = linear(x, w). */
static bytes linear_block(void)
{
    bytes block = {0}, linear = {0};
    put_name(&block, 2, "y");
    put_message(&block, 3,
                const_operation("w", tensor_type(FLOAT32, 2, TWO_BY_FOUR),
                                blob_value(tensor_type(FLOAT32, 2, TWO_BY_FOUR),
                                           "@model_path/weights/weight.bin", 64)));
    put_name(&linear, 1, "linear");
    put_argument(&linear, "x", "x");
    put_argument(&linear, "weight", "w");
    put_message(&linear, 3, named_type("y", tensor_type(FLOAT32, 2, ANY_BY_TWO)));
    put_entry(&linear, 5, "name", string_value("y"));
    put_message(&block, 3, linear);
    return block;
}

static bytes program_of(bytes block)
{
    bytes function = {0}, program = {0};
    put_message(&function, 1, named_type("x", tensor_type(FLOAT32, 2, ONE_BY_FOUR)));
    put_name(&function, 2, "CoreML7");
    put_entry(&function, 3, "CoreML7", block);
    put_number(&program, 1, 1);
    put_entry(&program, 2, "main", function);
    return program;
}

static bytes model_of(bytes program)
{
    bytes model = {0};
    put_number(&model, 1, 8);
    put_message(&model, 502, program);
    return model;
}

typedef struct parsed {
    arena memory;
    mil_program program;
} parsed;

/* From a copy of exact size; frees the bytes. */
static yoke_status parse(bytes model, parsed *out, yoke_error *err)
{
    uint8_t *copy = malloc(model.size ? model.size : 1);
    assert_non_null(copy);
    if (model.size)
        memcpy(copy, model.data, model.size);
    *out = (parsed){0};
    yoke_status status =
        model_parse(copy, model.size, "model.mlmodel", &out->memory, &out->program, err);
    free(copy);
    bytes_free(&model);
    return status;
}

static parsed parse_good(bytes model)
{
    parsed out;
    yoke_error err = {0};
    if (parse(model, &out, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return out;
}

static void parse_bad(bytes model, yoke_status expected, const char *text)
{
    parsed out;
    yoke_error err = {0};
    assert_int_equal(parse(model, &out, &err), expected);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in: %s", text, err.text);
    arena_free(&out.memory);
}

static void a_model_and_its_text_are_the_same_program(void **state)
{
    (void)state;
    static const char text[] =
        "program(1.0)\n[]\n{\nfunc main<CoreML7>(tensor<fp32, [1, 4]> x) {\n"
        "tensor<fp32, [2, 4]> w = const()[name = string(\"w\"), val = tensor<fp32, [2, 4]>("
        "BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = uint64(64)))];\n"
        "tensor<fp32, [?, 2]> y = linear(x = x, weight = w)[name = string(\"y\")];\n"
        "} -> (y);\n}\n";
    arena memory = {0};
    mil_program program;
    yoke_error err = {0};
    assert_int_equal(mil_parse(text, strlen(text), "model.mil", &memory, &program, &err), YOKE_OK);
    parsed out = parse_good(model_of(program_of(linear_block())));
    assert_true(mil_equal(&out.program, &program));
    arena_free(&out.memory);
    arena_free(&memory);
}

/* A program whose one const has that value, which must be what `text` prints. */
static void value_reads_as(bytes type, bytes again, unsigned list, bytes elements,
                           const char *expected)
{
    bytes block = {0};
    put_name(&block, 2, "c");
    put_message(&block, 3, const_operation("c", type, tensor_value(again, list, elements)));
    parsed out = parse_good(model_of(program_of(block)));
    char *text = NULL;
    assert_int_equal(mil_print(&out.program, &text, NULL), YOKE_OK);
    if (!strstr(text, expected))
        fail_msg("\"%s\" is not in: %s", expected, text);
    free(text);
    arena_free(&out.memory);
}

static void immediate_values_come_from_the_list_of_their_type(void **state)
{
    (void)state;
    static const uint64_t two[1] = {2}, three[1] = {3};
    static const uint16_t halves[2] = {0x3c00, 0xc000};
    static const float singles[2] = {0.5f, -1};
    static const uint32_t dimensions[2] = {128, 64};
    static const uint8_t nibbles[2] = {0x78, 0x0f};
    bytes b = {0};
    put_raw(&b, 1, halves, sizeof halves);
    value_reads_as(tensor_type(FLOAT16, 1, two), tensor_type(FLOAT16, 1, two), 7, b,
                   "tensor<fp16, [2]>([0x1p+0, -0x1p+1])");
    b = (bytes){0};
    put_raw(&b, 1, singles, sizeof singles);
    value_reads_as(tensor_type(FLOAT32, 1, two), tensor_type(FLOAT32, 1, two), 1, b,
                   "tensor<fp32, [2]>([0x1p-1, -0x1p+0])");
    b = (bytes){0};
    put_raw(&b, 1, dimensions, sizeof dimensions);
    value_reads_as(tensor_type(UINT32, 1, two), tensor_type(UINT32, 1, two), 7, b,
                   "tensor<uint32, [2]>([128, 64])");
    b = (bytes){0};
    put_raw(&b, 1, nibbles, sizeof nibbles);
    value_reads_as(tensor_type(INT4, 1, three), tensor_type(INT4, 1, three), 7, b,
                   "tensor<int4, [3]>([-8, 7, -1])");
    /* Packed and one by one; -3 takes ten bytes. */
    bytes packed = {0};
    b = (bytes){0};
    put_varint(&packed, 7);
    put_varint(&packed, (uint64_t)-3);
    put_message(&b, 1, packed);
    value_reads_as(tensor_type(INT32, 1, two), tensor_type(INT32, 1, two), 2, b,
                   "tensor<int32, [2]>([7, -3])");
    b = (bytes){0};
    put_number(&b, 1, 7);
    put_number(&b, 1, 8);
    value_reads_as(tensor_type(INT32, 1, two), tensor_type(INT32, 1, two), 2, b,
                   "tensor<int32, [2]>([7, 8])");
    b = (bytes){0};
    put_number(&b, 1, 1);
    value_reads_as(tensor_type(BOOL, 0, NULL), tensor_type(BOOL, 0, NULL), 3, b,
                   "tensor<bool, []>(true)");
}

static bytes const_model(bytes value)
{
    bytes block = {0};
    put_name(&block, 2, "c");
    put_message(&block, 3, const_operation("c", tensor_type(INT32, 0, NULL), value));
    return model_of(program_of(block));
}

static void values_that_do_not_fit_their_type_are_refused(void **state)
{
    (void)state;
    static const uint64_t two[1] = {2}, huge[2] = {UINT64_C(1) << 40, UINT64_C(1) << 40};
    bytes b = {0};
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(INT32, 1, two), 2, b)), YOKE_ERR_FORMAT,
              "fewer elements");
    b = (bytes){0};
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(INT32, 2, huge), 2, b)), YOKE_ERR_FORMAT,
              "fewer elements");
    b = (bytes){0};
    put_number(&b, 1, UINT64_C(1) << 33);
    parse_bad(const_model(tensor_value(tensor_type(INT32, 0, NULL), 2, b)), YOKE_ERR_FORMAT,
              "out of its type's range");
    b = (bytes){0};
    put_number(&b, 1, 1);
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(INT32, 0, NULL), 2, b)), YOKE_ERR_FORMAT,
              "more elements");
    b = (bytes){0};
    put_raw(&b, 1, "abc", 3);
    parse_bad(const_model(tensor_value(tensor_type(INT32, 0, NULL), 7, b)), YOKE_ERR_FORMAT,
              "bytes");
    b = (bytes){0};
    put_name(&b, 1, "abc");
    parse_bad(const_model(tensor_value(tensor_type(INT32, 0, NULL), 4, b)), YOKE_ERR_FORMAT,
              "another type");
    /* Numbers where the list has strings, or bytes, are none of its elements. */
    b = (bytes){0};
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(STRING, 0, NULL), 4, b)), YOKE_ERR_FORMAT,
              "fewer elements");
    b = (bytes){0};
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(FLOAT16, 0, NULL), 7, b)), YOKE_ERR_FORMAT,
              "fewer elements");
    parse_bad(const_model(tensor_type(INT32, 0, NULL)), YOKE_ERR_FORMAT, "Value, byte");
    b = (bytes){0};
    put_number(&b, 1, 1);
    parse_bad(const_model(tensor_value(tensor_type(99, 0, NULL), 2, b)), YOKE_ERR_FORMAT,
              "TensorType.dataType");
}

static void every_cut_of_a_model_is_refused(void **state)
{
    (void)state;
    bytes whole = model_of(program_of(linear_block()));
    for (size_t size = 0; size < whole.size; size++) {
        bytes cut = {0};
        parsed out;
        yoke_error err = {0};
        put(&cut, whole.data, size);
        assert_int_equal(parse(cut, &out, &err), YOKE_ERR_FORMAT);
        arena_free(&out.memory);
    }
    bytes_free(&whole);
}

static void deep_messages_are_refused_not_followed(void **state)
{
    (void)state;
    bytes type = tensor_type(INT32, 0, NULL);
    for (unsigned i = 0; i < 5000; i++) {
        bytes tuple = {0}, outer = {0};
        put_message(&tuple, 1, type);
        put_message(&outer, 3, tuple);
        type = outer;
    }
    bytes value = {0}, immediate = {0};
    put_message(&value, 2, type);
    put_message(&value, 3, immediate);
    parse_bad(const_model(value), YOKE_ERR_FORMAT, "nested too deep");
}

static void models_of_other_kinds_are_named(void **state)
{
    (void)state;
    static const unsigned kinds[] = {500, 302, 202, 999};
    static const char *const names[] = {"a neural network of the old kind", "a tree ensemble",
                                        "a pipeline", "some other kind"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bytes model = {0};
        put_number(&model, 1, 4);
        put_raw(&model, kinds[i], "", 0);
        parse_bad(model, YOKE_ERR_UNSUPPORTED, names[i]);
    }
    parse_bad((bytes){0}, YOKE_ERR_FORMAT, "no ML Program");
}

/* A package whose parts lie where the manifest says. */
typedef struct package {
    char *folder;
    char data[600], inner[640], weights[700];
} package;

static package make_package(const char *manifest)
{
    package made = {.folder = make_folder()};
    bytes text = {0}, model = model_of(program_of(linear_block())), blobs = {0};
    static const float w[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    put_text(&text, manifest);
    write_file(made.folder, "Manifest.json", &text);
    snprintf(made.data, sizeof made.data, "%s/Data", made.folder);
    snprintf(made.inner, sizeof made.inner, "%s/com.apple.CoreML", made.data);
    snprintf(made.weights, sizeof made.weights, "%s/weights", made.inner);
    assert_int_equal(mkdir(made.data, 0700), 0);
    assert_int_equal(mkdir(made.inner, 0700), 0);
    assert_int_equal(mkdir(made.weights, 0700), 0);
    write_file(made.inner, "model.mlmodel", &model);
    put_blob(&blobs, BLOB_F32, w, sizeof w, 0);
    write_file(made.weights, "weight.bin", &blobs);
    return made;
}

static void remove_package(package *made)
{
    unlink(in_folder(made->weights, "weight.bin"));
    rmdir(made->weights);
    unlink(in_folder(made->inner, "model.mlmodel"));
    rmdir(made->inner);
    rmdir(made->data);
    remove_folder(made->folder);
}

static const char MANIFEST[] =
    "{\"fileFormatVersion\": \"1.0.0\", \"itemInfoEntries\": {\"A\": {\"path\": "
    "\"com.apple.CoreML/weights\"}, \"B\": {\"path\": \"com.apple.CoreML/model.mlmodel\"}}, "
    "\"rootModelIdentifier\": \"B\"}";

static void a_package_opens_by_its_manifest_or_any_path_inside(void **state)
{
    (void)state;
    static const char *const inside[] = {"", "/Data/com.apple.CoreML/model.mlmodel",
                                         "/Data/com.apple.CoreML/weights/weight.bin"};
    package made = make_package(MANIFEST);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        char path[800];
        snprintf(path, sizeof path, "%s%s", made.folder, inside[i]);
        yoke_file *file = NULL;
        yoke_error err = {0};
        if (yoke_file_open(path, &file, &err) != YOKE_OK)
            fail_msg("%s", err.text);
        assert_string_equal(yoke_file_kind(file), "coreml mlmodel");
        assert_float_equal(element(file, "w", 1, 3), 8, 0);
        assert_string_equal(yoke_coreml_function_get(file, 0)->opset, "CoreML7");
        assert_string_equal(yoke_coreml_function_get(file, 0)->outputs[0].type,
                            "tensor<fp32, [?, 2]>");
        yoke_file_free(file);
    }
    remove_package(&made);
}

static void a_manifest_that_leads_nowhere_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {" ", "Manifest.json: JSON"},
        {"{", "Manifest.json: JSON"},
        {"{}", "rootModelIdentifier"},
        {"{\"rootModelIdentifier\": \"X\"}", "itemInfoEntries"},
        {"{\"rootModelIdentifier\": \"X\", \"itemInfoEntries\": {\"X\": {\"path\": "
         "\"../../model.mlmodel\"}}}",
         "leaves the package"},
        {"{\"rootModelIdentifier\": \"X\", \"itemInfoEntries\": {\"X\": {\"path\": "
         "\"gone.mlmodel\"}}}",
         "gone.mlmodel: cannot open"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        package made = make_package(cases[i][0]);
        yoke_file *file = NULL;
        yoke_error err = {0};
        assert_int_not_equal(yoke_file_open(made.folder, &file, &err), YOKE_OK);
        if (!strstr(err.text, cases[i][1]))
            fail_msg("\"%s\" is not in: %s", cases[i][1], err.text);
        remove_package(&made);
    }
}

static void compiled_models_of_other_kinds_are_named(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"model.espresso.net", "a compiled neural network of the old kind"},
        {"model0", "a compiled pipeline of models"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *top = make_folder(), folder[512];
        bytes inner = {0};
        snprintf(folder, sizeof folder, "%s/old.mlmodelc", top);
        assert_int_equal(mkdir(folder, 0700), 0);
        write_file(folder, kinds[i][0], &inner);
        yoke_file *file = NULL;
        yoke_error err = {0};
        assert_int_equal(yoke_file_open(folder, &file, &err), YOKE_ERR_UNSUPPORTED);
        assert_non_null(strstr(err.text, kinds[i][1]));
        remove_folder(strdup(folder));
        remove_folder(top);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_and_its_text_are_the_same_program),
        cmocka_unit_test(immediate_values_come_from_the_list_of_their_type),
        cmocka_unit_test(values_that_do_not_fit_their_type_are_refused),
        cmocka_unit_test(every_cut_of_a_model_is_refused),
        cmocka_unit_test(deep_messages_are_refused_not_followed),
        cmocka_unit_test(models_of_other_kinds_are_named),
        cmocka_unit_test(a_package_opens_by_its_manifest_or_any_path_inside),
        cmocka_unit_test(a_manifest_that_leads_nowhere_is_refused),
        cmocka_unit_test(compiled_models_of_other_kinds_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
