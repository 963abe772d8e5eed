/* weight.bin. */
#include "files_coreml_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const float ONE_TWO[2] = {1, 2};

static void a_weight_file_alone_is_a_list_of_vectors(void **state)
{
    (void)state;
    bytes b = {0};
    assert_int_equal(put_blob(&b, BLOB_F32, ONE_TWO, 8, 0), 64);
    assert_int_equal(put_blob(&b, BLOB_I8, "abc", 3, 0), 192);
    yoke_file *file = open_good(b, "weight.bin");
    assert_string_equal(yoke_file_kind(file), "coreml weights v2");
    assert_int_equal(yoke_file_tensor_count(file), 2);
    assert_int_equal(find(file, "blob64")->offset, 128);
    expect_matrix(file, "blob64", YOKE_F32, 1, 2, ONE_TWO);
    assert_string_equal(find(file, "blob192")->type_name, "int8");
    assert_float_equal(element(file, "blob192", 0, 2), 'c', 0);
    yoke_file_free(file);
}

static void garbage_where_old_writers_left_it_is_not_looked_at(void **state)
{
    (void)state;
    bytes b = {0};
    /* As real files have it: the padding of whole bytes, and the words behind it. */
    put_blob(&b, BLOB_F32, ONE_TWO, 8, 5104411984);
    memset(b.data + 64 + 32, 0xab, 32);
    memset(b.data + 8, 0xcd, 56);
    yoke_file *file = open_good(b, "weight.bin");
    expect_matrix(file, "blob64", YOKE_F32, 1, 2, ONE_TWO);
    yoke_file_free(file);
}

/* 640 blobs begin a file as a pickle begins. */
static void any_count_of_blobs_is_taken(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0x0280, 0x0480, 0x8b1f};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bytes b = {0};
        size_t at = put_blob(&b, BLOB_F32, ONE_TWO, 8, 0);
        memcpy(b.data, &counts[i], sizeof counts[i]);
        yoke_file *file = open_bundle(&b, PROGRAM(STORED("fp32", "1, 2", "w"), "w"), at);
        expect_matrix(file, "w", YOKE_F32, 1, 2, ONE_TWO);
        yoke_file_free(file);
    }
}

static void packed_elements_are_counted_without_their_padding(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        size_t bytes;
        uint64_t padding, elements;
    } cases[] = {{8, 2, 4, 3},  {11, 3, 4, 5}, {9, 2, 7, 9},  {10, 1, 2, 3},
                 {12, 2, 7, 3}, {13, 3, 6, 3}, {13, 3, 0, 4}, {9, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes b = {0};
        put_blob(&b, cases[i].type, "xyz", cases[i].bytes, cases[i].padding);
        yoke_file *file = open_good(b, "weight.bin");
        assert_int_equal(yoke_file_tensor(file, 0)->shape[0], cases[i].elements);
        yoke_file_free(file);
    }
}

/* A good file of one blob with 8 bytes written over. */
static bytes with_word(size_t at, uint64_t value)
{
    bytes b = {0};
    put_blob(&b, BLOB_F32, ONE_TWO, 8, 0);
    memcpy(b.data + at, &value, sizeof value);
    return b;
}

static void wrong_metadata_is_refused_with_its_place(void **state)
{
    (void)state;
    static const char name[] = "weight.bin";
    OPEN_BAD(with_word(72, UINT64_MAX), name, "bytes, byte 72", "136");
    OPEN_BAD(with_word(72, 12), name, "bytes, byte 72");
    OPEN_BAD(with_word(72, 7), name, "no whole fp32 elements");
    OPEN_BAD(with_word(80, UINT64_MAX - 63), name, "data offset, byte 80");
    OPEN_BAD(with_word(80, 130), name, "no multiple of 64");
    OPEN_BAD(with_word(80, 64), name, "before the end of the metadata");
    OPEN_BAD(with_word(80, 0), name, "data offset, byte 80");
    OPEN_BAD(with_word(80, 192), name, "the file ends at byte 136");
    OPEN_BAD(with_word(64, 0x63deadbeef), name, "element type, byte 68: 99");
    OPEN_BAD(with_word(64, 0xdeadbeef), name, "element type, byte 68: 0");
    OPEN_BAD(with_word(0, 0x20000000a), name, "count, byte 0: 10 blobs, but only 1");
    OPEN_BAD(with_word(0, 0x300000001), name, "version, byte 4: a weight file of version 3");
    bytes b = {0};
    put_blob(&b, BLOB_I4, "xy", 2, 8);
    OPEN_BAD(b, name, "padding bits, byte 88");
    b = (bytes){0};
    put_blob(&b, BLOB_I4, "xy", 2, UINT64_MAX);
    OPEN_BAD(b, name, "padding bits, byte 88");
}

/* Writes `data` at `at`. */
static void write_at(int file, const void *data, size_t size, uint64_t at)
{
    assert_int_equal(pwrite(file, data, size, (off_t)at), (ssize_t)size);
}

static void blobs_beyond_2_to_the_31_and_32_are_found(void **state)
{
    (void)state;
    static const uint64_t places[2] = {(UINT64_C(1) << 31) + 64, (UINT64_C(1) << 32) + 64};
    static const float values[2][2] = {{1, 2}, {3, 4}};
    char *folder =
        make_bundle(NULL, PROGRAM(STORED("fp32", "1, 2", "a") STORED("fp32", "1, 2", "b"), "a, b"),
                    (size_t)places[0], (size_t)places[1]);
    int file = open(in_folder(folder, "weights/weight.bin"), O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    bytes header = {0};
    put_u32(&header, 2);
    put_u32(&header, 2);
    put_zeros(&header, 56);
    write_at(file, header.data, header.size, 0);
    bytes_free(&header);
    for (size_t i = 0; i < 2; i++) {
        bytes blob = {0};
        put_u64(&blob, 0x2deadbeef);
        put_u64(&blob, 8);
        put_u64(&blob, places[i] + 64);
        put_zeros(&blob, 40);
        put(&blob, values[i], 8);
        write_at(file, blob.data, blob.size, places[i]);
        bytes_free(&blob);
    }
    close(file);
    yoke_file *opened = NULL;
    yoke_error err = {0};
    yoke_status status = yoke_file_open(folder, &opened, &err);
    remove_bundle(folder);
    if (status != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(find(opened, "b")->offset, places[1] + 64);
    expect_matrix(opened, "a", YOKE_F32, 1, 2, values[0]);
    expect_matrix(opened, "b", YOKE_F32, 1, 2, values[1]);
    yoke_file_free(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_file_alone_is_a_list_of_vectors),
        cmocka_unit_test(garbage_where_old_writers_left_it_is_not_looked_at),
        cmocka_unit_test(any_count_of_blobs_is_taken),
        cmocka_unit_test(packed_elements_are_counted_without_their_padding),
        cmocka_unit_test(wrong_metadata_is_refused_with_its_place),
        cmocka_unit_test(blobs_beyond_2_to_the_31_and_32_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
