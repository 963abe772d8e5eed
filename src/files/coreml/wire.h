/* Protobuf's wire format: fields of a message, one after another. */
#ifndef FILES_COREML_WIRE_H
#define FILES_COREML_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message, or what is left of it. */
typedef struct wire {
    const uint8_t *at, *end;
} wire;

typedef enum wire_type {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_BYTES = 2, /* text, a message, packed numbers */
    WIRE_FIXED32 = 5
} wire_type;

typedef struct wire_field {
    uint32_t number;
    wire_type type;
    uint64_t value; /* of all types but bytes */
    wire bytes;
} wire_field;

/* A field's number and wire type in one; a known number of another wire type is not that field. */
#define WIRE_KEY(number, type) ((uint64_t)(number) << 3 | (type))

static inline uint64_t wire_key(const wire_field *field)
{
    return WIRE_KEY(field->number, field->type);
}

/* Takes the next field. False at the end of the message, and when it is malformed: then at != end,
 * and `at` is where the field begins. */
bool wire_next(wire *message, wire_field *field);

/* Takes a varint. False when it does not end, or is over 64 bits. */
bool wire_varint(wire *from, uint64_t *value);

static inline size_t wire_left(const wire *message)
{
    return (size_t)(message->end - message->at);
}

#endif
