#include "files/coreml/wire.h"

#include "files/bytes.h"

bool wire_varint(wire *from, uint64_t *value)
{
    *value = 0;
    const uint8_t *at = from->at;
    for (unsigned shift = 0; shift < 64 && at < from->end; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            from->at = at;
            return true;
        }
    }
    return false;
}

static bool take_bytes(wire *from, wire_field *field)
{
    uint64_t length;
    if (!wire_varint(from, &length) || length > wire_left(from))
        return false;
    field->bytes = (wire){.at = from->at, .end = from->at + length};
    from->at += length;
    return true;
}

static bool take_fixed(wire *from, size_t size, uint64_t *value)
{
    if (wire_left(from) < size)
        return false;
    *value = size == 8 ? bytes_u64(from->at) : bytes_u32(from->at);
    from->at += size;
    return true;
}

bool wire_next(wire *message, wire_field *field)
{
    uint64_t key;
    wire rest = *message;
    if (rest.at == rest.end || !wire_varint(&rest, &key) || key >> 3 == 0 || key >> 32 != 0)
        return false;
    *field = (wire_field){.number = (uint32_t)(key >> 3), .type = (wire_type)(key & 7)};
    bool good = false;
    switch (field->type) {
    case WIRE_VARINT: good = wire_varint(&rest, &field->value); break;
    case WIRE_FIXED64: good = take_fixed(&rest, 8, &field->value); break;
    case WIRE_FIXED32: good = take_fixed(&rest, 4, &field->value); break;
    case WIRE_BYTES: good = take_bytes(&rest, field); break;
    }
    if (good)
        *message = rest;
    return good;
}
