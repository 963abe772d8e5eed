#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "files/coreml/blob.h"

static uint64_t bits_at(const uint8_t *bytes, unsigned bits, size_t index)
{
    uint64_t raw = 0;
    for (unsigned b = 0; bits % 8 == 0 && b < bits; b += 8)
        raw |= (uint64_t)bytes[(index * bits + b) / 8] << b;
    for (unsigned b = 0; bits % 8 != 0 && b < bits; b++) {
        const size_t bit = index * bits + b;
        raw |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << b;
    }
    return raw;
}

float value_of_bits(mil_element element, const uint8_t *bytes, size_t index)
{
    const mil_element_info *info = mil_element_get(element);
    const uint64_t raw = bits_at(bytes, info->bits, index);
    if (element == MIL_FP16)
        return f16_to_f32((uint16_t)raw);
    if (element == MIL_FP32)
        return float_from_bits((uint32_t)raw);
    if (info->element_class == MIL_CLASS_SIGNED && raw >> (info->bits - 1))
        return (float)((double)raw - (double)(1ull << (info->bits - 1)) * 2);
    return (float)raw;
}

/* In the program each element has whole bytes, those of a bool one. */
static float written_number(const mil_value *value, size_t index)
{
    const mil_element element = value->type.element;
    const size_t bytes = mil_element_bytes(element);
    const uint8_t *at = (const uint8_t *)value->data + index * bytes;
    if (element == MIL_BOOL)
        return *at != 0;
    if (mil_element_get(element)->bits < 8)
        return element == MIL_INT4 ? (float)(int8_t)*at : (float)*at;
    return value_of_bits(element, at, 0);
}

static bool read_blob(const image *files, const mil_value *value, tensor *out, char *why,
                      size_t room)
{
    size_t size;
    yoke_error err;
    blob stored;
    uint64_t needed;
    const uint8_t *bytes = image_find(files, value->path.text, &size);
    if (!bytes) {
        snprintf(why, room, "no blob file %s", value->path.text);
        return false;
    }
    const mapping map = mapping_borrow(bytes, size);
    if (blob_check_header(&map, value->path.text, &err) != YOKE_OK ||
        blob_read(&map, value->path.text, value->offset, &stored, &err) != YOKE_OK) {
        snprintf(why, room, "%s", err.text);
        return false;
    }
    if (stored.element != out->element || !blob_bytes(out->element, out->count, &needed) ||
        stored.bytes != needed || stored.offset != value->offset + BLOB_METADATA_BYTES) {
        snprintf(why, room, "%s: the blob at %llu is not what the program says", value->path.text,
                 (unsigned long long)value->offset);
        return false;
    }
    for (size_t i = 0; i < out->count; i++)
        out->values[i] = value_of_bits(out->element, bytes + stored.offset, i);
    return true;
}

bool value_read(const image *files, const mil_value *value, tensor *out, char *why, size_t room)
{
    if (!tensor_make(&value->type, true, out)) {
        snprintf(why, room, "a value of unknown shape");
    } else if (value->kind == MIL_BLOB) {
        if (read_blob(files, value, out, why, room))
            return true;
    } else if (value->kind == MIL_DATA) {
        for (size_t i = 0; i < out->count; i++)
            out->values[i] = written_number(value, i);
        return true;
    } else {
        return value->kind == MIL_STRINGS; /* read where they are needed */
    }
    free(out->values);
    out->values = NULL;
    return false;
}
