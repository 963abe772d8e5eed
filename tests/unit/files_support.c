#include "files_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/file.h"

void put(bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size);
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

void put_text(bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

void put_u8(bytes *b, uint8_t value)
{
    put(b, &value, 1);
}

void put_u16(bytes *b, uint16_t value)
{
    put(b, &value, sizeof value);
}

void put_u32(bytes *b, uint32_t value)
{
    put(b, &value, sizeof value);
}

void put_u64(bytes *b, uint64_t value)
{
    put(b, &value, sizeof value);
}

void put_f32(bytes *b, float value)
{
    put(b, &value, sizeof value);
}

void put_zeros(bytes *b, size_t count)
{
    while (count--)
        put_u8(b, 0);
}

void bytes_free(bytes *b)
{
    free(b->data);
    *b = (bytes){0};
}

bytes safetensors_bytes(const char *header, const void *data, size_t size)
{
    bytes b = {0};
    put_u64(&b, strlen(header));
    put_text(&b, header);
    put(&b, data, size);
    return b;
}

bytes npy_bytes(unsigned version, const char *header, const void *data, size_t size)
{
    bytes b = {0};
    put_text(&b, "\x93NUMPY");
    put_u8(&b, (uint8_t)version);
    put_u8(&b, 0);
    if (version == 1)
        put_u16(&b, (uint16_t)strlen(header));
    else
        put_u32(&b, (uint32_t)strlen(header));
    put_text(&b, header);
    put(&b, data, size);
    return b;
}

/* The bytes of the one file that a test has open from memory; a copy of exact size, so that a
 * sanitizer sees a read behind its end. */
static void *opened;

yoke_status open_bytes(bytes *b, const char *name, yoke_file **file, yoke_error *err)
{
    free(opened);
    opened = malloc(b->size ? b->size : 1);
    assert_non_null(opened);
    if (b->size)
        memcpy(opened, b->data, b->size);
    yoke_status status = file_open_memory(opened, b->size, name, file, err);
    bytes_free(b);
    return status;
}

yoke_file *open_good(bytes b, const char *name)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (open_bytes(&b, name, &file, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return file;
}

void open_bad(bytes b, const char *name, ...)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    yoke_status status = open_bytes(&b, name, &file, &err);
    if (status == YOKE_OK) {
        yoke_file_free(file);
        fail_msg("%s was accepted", name);
    }
    assert_int_equal(err.status, status);
    assert_non_null(strstr(err.text, name));
    va_list texts;
    va_start(texts, name);
    for (const char *text; (text = va_arg(texts, const char *));)
        if (!strstr(err.text, text))
            fail_msg("\"%s\" is not in: %s", text, err.text);
    va_end(texts);
}

const yoke_tensor *find(const yoke_file *file, const char *name)
{
    const yoke_tensor *tensor = yoke_file_find(file, name, strlen(name));
    if (!tensor)
        fail_msg("no tensor %s", name);
    return tensor;
}

float element(yoke_file *file, const char *name, size_t row, size_t col)
{
    yoke_matrix matrix;
    yoke_error err = {0};
    float value = 0;
    if (yoke_file_matrix(file, find(file, name), &matrix, NULL, &err) != YOKE_OK ||
        yoke_matrix_read(&matrix, row, col, 1, &value, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return value;
}

char *make_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/yoke-files-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(path));
    return strdup(path);
}

void remove_folder(char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(in_folder(folder, entry->d_name));
    if (entries)
        closedir(entries);
    rmdir(folder);
    free(folder);
}

void write_file(const char *folder, const char *name, bytes *b)
{
    FILE *file = fopen(in_folder(folder, name), "wb");
    assert_non_null(file);
    assert_true(b->size == 0 || fwrite(b->data, 1, b->size, file) == b->size);
    assert_int_equal(fclose(file), 0);
    bytes_free(b);
}

const char *in_folder(const char *folder, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *shared(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", YOKE_TEST_SHARED, name);
    if (access(path, R_OK) != 0) {
        print_message("%s is not there\n", path);
        skip();
    }
    return path;
}
