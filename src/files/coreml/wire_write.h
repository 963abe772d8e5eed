/* Protobuf's wire format: a message as it is written. */
#ifndef FILES_COREML_WIRE_WRITE_H
#define FILES_COREML_WIRE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; free bytes. */
typedef struct wire_writer {
    uint8_t *bytes;
    size_t used, capacity;
    bool failed; /* memory is out; what follows is not written */
} wire_writer;

/* A field of each kind. */
void wire_put_integer(wire_writer *to, uint32_t number, uint64_t value);
void wire_put_bytes(wire_writer *to, uint32_t number, const void *bytes, size_t size);
void wire_put_text(wire_writer *to, uint32_t number, const char *text);

/* A field that is a message, or packed numbers: what is put between the two is in it. */
size_t wire_begin(wire_writer *to, uint32_t number);
void wire_end(wire_writer *to, size_t begun);

/* Numbers within a packed field. */
void wire_put_varint(wire_writer *to, uint64_t value);
void wire_put_raw(wire_writer *to, const void *bytes, size_t size);

#endif
