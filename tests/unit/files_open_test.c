#include "files_support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bytes text_bytes(const char *text)
{
    bytes b = {0};
    put_text(&b, text);
    return b;
}

static void what_often_lies_in_place_of_weights_is_named(void **state)
{
    (void)state;
    OPEN_BAD(text_bytes(""), "nothing.gguf", "empty");
    OPEN_BAD(text_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
             "model.safetensors", "Git LFS pointer");
    OPEN_BAD(text_bytes("<!doctype html><html>"), "model.safetensors", "HTML page");
    OPEN_BAD(text_bytes("PK\x03\x04\x14"), "arrays.npz", "zip archive");
    OPEN_BAD(text_bytes("lmgg\x01"), "model.bin", "before GGUF");
    OPEN_BAD(text_bytes("\x80\x02}q"), "model.pt", "pickle");
    OPEN_BAD(text_bytes("\x80\x04\x95"), "model.bin", "pickle");
    OPEN_BAD(text_bytes("\n <html>"), "model.gguf", "HTML page");
    OPEN_BAD(text_bytes("<?xml version=\"1.0\"?><Error>"), "model.gguf", "XML page");
    OPEN_BAD(text_bytes("\x1f\x8b\x08"), "model.gguf.gz", "gzip-compressed");
    OPEN_BAD(text_bytes("hello"), "hello.txt", "neither safetensors, GGUF, npy nor Core ML");
    OPEN_BAD(text_bytes("{\"model_type\": \"bert\"}"), "config.json", "weight_map");
}

/* A header of 640 bytes begins as a pickle does, one of 35615 as gzip: the length says nothing. */
static void a_safetensors_header_may_have_any_length(void **state)
{
    (void)state;
    static const size_t LENGTHS[] = {0x0280, 0x0380, 0x0480, 0x0580, 0x8b1f, 0x10280};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        char *header = malloc(LENGTHS[i] + 1);
        assert_non_null(header);
        snprintf(header, LENGTHS[i] + 1, "%-*s", (int)LENGTHS[i],
                 "{\"w\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}");
        yoke_file *file = open_good(safetensors_bytes(header, "\x07", 1), "any.safetensors");
        assert_int_equal(element(file, "w", 0, 0), 7);
        yoke_file_free(file);
        free(header);
    }
}

static void the_name_does_not_decide_what_a_file_is(void **state)
{
    (void)state;
    yoke_file *file = open_good(safetensors_bytes("{}", NULL, 0), "weights.bin");
    assert_string_equal(yoke_file_kind(file), "safetensors");
    yoke_file_free(file);
    file = open_good(
        npy_bytes(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", "x", 1), "x.dat");
    assert_string_equal(yoke_file_kind(file), "npy v1");
    assert_string_equal(yoke_file_tensor(file, 0)->name, "x.dat");
    yoke_file_free(file);
}

static void refused(const char *path, yoke_status expected, const char *text)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_file_open(path, &file, &err), expected);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in: %s", text, err.text);
}

static void a_path_that_is_no_regular_file_is_refused_at_once(void **state)
{
    (void)state;
    char *folder = make_folder();
    refused(in_folder(folder, "absent.gguf"), YOKE_ERR_IO, "absent.gguf");
    assert_int_equal(mkfifo(in_folder(folder, "pipe"), 0600), 0);
    refused(in_folder(folder, "pipe"), YOKE_ERR_IO, "not a regular file");
    assert_int_equal(yoke_file_open(NULL, NULL, NULL), YOKE_ERR_USAGE);
    remove_folder(folder);
}

static void a_folder_opens_when_it_holds_one_model(void **state)
{
    (void)state;
    static const char HEADER[] = "{\"w\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    char *folder = make_folder();
    refused(folder, YOKE_ERR_IO, "holds no *.safetensors");
    bytes b = safetensors_bytes(HEADER, "x", 1);
    write_file(folder, "model.safetensors", &b);
    yoke_file *file = NULL;
    assert_int_equal(yoke_file_open(folder, &file, NULL), YOKE_OK);
    assert_string_equal(yoke_file_part(file, 0), in_folder(folder, "model.safetensors"));
    assert_int_equal(yoke_file_bytes(file), 8 + strlen(HEADER) + 1);
    yoke_file_free(file);
    b = safetensors_bytes(HEADER, "x", 1);
    write_file(folder, "other.safetensors", &b);
    refused(folder, YOKE_ERR_USAGE, "2 files *.safetensors");
    remove_folder(folder);
}

static void a_file_that_shrinks_while_open_is_an_error_and_no_signal(void **state)
{
    (void)state;
    char *folder = make_folder(), *data = calloc(1, 1 << 20);
    bytes b = safetensors_bytes(
        "{\"w\":{\"dtype\":\"F32\",\"shape\":[512,512],\"data_offsets\":[0,1048576]}}", data,
        1 << 20);
    free(data);
    write_file(folder, "model.safetensors", &b);
    yoke_file *file = NULL;
    yoke_matrix matrix;
    yoke_error err = {0};
    assert_int_equal(yoke_file_open(in_folder(folder, "model.safetensors"), &file, NULL), YOKE_OK);
    assert_int_equal(yoke_file_matrix(file, find(file, "w"), &matrix, NULL, &err), YOKE_OK);
    assert_int_equal(truncate(in_folder(folder, "model.safetensors"), 4096), 0);
    assert_int_equal(yoke_file_matrix(file, find(file, "w"), &matrix, NULL, &err), YOKE_ERR_IO);
    assert_non_null(strstr(err.text, "shrank from"));
    yoke_file_free(file);
    remove_folder(folder);
}

static void *get_matrix(void *arg)
{
    yoke_file *file = arg;
    yoke_matrix matrix;
    if (yoke_file_matrix(file, yoke_file_tensor(file, 0), &matrix, NULL, NULL) != YOKE_OK)
        return NULL;
    return ((const uint16_t *)matrix.data)[299] == 299 ? matrix.data : NULL;
}

static void threads_that_ask_at_once_share_one_copy(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    uint8_t values[600];
    for (size_t i = 0; i < 300; i++) {
        values[2 * i] = (uint8_t)(i >> 8);
        values[2 * i + 1] = (uint8_t)i;
    }
    yoke_file *file =
        open_good(npy_bytes(1, "{'descr': '>u2', 'fortran_order': False, 'shape': (300,)}", values,
                            sizeof values),
                  "shared.npy");
    pthread_t threads[THREADS];
    void *first = NULL, *data;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, get_matrix, file), 0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &data);
        assert_non_null(data);
        assert_true(!first || data == first);
        first = data;
    }
    yoke_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_often_lies_in_place_of_weights_is_named),
        cmocka_unit_test(a_safetensors_header_may_have_any_length),
        cmocka_unit_test(the_name_does_not_decide_what_a_file_is),
        cmocka_unit_test(a_path_that_is_no_regular_file_is_refused_at_once),
        cmocka_unit_test(a_folder_opens_when_it_holds_one_model),
        cmocka_unit_test(a_file_that_shrinks_while_open_is_an_error_and_no_signal),
        cmocka_unit_test(threads_that_ask_at_once_share_one_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
