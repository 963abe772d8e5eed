/* Published bundles, programs and weight files. */
#include "files_coreml_support.h"

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"
#include "files/coreml/model.h"
#include "files/mapping.h"
#include "files/text.h"
#include "yoke/coreml.h"

static yoke_file *open_shared(const char *name)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (yoke_file_open(shared(name), &file, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return file;
}

/* Reads a program, prints it, reads that, and compares; how many operations it has. */
static size_t check_program(const char *path)
{
    mapping map;
    arena memory = {0};
    mil_program first, second;
    yoke_error err = {0};
    char *text = NULL;
    assert_int_equal(mapping_open(path, &map, &err), YOKE_OK);
    yoke_status status =
        text_ends_with(path, ".mil")
            ? mil_parse((const char *)map.bytes, map.size, path, &memory, &first, &err)
            : model_parse(map.bytes, map.size, path, &memory, &first, &err);
    if (status != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(mil_print(&first, &text, &err), YOKE_OK);
    if (mil_parse(text, strlen(text), "printed", &memory, &second, &err) != YOKE_OK)
        fail_msg("%s: %s", path, err.text);
    if (!mil_equal(&first, &second))
        fail_msg("%s: printed, it is another program", path);
    size_t operations = first.functions[0].body.operation_count;
    free(text);
    arena_free(&memory);
    mapping_close(&map);
    return operations;
}

static void every_published_program_is_read_and_printed_and_read_again(void **state)
{
    (void)state;
    size_t count = 0, operations = 0;
    char folder[600];
    snprintf(folder, sizeof folder, "%s", shared("mil"));
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!text_ends_with(entry->d_name, ".mil"))
            continue;
        operations += check_program(in_folder(folder, entry->d_name));
        count++;
    }
    closedir(entries);
    assert_true(count >= 22);
    assert_true(operations > 8000);
}

static void every_published_model_is_read_and_printed_and_read_again(void **state)
{
    (void)state;
    static const char *const models[] = {
        "bundles/silero-vad-encoder-v6.0.0.mlpackage",
        "bundles/silero-vad-unified-256ms-v6.0.0.mlpackage",
        "models/coreml/DTLN_AEC_128_Part1.mlpackage",
        "models/coreml/DTLN_AEC_128_Part2_MISSING_WEIGHT.mlpackage",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/Data/com.apple.CoreML/model.mlmodel", models[i]);
        assert_true(check_program(shared(path)) > 0);
    }
}

/* "Ios16.reduceMean" and "SliceByIndex" are reduce_mean and slice_by_index. */
static void operation_name(const char *apple, char *out)
{
    const char *at = strncmp(apple, "Ios", 3) == 0 ? strchr(apple, '.') + 1 : apple;
    for (const char *start = at; *at; at++) {
        if (isupper((unsigned char)*at) && at != start)
            *out++ = '_';
        *out++ = (char)tolower((unsigned char)*at);
    }
    *out = '\0';
}

static size_t count_of(const yoke_coreml_function *function, const char *name)
{
    for (size_t i = 0; i < function->operation_count; i++)
        if (strcmp(function->operations[i].name, name) == 0)
            return function->operations[i].count;
    return 0;
}

/* metadata.json counts the operations as Apple's compiler did, constants apart. */
static size_t check_histogram(const char *bundle)
{
    char path[700];
    json_error_t error;
    snprintf(path, sizeof path, "bundles/%s/metadata.json", bundle);
    json_t *root = json_load_file(shared(path), 0, &error);
    assert_non_null(root);
    json_t *histogram = json_object_get(json_array_get(root, 0), "mlProgramOperationTypeHistogram");
    assert_non_null(histogram);
    snprintf(path, sizeof path, "bundles/%s", bundle);
    yoke_file *file = open_shared(path);
    const yoke_coreml_function *function = yoke_coreml_function_get(file, 0);
    const char *key;
    json_t *value;
    json_object_foreach(histogram, key, value)
    {
        char name[100];
        operation_name(key, name);
        if (count_of(function, name) != (size_t)json_integer_value(value))
            fail_msg("%s: %zu %s, not %lld", bundle, count_of(function, name), name,
                     (long long)json_integer_value(value));
    }
    size_t kinds = json_object_size(histogram);
    assert_int_equal(function->operation_count, kinds + (count_of(function, "const") > 0));
    json_decref(root);
    yoke_file_free(file);
    return kinds;
}

static void operations_are_counted_as_apples_compiler_counts_them(void **state)
{
    (void)state;
    char folder[600];
    size_t bundles = 0, kinds = 0;
    snprintf(folder, sizeof folder, "%s", shared("bundles"));
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!text_ends_with(entry->d_name, ".mlmodelc"))
            continue;
        kinds += check_histogram(entry->d_name);
        bundles++;
    }
    closedir(entries);
    assert_int_equal(bundles, 10);
    assert_true(kinds > 100);
}

static void the_text_and_the_package_of_a_model_hold_the_same_weights(void **state)
{
    (void)state;
    yoke_file *text = open_shared("bundles/silero-vad-unified-256ms-v6.0.0.mlmodelc");
    yoke_file *package = open_shared("bundles/silero-vad-unified-256ms-v6.0.0.mlpackage");
    size_t count = yoke_file_tensor_count(text);
    assert_true(count > 10);
    assert_int_equal(yoke_file_tensor_count(package), count);
    for (size_t i = 0; i < count; i++) {
        const yoke_tensor *a = yoke_file_tensor(text, i), *b = find(package, a->name);
        yoke_matrix left, right;
        assert_int_equal(yoke_file_matrix(text, a, &left, NULL, NULL), YOKE_OK);
        assert_int_equal(yoke_file_matrix(package, b, &right, NULL, NULL), YOKE_OK);
        assert_int_equal(a->bytes, b->bytes);
        assert_int_equal(left.rows, right.rows);
        assert_memory_equal(left.data, right.data, (size_t)a->bytes);
    }
    yoke_file_free(text);
    yoke_file_free(package);
}

static void the_echo_canceller_has_its_published_weights(void **state)
{
    (void)state;
    static const float first[3] = {0.66169852f, -0.06517889f, 0.33626845f};
    /* Compiled, the 514 by 512 matrix goes nowhere; in the package it multiplies from the right. */
    yoke_file *compiled = open_shared("models/coreml/SYNTH_DTLN_AEC_128_Part1.ios18.mlmodelc");
    yoke_file *package = open_shared("models/coreml/DTLN_AEC_128_Part1.mlpackage");
    static const char name[] = "Func_DTLN_AEC_Part1_lstm_1_0_PartitionedCall_input__3";
    assert_int_equal(find(compiled, name)->offset, 4672 + 64);
    assert_int_equal(find(compiled, name)->shape[0], 514);
    assert_int_equal(find(package, name)->shape[0], 512);
    assert_int_equal(find(package, name)->shape[1], 514);
    for (size_t i = 0; i < 3; i++) {
        assert_float_equal(element(compiled, name, 0, i), first[i], 1e-8);
        assert_float_equal(element(package, name, i, 0), first[i], 1e-8);
    }
    assert_int_equal(yoke_file_tensor_count(package), 12);
    /* 134 operations stand in main itself; those of its two loops are counted too. */
    assert_int_equal(count_of(yoke_coreml_function_get(package, 0), "while_loop"), 2);
    assert_int_equal(count_of(yoke_coreml_function_get(package, 0), "matmul"), 5);
    yoke_file_free(compiled);
    yoke_file_free(package);
}

static void a_package_without_its_weights_names_them(void **state)
{
    (void)state;
    yoke_file *file = NULL;
    yoke_error err = {0};
    yoke_status status = yoke_file_open(
        shared("models/coreml/DTLN_AEC_128_Part2_MISSING_WEIGHT.mlpackage"), &file, &err);
    assert_int_equal(status, YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "Data/com.apple.CoreML/weights/weight.bin: cannot open"));
}

static void a_file_of_apples_writer_has_every_element_type(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type;
        uint64_t elements;
    } expected[] = {{"blob64", "fp16", 3},    {"blob192", "bf16", 3},   {"blob320", "fp32", 4},
                    {"blob448", "uint8", 3},  {"blob576", "int8", 3},   {"blob704", "int16", 2},
                    {"blob832", "uint16", 2}, {"blob960", "int32", 2},  {"blob1088", "uint32", 2},
                    {"blob1216", "int4", 3},  {"blob1344", "uint4", 5}, {"blob1472", "uint1", 9},
                    {"blob1600", "uint2", 3}, {"blob1728", "uint3", 3}, {"blob1856", "uint6", 3}};
    yoke_file *file = open_shared("models/coreml/milblob_alltypes_apple_writer.bin");
    assert_int_equal(yoke_file_tensor_count(file), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const yoke_tensor *tensor = find(file, expected[i].name);
        assert_string_equal(tensor->type_name, expected[i].type);
        assert_int_equal(tensor->shape[0], expected[i].elements);
    }
    assert_float_equal(element(file, "blob64", 0, 1), -2.5, 0);
    assert_float_equal(element(file, "blob704", 0, 0), -32768, 0);
    yoke_file_free(file);
}

/* A published weight file as bytes, to decode by hand. */
static uint8_t *read_weights(const char *bundle)
{
    char path[400];
    snprintf(path, sizeof path, "bundles/%s/weights/weight.bin", bundle);
    FILE *file = fopen(shared(path), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes_read = malloc((size_t)size);
    assert_non_null(bytes_read);
    assert_int_equal(fread(bytes_read, 1, (size_t)size, file), size);
    fclose(file);
    return bytes_read;
}

static float half_at(const uint8_t *at)
{
    return f16_to_f32((uint16_t)(at[0] | at[1] << 8));
}

/* encoder.layers.2's weight, 64 by 128 by 3, of the palettes: the indices at the tensor's offset,
 * the palette in the next blob. */
static void check_palette(const char *bundle, unsigned bits)
{
    enum { COUNT = 64 * 128 * 3 };
    char path[300];
    float *expected = malloc(COUNT * sizeof *expected);
    uint8_t *weights = read_weights(bundle);
    assert_non_null(expected);
    snprintf(path, sizeof path, "bundles/%s", bundle);
    yoke_file *file = open_shared(path);
    static const char name[] = "encoder_layers_2_weight_to_fp16_palettized";
    const uint8_t *indices = weights + find(file, name)->offset;
    const uint8_t *palette = indices + (COUNT * bits / 8 + 63) / 64 * 64 + 64;
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = half_at(palette + 2 * packed_at(indices, bits, i));
    /* Three indices of 4 or 6 bits are no whole bytes. */
    expect_matrix(file, name, bits == 8 ? YOKE_LUT8 : YOKE_F16, 64 * 128, 3, expected);
    yoke_file_free(file);
    free(weights);
    free(expected);
}

static void published_palettes_read_as_their_bits_say(void **state)
{
    (void)state;
    check_palette("unified_256ms_palette_4bit.mlmodelc", 4);
    check_palette("unified_256ms_palette_6bit.mlmodelc", 6);
    check_palette("unified_256ms_palette_8bit.mlmodelc", 8);
}

/* The energy of the difference of two tensors over that of the second: 2 when they have nothing to
 * do with each other. */
static double distance(yoke_file *a, const char *name, yoke_file *b, const char *other)
{
    yoke_matrix left, right;
    double difference = 0, energy = 0;
    assert_int_equal(yoke_file_matrix(a, find(a, name), &left, NULL, NULL), YOKE_OK);
    assert_int_equal(yoke_file_matrix(b, find(b, other), &right, NULL, NULL), YOKE_OK);
    assert_int_equal(left.rows, right.rows);
    assert_int_equal(left.cols, right.cols);
    for (size_t row = 0; row < left.rows; row++) {
        for (size_t col = 0; col < left.cols; col++) {
            float x, y;
            assert_int_equal(yoke_matrix_read(&left, row, col, 1, &x, NULL), YOKE_OK);
            assert_int_equal(yoke_matrix_read(&right, row, col, 1, &y, NULL), YOKE_OK);
            difference += ((double)x - (double)y) * ((double)x - (double)y);
            energy += (double)y * (double)y;
        }
    }
    return difference / energy;
}

static void compressed_weights_come_near_the_plain_ones(void **state)
{
    (void)state;
    static const struct {
        const char *bundle, *suffix;
        double bound;
    } cases[] = {{"unified_256ms_mixed.mlmodelc", "quantized", 1e-3},
                 {"unified_256ms_palette_8bit.mlmodelc", "palettized", 1e-3},
                 {"unified_256ms_palette_6bit.mlmodelc", "palettized", 1e-2},
                 {"unified_256ms_palette_4bit.mlmodelc", "palettized", 1e-1}};
    yoke_file *plain = open_shared("bundles/silero-vad-unified-256ms-v6.0.0.mlmodelc");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[300], name[100];
        snprintf(path, sizeof path, "bundles/%s", cases[i].bundle);
        yoke_file *file = open_shared(path);
        snprintf(name, sizeof name, "concat_1_%s", cases[i].suffix);
        double gap = distance(file, name, plain, "concat_1");
        if (!(gap < cases[i].bound))
            fail_msg("%s: %g", cases[i].bundle, gap);
        yoke_file_free(file);
    }
    yoke_file_free(plain);
}

static void a_published_sparse_weight_is_zero_where_its_mask_is(void **state)
{
    (void)state;
    enum { COUNT = 128 * 64 * 3 };
    static const char bundle[] = "unified_256ms_pruned_int8.mlmodelc";
    static const char name[] = "encoder_layers_6_weight_to_fp16_sparsified";
    uint8_t *weights = read_weights(bundle);
    float *expected = malloc(COUNT * sizeof *expected);
    assert_non_null(expected);
    /* The program says: mask at 176256, elements at 155648. */
    const uint8_t *mask = weights + 176256 + 64, *nonzero = weights + 155648 + 64;
    for (size_t i = 0; i < COUNT; i++) {
        bool one = packed_at(mask, 1, i);
        expected[i] = one ? half_at(nonzero) : 0;
        nonzero += one ? 2 : 0;
    }
    yoke_file *file = open_shared("bundles/unified_256ms_pruned_int8.mlmodelc");
    expect_matrix(file, name, YOKE_F16, 128 * 64, 3, expected);
    yoke_file_free(file);
    free(expected);
    free(weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_program_is_read_and_printed_and_read_again),
        cmocka_unit_test(every_published_model_is_read_and_printed_and_read_again),
        cmocka_unit_test(operations_are_counted_as_apples_compiler_counts_them),
        cmocka_unit_test(the_text_and_the_package_of_a_model_hold_the_same_weights),
        cmocka_unit_test(the_echo_canceller_has_its_published_weights),
        cmocka_unit_test(a_package_without_its_weights_names_them),
        cmocka_unit_test(a_file_of_apples_writer_has_every_element_type),
        cmocka_unit_test(published_palettes_read_as_their_bits_say),
        cmocka_unit_test(compressed_weights_come_near_the_plain_ones),
        cmocka_unit_test(a_published_sparse_weight_is_zero_where_its_mask_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
