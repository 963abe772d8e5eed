#include "files_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static yoke_file *open_header(const char *header, const void *data, size_t size)
{
    return open_good(safetensors_bytes(header, data, size), "good.safetensors");
}

static void bad_header(const char *header, size_t size, const char *text)
{
    static const uint8_t DATA[64];
    OPEN_BAD(safetensors_bytes(header, DATA, size), "bad.safetensors", text);
}

static void tensors_are_listed_in_the_order_of_the_header(void **state)
{
    (void)state;
    static const float DATA[7] = {7, 1, 2, 3, 4, 5, 6};
    yoke_file *file =
        open_header("{\"__metadata__\":{\"format\":\"pt\"},"
                    "\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[4,28]},"
                    "\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}   ",
                    DATA, sizeof DATA);
    assert_string_equal(yoke_file_kind(file), "safetensors");
    assert_int_equal(yoke_file_tensor_count(file), 2);
    const yoke_tensor *w = yoke_file_tensor(file, 0);
    assert_string_equal(w->name, "w");
    assert_string_equal(w->type_name, "F32");
    assert_int_equal(w->bytes, 24);
    assert_int_equal(w->shape[0], 2);
    assert_int_equal(w->shape[1], 3);
    assert_float_equal(element(file, "w", 1, 0), 4, 0);
    assert_int_equal(yoke_file_tensor(file, 1)->rank, 0);
    assert_float_equal(element(file, "b", 0, 0), 7, 0);
    assert_null(yoke_file_tensor(file, 2));
    assert_null(yoke_file_find(file, "x", 1));
    yoke_file_free(file);
}

static void unaligned_floats_read_right(void **state)
{
    (void)state;
    bytes data = {0};
    put_text(&data, "abc");
    put_f32(&data, 1.5f);
    put_f32(&data, -2.25f);
    yoke_file *file =
        open_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
                    "\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[3,11]}}",
                    data.data, data.size);
    assert_float_equal(element(file, "w", 0, 0), 1.5f, 0);
    assert_float_equal(element(file, "w", 0, 1), -2.25f, 0);
    assert_float_equal(element(file, "a", 0, 2), 'c', 0);
    bytes_free(&data);
    yoke_file_free(file);
}

static void names_are_counted_and_may_hold_nul(void **state)
{
    (void)state;
    yoke_file *file = open_header(
        "{\"w\\u0000hidden\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "x", 1);
    assert_null(yoke_file_find(file, "w", 1));
    const yoke_tensor *tensor = yoke_file_find(file, "w\0hidden", 8);
    assert_non_null(tensor);
    assert_int_equal(tensor->name_length, 8);
    yoke_file_free(file);
}

static void empty_tensors_are_tensors(void **state)
{
    (void)state;
    yoke_file *file = open_header(
        "{\"e\":{\"dtype\":\"F32\",\"shape\":[0,256],\"data_offsets\":[0,0]}}", NULL, 0);
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, find(file, "e"), &matrix, NULL, NULL), YOKE_OK);
    assert_int_equal(matrix.rows, 0);
    assert_int_equal(matrix.cols, 256);
    yoke_file_free(file);
    file = open_header("{}", NULL, 0);
    assert_int_equal(yoke_file_tensor_count(file), 0);
    yoke_file_free(file);
}

static void types_without_a_format_are_named_but_not_read(void **state)
{
    (void)state;
    yoke_file *file =
        open_header("{\"a\":{\"dtype\":\"F8_E4M3FNUZ\",\"shape\":[2],\"data_offsets\":[0,2]},"
                    "\"b\":{\"dtype\":\"F8_E5M2\",\"shape\":[2],\"data_offsets\":[2,4]},"
                    "\"c\":{\"dtype\":\"C64\",\"shape\":[1],\"data_offsets\":[4,12]},"
                    "\"d\":{\"dtype\":\"F4\",\"shape\":[2,3],\"data_offsets\":[12,15]}}",
                    "\x38\x38\x3c\x7b\0\0\0\0\0\0\0\0\0\0\0", 15);
    yoke_error err;
    yoke_matrix matrix;
    assert_int_equal(find(file, "a")->format, YOKE_FORMAT_NONE);
    assert_string_equal(find(file, "a")->type_name, "F8_E4M3FNUZ");
    assert_false(find(file, "a")->readable);
    assert_int_equal(yoke_file_matrix(file, find(file, "a"), &matrix, NULL, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "F8_E4M3FNUZ"));
    assert_int_equal(find(file, "c")->format, YOKE_C64);
    assert_false(find(file, "c")->readable);
    /* OCP 8-bit floats: 0x3c is 1.0, 0x7b the largest finite E5M2. */
    assert_float_equal(element(file, "b", 0, 0), 1, 0);
    assert_float_equal(element(file, "b", 0, 1), 57344, 0);
    /* Three 4-bit elements a row: the second row begins inside a byte. */
    assert_false(find(file, "d")->readable);
    yoke_file_free(file);
}

static void malformed_headers_are_refused(void **state)
{
    (void)state;
    bad_header("", 0, "byte 8");
    bad_header(" {}", 0, "does not begin with '{'");
    bad_header("[]", 0, "does not begin with '{'");
    bad_header("{", 0, "");
    bad_header("{}x", 0, "byte 10: more follows");
    bad_header("{,}", 0, "name in quotes");
    bad_header("{\"a\" 1}", 0, "':' is missing");
    bad_header("{\"a\":1}", 0, "not an object");
    bad_header("{\"__metadata__\":[]}", 0, "__metadata__");
    bad_header("{\"__metadata__\":{\"a\":1}}", 0, "__metadata__");
    bad_header("{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ appears twice");
    bad_header("{\"\xff\":{}}", 0, "header, byte 10");
}

#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"w\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void malformed_tensors_are_refused_by_name_and_field(void **state)
{
    (void)state;
    bad_header("{\"w\":{}}", 0, "tensor \"w\" (header, byte 9): dtype");
    bad_header(ENTRY("\"FLOAT32\"", "[1]", "[0,4]"), 4, "\"FLOAT32\"");
    bad_header(ENTRY("\"F32\\u0000\"", "[1]", "[0,4]"), 4, "dtype");
    bad_header(ENTRY("7", "[1]", "[0,4]"), 4, "dtype");
    bad_header(ENTRY("\"F32\"", "1", "[0,4]"), 4, "shape");
    bad_header(ENTRY("\"F32\"", "[1.0]", "[0,4]"), 4, "shape");
    bad_header(ENTRY("\"F32\"", "[-1]", "[0,4]"), 4, "shape");
    bad_header(ENTRY("\"F32\"", "[18446744073709551616]", "[0,4]"), 4, "byte");
    bad_header(ENTRY("\"F32\"", "[4611686018427387904,4]", "[0,0]"), 0, "overflows");
    bad_header(ENTRY("\"F32\"", "[4611686018427387904]", "[0,0]"), 0, "overflows");
    bad_header(ENTRY("\"F4\"", "[3]", "[0,2]"), 2, "whole bytes");
    bad_header(ENTRY("\"F32\"", "[1]", "[]"), 4, "data_offsets");
    bad_header(ENTRY("\"F32\"", "[1]", "[0]"), 4, "data_offsets");
    bad_header(ENTRY("\"F32\"", "[1]", "[0,4,8]"), 4, "data_offsets");
    bad_header(ENTRY("\"F32\"", "[1]", "[4,0]"), 4, "behind end");
    bad_header(ENTRY("\"F32\"", "[1]", "[0,4]"), 3, "behind the end of the data");
    bad_header(ENTRY("\"F32\"", "[1]", "[0,8]"), 8, "8 bytes, but type and shape make 4");
    bad_header(ENTRY("\"F32\"", "[1000,1000]", "[0,4]"), 4, "make 4000000");
    bad_header(ENTRY("\"F32\"", "[1]", "[0,4]"), 5, "the tensors end at byte");
    bad_header(ENTRY("\"F32\"", "[1]", "[1,5]"), 5, "gap");
    bad_header(ENTRY("\"F32\",\"dtype\":\"F32\"", "[1]", "[0,4]"), 4, "duplicate");
}

#define BYTE_ENTRY(name, offsets)                                                                  \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" offsets "}"

static void tensors_that_overlap_or_share_a_name_are_refused(void **state)
{
    (void)state;
    bad_header("{" BYTE_ENTRY("a", "[0,2]") "," BYTE_ENTRY("b", "[1,3]") "}", 3, "overlapping");
    bad_header("{" BYTE_ENTRY("a", "[0,2]") "," BYTE_ENTRY("b", "[0,2]") "}", 2, "overlapping");
    bad_header("{" BYTE_ENTRY("a", "[0,2]") "," BYTE_ENTRY("a", "[2,4]") "}", 4,
               "duplicate tensor name \"a\"");
    bad_header("{" BYTE_ENTRY("a", "[0,2]") "," BYTE_ENTRY("\\u0061", "[2,4]") "}", 4,
               "duplicate tensor name \"a\"");
}

static void a_header_length_beyond_the_file_or_the_limit_is_refused(void **state)
{
    (void)state;
    static const uint64_t LENGTHS[] = {3, 99999999, 100000001, 1ull << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        bytes b = {0};
        put_u64(&b, LENGTHS[i]);
        put_text(&b, "{}");
        OPEN_BAD(b, "length.safetensors", "header length, byte 0",
                 LENGTHS[i] > 100000000 ? "limit of 100000000 bytes" : "ends after 10 bytes");
    }
}

static void deeply_nested_json_is_refused(void **state)
{
    (void)state;
    bytes b = {0};
    put_u64(&b, 5 + 200000);
    put_text(&b, "{\"a\":");
    for (size_t i = 0; i < 200000; i++)
        put_text(&b, "[");
    OPEN_BAD(b, "deep.safetensors", "depth");
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    bytes whole = safetensors_bytes(ENTRY("\"F32\"", "[2]", "[0,8]"), "12345678", 8);
    for (size_t size = 0; size < whole.size; size++) {
        bytes cut = {0};
        put(&cut, whole.data, size);
        OPEN_BAD(cut, "cut.safetensors");
    }
    bytes_free(&whole);
}

static void a_hundred_thousand_tensors_are_all_found(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    bytes header = {0}, file_bytes = {0};
    char name[64], entry[160];
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(entry, sizeof entry,
                 "%s\"model.layers.%zu.weight\":{\"dtype\":\"U8\",\"shape\":[1],"
                 "\"data_offsets\":[%zu,%zu]}",
                 i ? "," : "{", i, i, i + 1);
        put_text(&header, entry);
    }
    put_text(&header, "}");
    put_u64(&file_bytes, header.size);
    put(&file_bytes, header.data, header.size);
    for (size_t i = 0; i < COUNT; i++)
        put_u8(&file_bytes, (uint8_t)(i * 7));
    bytes_free(&header);
    char *folder = make_folder();
    write_file(folder, "many.safetensors", &file_bytes);
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (yoke_file_open(in_folder(folder, "many.safetensors"), &file, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(yoke_file_tensor_count(file), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "model.layers.%zu.weight", i);
        assert_ptr_equal(find(file, name), yoke_file_tensor(file, i));
        assert_float_equal(element(file, name, 0, 0), (uint8_t)(i * 7), 0);
    }
    yoke_file_free(file);
    remove_folder(folder);
}

/* A folder with a set of two shards and an index with the given weight_map. */
static char *shard_folder(const char *weight_map)
{
    char *folder = make_folder();
    bytes one = safetensors_bytes("{" BYTE_ENTRY("a", "[0,2]") "}", "\1\2", 2);
    bytes two = safetensors_bytes("{" BYTE_ENTRY("b", "[0,2]") "}", "\3\4", 2);
    bytes index = {0};
    put_text(&index, "{\"metadata\": {\"total_size\": 4}, \"weight_map\": ");
    put_text(&index, weight_map);
    put_text(&index, "}");
    write_file(folder, "m-1.safetensors", &one);
    write_file(folder, "m-2.safetensors", &two);
    write_file(folder, "m.safetensors.index.json", &index);
    return folder;
}

static void a_sharded_set_opens_by_its_index_or_its_folder(void **state)
{
    (void)state;
    char *folder = shard_folder("{\"b\": \"m-2.safetensors\", \"a\": \"m-1.safetensors\"}");
    for (int by_folder = 0; by_folder < 2; by_folder++) {
        yoke_file *file = NULL;
        yoke_error err = {0};
        if (yoke_file_open(by_folder ? folder : in_folder(folder, "m.safetensors.index.json"),
                           &file, &err) != YOKE_OK)
            fail_msg("%s", err.text);
        assert_int_equal(yoke_file_part_count(file), 2);
        assert_string_equal(yoke_file_part(file, 0), in_folder(folder, "m-1.safetensors"));
        assert_string_equal(find(file, "b")->path, in_folder(folder, "m-2.safetensors"));
        assert_float_equal(element(file, "a", 0, 1), 2, 0);
        assert_float_equal(element(file, "b", 0, 0), 3, 0);
        yoke_file_free(file);
    }
    remove_folder(folder);
}

static void bad_map(const char *weight_map, const char *text)
{
    char *folder = shard_folder(weight_map);
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (yoke_file_open(folder, &file, &err) == YOKE_OK)
        fail_msg("accepted: %s", weight_map);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in: %s", text, err.text);
    remove_folder(folder);
}

static void a_map_that_does_not_match_its_shards_is_refused(void **state)
{
    (void)state;
    bad_map("{\"a\": \"m-1.safetensors\", \"b\": \"m-3.safetensors\"}", "m-3.safetensors");
    bad_map("{\"a\": \"m-1.safetensors\", \"c\": \"m-2.safetensors\"}",
            "\"c\" is not in m-2.safetensors");
    bad_map("{\"a\": \"m-2.safetensors\", \"b\": \"m-1.safetensors\"}", "is not in");
    bad_map("{\"a\": \"m-1.safetensors\", \"a\": \"m-1.safetensors\"}", "duplicate");
    bad_map("{\"a\": 1}", "not a string");
    bad_map("{}", "names no tensor");
    bad_map("[]", "weight_map");
    bad_map("{", "JSON, byte");
}

static void a_shard_that_is_something_else_is_named(void **state)
{
    (void)state;
    char *folder = shard_folder("{\"a\": \"m-1.safetensors\", \"b\": \"m-2.safetensors\"}");
    bytes pointer = {0};
    put_text(&pointer, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    write_file(folder, "m-2.safetensors", &pointer);
    yoke_file *file = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_file_open(folder, &file, &err), YOKE_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "m-2.safetensors: byte 0: a Git LFS pointer"));
    remove_folder(folder);
}

static void a_shard_outside_the_folder_is_refused(void **state)
{
    (void)state;
    static const char *const OUTSIDE[] = {"../m-1.safetensors", "x/../../m-1.safetensors", "..",
                                          "/etc/passwd",        "..\\\\m-1.safetensors",   ""};
    for (size_t i = 0; i < sizeof OUTSIDE / sizeof *OUTSIDE; i++) {
        char map[128];
        snprintf(map, sizeof map, "{\"a\": \"%s\"}", OUTSIDE[i]);
        bad_map(map, "inside the folder");
    }
}

static void published_files_hold_what_their_sources_say(void **state)
{
    (void)state;
    yoke_file *file = NULL;
    assert_int_equal(
        yoke_file_open(shared("models/safetensors/st_samples_kolanich/overall.safetensors"), &file,
                       NULL),
        YOKE_OK);
    assert_int_equal(yoke_file_tensor_count(file), 9);
    for (size_t i = 0; i < 9; i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        /* -3 to 2 in each type; negative ones wrap round where there is no sign. */
        double wrap = tensor->type_name[0] == 'U' ? ldexp(1, atoi(tensor->type_name + 1)) : 0;
        for (size_t col = 0; col < 6; col++) {
            double value = (double)col - 3;
            assert_float_equal(element(file, tensor->name, 0, col),
                               (float)(value < 0 ? value + wrap : value), 0);
        }
    }
    yoke_file_free(file);
}

static void the_shards_of_a_model_hold_what_the_whole_holds(void **state)
{
    (void)state;
    yoke_file *whole = NULL, *set = NULL;
    assert_int_equal(
        yoke_file_open(shared("models/safetensors/silero_vad_16k.safetensors"), &whole, NULL),
        YOKE_OK);
    assert_int_equal(yoke_file_open(shared("models/safetensors/sharded"), &set, NULL), YOKE_OK);
    assert_int_equal(yoke_file_part_count(set), 2);
    assert_int_equal(yoke_file_tensor_count(set), yoke_file_tensor_count(whole));
    for (size_t i = 0; i < yoke_file_tensor_count(whole); i++) {
        const yoke_tensor *tensor = yoke_file_tensor(whole, i);
        const yoke_tensor *other = find(set, tensor->name);
        yoke_matrix a, b;
        assert_int_equal(yoke_file_matrix(whole, tensor, &a, NULL, NULL), YOKE_OK);
        assert_int_equal(yoke_file_matrix(set, other, &b, NULL, NULL), YOKE_OK);
        assert_int_equal(tensor->bytes, other->bytes);
        assert_memory_equal(a.data, b.data, tensor->bytes);
    }
    assert_int_equal(find(whole, "lstm_cell.weight_ih")->shape[0], 512);
    assert_int_equal(find(whole, "lstm_cell.weight_ih")->shape[1], 128);
    yoke_file_free(whole);
    yoke_file_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_listed_in_the_order_of_the_header),
        cmocka_unit_test(unaligned_floats_read_right),
        cmocka_unit_test(names_are_counted_and_may_hold_nul),
        cmocka_unit_test(empty_tensors_are_tensors),
        cmocka_unit_test(types_without_a_format_are_named_but_not_read),
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(malformed_tensors_are_refused_by_name_and_field),
        cmocka_unit_test(tensors_that_overlap_or_share_a_name_are_refused),
        cmocka_unit_test(a_header_length_beyond_the_file_or_the_limit_is_refused),
        cmocka_unit_test(deeply_nested_json_is_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_hundred_thousand_tensors_are_all_found),
        cmocka_unit_test(a_sharded_set_opens_by_its_index_or_its_folder),
        cmocka_unit_test(a_map_that_does_not_match_its_shards_is_refused),
        cmocka_unit_test(a_shard_that_is_something_else_is_named),
        cmocka_unit_test(a_shard_outside_the_folder_is_refused),
        cmocka_unit_test(published_files_hold_what_their_sources_say),
        cmocka_unit_test(the_shards_of_a_model_hold_what_the_whole_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
