#include "files/coreml/wire_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/wire.h"

/* A message's length is known behind it: it gets as many bytes as lengths up to 2^35 take, which
 * the format allows. */
enum { LENGTH_BYTES = 5 };

static bool has_room(wire_writer *to, size_t bytes)
{
    size_t wanted, capacity;
    if (to->failed)
        return false;
    if (bytes <= to->capacity - to->used)
        return true;
    uint8_t *grown = NULL;
    if (size_add(to->used, bytes, &wanted) && size_mul(wanted + 512, 2, &capacity))
        grown = realloc(to->bytes, capacity);
    to->failed = !grown;
    if (!grown)
        return false;
    to->bytes = grown;
    to->capacity = capacity;
    return true;
}

void wire_put_raw(wire_writer *to, const void *bytes, size_t size)
{
    if (size == 0 || !has_room(to, size))
        return;
    memcpy(to->bytes + to->used, bytes, size);
    to->used += size;
}

void wire_put_varint(wire_writer *to, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (uint8_t)(value | 0x80);
    bytes[count++] = (uint8_t)value;
    wire_put_raw(to, bytes, count);
}

void wire_put_integer(wire_writer *to, uint32_t number, uint64_t value)
{
    wire_put_varint(to, WIRE_KEY(number, WIRE_VARINT));
    wire_put_varint(to, value);
}

void wire_put_bytes(wire_writer *to, uint32_t number, const void *bytes, size_t size)
{
    wire_put_varint(to, WIRE_KEY(number, WIRE_BYTES));
    wire_put_varint(to, size);
    wire_put_raw(to, bytes, size);
}

void wire_put_text(wire_writer *to, uint32_t number, const char *text)
{
    wire_put_bytes(to, number, text, strlen(text));
}

size_t wire_begin(wire_writer *to, uint32_t number)
{
    static const uint8_t length[LENGTH_BYTES] = {0};
    wire_put_varint(to, WIRE_KEY(number, WIRE_BYTES));
    wire_put_raw(to, length, sizeof length);
    return to->used;
}

void wire_end(wire_writer *to, size_t begun)
{
    if (to->failed)
        return;
    size_t length = to->used - begun;
    uint8_t *at = to->bytes + begun - LENGTH_BYTES;
    if ((uint64_t)length >> 7 * LENGTH_BYTES != 0)
        to->failed = true;
    for (unsigned i = 0; i < LENGTH_BYTES; i++, length >>= 7)
        at[i] = (uint8_t)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}
