/* Files made by hand, for the tests of the readers. */
#ifndef FILES_SUPPORT_H
#define FILES_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yoke/file.h"

/* A file being written, little-endian. */
typedef struct bytes {
    uint8_t *data;
    size_t size, capacity;
} bytes;

void put(bytes *b, const void *data, size_t size);
void put_text(bytes *b, const char *text);
void put_u8(bytes *b, uint8_t value);
void put_u16(bytes *b, uint16_t value);
void put_u32(bytes *b, uint32_t value);
void put_u64(bytes *b, uint64_t value);
void put_f32(bytes *b, float value);
void put_zeros(bytes *b, size_t count);
void bytes_free(bytes *b);

/* A safetensors file: length, header, data. */
bytes safetensors_bytes(const char *header, const void *data, size_t size);

/* An npy file of that version whose header is exactly `header`. */
bytes npy_bytes(unsigned version, const char *header, const void *data, size_t size);

/* Opens the bytes as a file called `name`, and frees them. */
yoke_status open_bytes(bytes *b, const char *name, yoke_file **file, yoke_error *err);

/* Opens and requires success; or failure, with each of the texts in the message. End with NULL. */
yoke_file *open_good(bytes b, const char *name);
void open_bad(bytes b, const char *name, ...);
#define OPEN_BAD(...) open_bad(__VA_ARGS__, NULL)

/* The value of the element at (row, col) of the named tensor. */
float element(yoke_file *file, const char *name, size_t row, size_t col);

const yoke_tensor *find(const yoke_file *file, const char *name);

/* An empty folder, gone with all it holds at remove_folder. */
char *make_folder(void);
void remove_folder(char *folder);
/* Writes folder/name; frees the bytes. */
void write_file(const char *folder, const char *name, bytes *b);
/* folder/name, in a static buffer. */
const char *in_folder(const char *folder, const char *name);

/* YOKE_TEST_SHARED/name in a static buffer; skips the test, saying why, when it is not there. */
const char *shared(const char *name);

#endif
