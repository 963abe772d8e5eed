#include "files_coreml_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t put_blob(bytes *b, uint32_t type, const void *data, size_t size, uint64_t padding_bits)
{
    if (b->size == 0) {
        put_u32(b, 0);
        put_u32(b, 2);
        put_zeros(b, 56);
    }
    put_zeros(b, (64 - b->size % 64) % 64);
    size_t at = b->size;
    put_u32(b, 0xdeadbeef);
    put_u32(b, type);
    put_u64(b, size);
    put_u64(b, at + 64);
    put_u64(b, padding_bits);
    put_zeros(b, 32);
    put(b, data, size);
    b->data[0]++;
    return at;
}

static char *make_formatted(bytes *blobs, const char *text, va_list args)
{
    char *folder = make_folder(), *program = NULL;
    bytes mil = {0};
    assert_true(vasprintf(&program, text, args) >= 0);
    put_text(&mil, program);
    free(program);
    write_file(folder, "model.mil", &mil);
    assert_int_equal(mkdir(in_folder(folder, "weights"), 0700), 0);
    if (blobs && blobs->size)
        write_file(folder, "weights/weight.bin", blobs);
    return folder;
}

char *make_bundle(bytes *blobs, const char *text, ...)
{
    va_list args;
    va_start(args, text);
    char *folder = make_formatted(blobs, text, args);
    va_end(args);
    return folder;
}

void remove_bundle(char *folder)
{
    unlink(in_folder(folder, "weights/weight.bin"));
    rmdir(in_folder(folder, "weights"));
    remove_folder(folder);
}

yoke_file *open_bundle(bytes *blobs, const char *text, ...)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    va_list args;
    va_start(args, text);
    char *folder = make_formatted(blobs, text, args);
    va_end(args);
    yoke_status status = yoke_file_open(folder, &file, &err);
    remove_bundle(folder);
    if (status != YOKE_OK)
        fail_msg("%s", err.text);
    return file;
}

void refuse_bundle(const char *expected, bytes *blobs, const char *text, ...)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    va_list args;
    va_start(args, text);
    char *folder = make_formatted(blobs, text, args);
    va_end(args);
    yoke_status status = yoke_file_open(folder, &file, &err);
    remove_bundle(folder);
    if (status == YOKE_OK) {
        yoke_file_free(file);
        fail_msg("accepted, but expected: %s", expected);
    }
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in: %s", expected, err.text);
}

size_t expect_matrix(yoke_file *file, const char *name, yoke_format format, size_t rows,
                     size_t cols, const float *values)
{
    yoke_matrix matrix;
    yoke_error err = {0};
    size_t copied = 0;
    if (yoke_file_matrix(file, find(file, name), &matrix, &copied, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(matrix.format, format);
    assert_int_equal(matrix.rows, rows);
    assert_int_equal(matrix.cols, cols);
    for (size_t i = 0; i < rows * cols; i++) {
        float value;
        assert_int_equal(yoke_matrix_read(&matrix, i / cols, i % cols, 1, &value, &err), YOKE_OK);
        if (memcmp(&value, &values[i], sizeof value) != 0)
            fail_msg("%s[%zu, %zu] is %a, not %a", name, i / cols, i % cols, (double)value,
                     (double)values[i]);
    }
    return copied;
}

unsigned packed_at(const uint8_t *data, unsigned bits, size_t index)
{
    unsigned value = 0;
    for (unsigned b = 0; b < bits; b++) {
        size_t bit = index * bits + b;
        value |= (data[bit / 8] >> bit % 8 & 1u) << b;
    }
    return value;
}

void pack(uint8_t *data, unsigned bits, const unsigned *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < bits; b++)
            data[(i * bits + b) / 8] |= (uint8_t)((values[i] >> b & 1u) << (i * bits + b) % 8);
}
