#include "conformance/onnx_tensor.h"

#include <stdio.h>
#include <string.h>

#include "conformance/subject.h"

enum { FIELD_DIMS = 1, FIELD_DATA_TYPE = 2, FIELD_FLOAT_DATA = 4, FIELD_RAW_DATA = 9 };
enum { WIRE_VARINT = 0, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };
enum { DATA_TYPE_FLOAT = 1 };

typedef struct cursor {
    const unsigned char *at, *end;
} cursor;

static uint64_t read_varint(cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        assert_true(c->at < c->end);
        unsigned char byte = *c->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

static cursor read_bytes(cursor *c)
{
    uint64_t length = read_varint(c);
    assert_true(length <= (uint64_t)(c->end - c->at));
    cursor inner = {c->at, c->at + length};
    c->at += length;
    return inner;
}

static void add_dimension(onnx_tensor *tensor, uint64_t size)
{
    assert_true(tensor->rank < ONNX_MOST_DIMENSIONS);
    tensor->dimensions[tensor->rank++] = (size_t)size;
}

/* Little-endian f32, like this machine. */
static void add_floats(onnx_tensor *tensor, const unsigned char *bytes, size_t byte_count)
{
    assert_true(byte_count % 4 == 0 && tensor->count + byte_count / 4 <= ONNX_MOST_VALUES);
    memcpy(tensor->values + tensor->count, bytes, byte_count);
    tensor->count += byte_count / 4;
}

static void read_field(cursor *c, onnx_tensor *tensor)
{
    uint64_t key = read_varint(c);
    unsigned field = (unsigned)(key >> 3), wire = (unsigned)(key & 7);
    if (wire == WIRE_VARINT) {
        uint64_t value = read_varint(c);
        if (field == FIELD_DIMS)
            add_dimension(tensor, value);
        if (field == FIELD_DATA_TYPE)
            assert_int_equal(value, DATA_TYPE_FLOAT);
    } else if (wire == WIRE_BYTES) {
        cursor inner = read_bytes(c);
        if (field == FIELD_RAW_DATA || field == FIELD_FLOAT_DATA)
            add_floats(tensor, inner.at, (size_t)(inner.end - inner.at));
        while (field == FIELD_DIMS && inner.at < inner.end)
            add_dimension(tensor, read_varint(&inner));
    } else {
        assert_int_equal(wire, WIRE_FIXED32);
        assert_int_equal(field, FIELD_FLOAT_DATA);
        assert_true(c->end - c->at >= 4);
        add_floats(tensor, c->at, 4);
        c->at += 4;
    }
}

bool onnx_tensor_read(const char *path, onnx_tensor *tensor)
{
    unsigned char bytes[ONNX_MOST_VALUES * 4 + 256];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length < sizeof bytes);

    *tensor = (onnx_tensor){0};
    for (cursor c = {bytes, bytes + length}; c.at < c.end;)
        read_field(&c, tensor);
    size_t product = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        product *= tensor->dimensions[i];
    assert_int_equal(product, tensor->count);
    return true;
}
