#include "files/coreml/blob.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files/bytes.h"

static yoke_status YOKE_PRINTF(5, 6) blob_fail(const char *path, const char *field, uint64_t at,
                                               yoke_error *err, const char *format, ...)
{
    char why[192];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: %s, byte %" PRIu64 ": %s", path, field, at,
                          why);
}

static bool has_metadata(const mapping *map, uint64_t at)
{
    return at <= map->size && map->size - at >= BLOB_METADATA_BYTES &&
           bytes_u32(map->bytes + at) == BLOB_SENTINEL;
}

bool blob_is_file(const mapping *map)
{
    if (map->size < BLOB_HEADER_BYTES)
        return false;
    uint32_t count = bytes_u32(map->bytes), version = bytes_u32(map->bytes + 4);
    if (version == BLOB_VERSION && count == 0)
        return true;
    /* Of another version, to be refused by it; 0 is what safetensors has here. */
    return version > 0 && version <= UINT8_MAX && has_metadata(map, BLOB_HEADER_BYTES);
}

uint32_t blob_count(const mapping *map)
{
    return bytes_u32(map->bytes);
}

yoke_status blob_check_header(const mapping *map, const char *path, yoke_error *err)
{
    if (map->size < BLOB_HEADER_BYTES)
        return blob_fail(path, "header", 0, err, "%zu bytes, but it takes %d", map->size,
                         BLOB_HEADER_BYTES);
    uint32_t version = bytes_u32(map->bytes + 4);
    if (version != BLOB_VERSION)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "%s: version, byte 4: a weight file of version %" PRIu32
                              ", but yoke reads version %d",
                              path, version, BLOB_VERSION);
    return YOKE_OK;
}

bool blob_bytes(mil_element element, uint64_t elements, uint64_t *bytes)
{
    unsigned bits = mil_element_get(element)->bits;
    if (__builtin_mul_overflow(elements / 8, bits, bytes))
        return false;
    return !__builtin_add_overflow(*bytes, (elements % 8 * bits + 7) / 8, bytes);
}

/* Only elements below a byte have padding behind them. */
static yoke_status count_elements(const char *path, uint64_t at, uint64_t padding, blob *out,
                                  yoke_error *err)
{
    unsigned bits = mil_element_get(out->element)->bits;
    if (bits >= 8) {
        if (out->bytes % (bits / 8) != 0)
            return blob_fail(path, "bytes", at + 8, err, "%" PRIu64 " are no whole %s elements",
                             out->bytes, mil_element_get(out->element)->name);
        out->elements = out->bytes / (bits / 8);
        return YOKE_OK;
    }
    uint64_t wanted;
    if (padding < 8 * out->bytes || (padding == 0 && out->bytes == 0)) {
        /* In bytes and bits apart, since the bits of a large blob do not fit. */
        uint64_t whole = out->bytes - (padding + 7) / 8, rest = (8 - padding % 8) % 8;
        out->elements = whole / bits * 8 + (whole % bits * 8 + rest) / bits;
        if (padding < 8 && blob_bytes(out->element, out->elements, &wanted) && wanted == out->bytes)
            return YOKE_OK;
    }
    return blob_fail(path, "padding bits", at + 24, err,
                     "%" PRIu64 " do not go with %" PRIu64 " bytes of %s elements", padding,
                     out->bytes, mil_element_get(out->element)->name);
}

static yoke_status check_extent(const mapping *map, const char *path, uint64_t at, const blob *out,
                                yoke_error *err)
{
    if (out->offset % BLOB_ALIGNMENT != 0)
        return blob_fail(path, "data offset", at + 16, err, "%" PRIu64 " is no multiple of %d",
                         out->offset, BLOB_ALIGNMENT);
    if (out->offset < at + BLOB_METADATA_BYTES)
        return blob_fail(path, "data offset", at + 16, err,
                         "%" PRIu64 " lies before the end of the metadata", out->offset);
    if (out->offset > map->size)
        return blob_fail(path, "data offset", at + 16, err,
                         "%" PRIu64 ", but the file ends at byte %zu", out->offset, map->size);
    if (out->bytes > map->size - out->offset)
        return blob_fail(path, "bytes", at + 8, err,
                         "%" PRIu64 " from byte %" PRIu64 " on, but the file ends at byte %zu",
                         out->bytes, out->offset, map->size);
    return YOKE_OK;
}

yoke_status blob_read(const mapping *map, const char *path, uint64_t at, blob *out, yoke_error *err)
{
    if (at < BLOB_HEADER_BYTES || at % BLOB_ALIGNMENT != 0)
        return blob_fail(path, "metadata", at, err, "not at a multiple of %d behind the header",
                         BLOB_ALIGNMENT);
    if (at > map->size || map->size - at < BLOB_METADATA_BYTES)
        return blob_fail(path, "metadata", at, err, "the file ends at byte %zu", map->size);
    const uint8_t *metadata = map->bytes + at;
    uint32_t sentinel = bytes_u32(metadata), type = bytes_u32(metadata + 4);
    if (sentinel != BLOB_SENTINEL)
        return blob_fail(path, "metadata", at, err, "0x%08" PRIx32 " is not its mark 0x%08x",
                         sentinel, BLOB_SENTINEL);
    if (!mil_element_of_blob(type, &out->element))
        return blob_fail(path, "element type", at + 4, err, "%" PRIu32 " is none that yoke knows",
                         type);
    out->bytes = bytes_u64(metadata + 8);
    out->offset = bytes_u64(metadata + 16);
    yoke_status status = check_extent(map, path, at, out, err);
    return status == YOKE_OK ? count_elements(path, at, bytes_u64(metadata + 24), out, err)
                             : status;
}

uint64_t blob_after(const mapping *map, const blob *previous)
{
    uint64_t at = BLOB_HEADER_BYTES;
    if (previous)
        at = (previous->offset + previous->bytes + BLOB_ALIGNMENT - 1) / BLOB_ALIGNMENT *
             BLOB_ALIGNMENT;
    return has_metadata(map, at) ? at : 0;
}

static void put_u32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void put_u64(uint8_t *to, uint64_t value)
{
    put_u32(to, (uint32_t)value);
    put_u32(to + 4, (uint32_t)(value >> 32));
}

void blob_write_header(uint8_t to[BLOB_HEADER_BYTES], uint32_t count)
{
    memset(to, 0, BLOB_HEADER_BYTES);
    put_u32(to, count);
    put_u32(to + 4, BLOB_VERSION);
}

void blob_write_metadata(uint8_t to[BLOB_METADATA_BYTES], mil_element element, uint64_t bytes,
                         uint64_t at)
{
    memset(to, 0, BLOB_METADATA_BYTES);
    put_u32(to, BLOB_SENTINEL);
    put_u32(to + 4, mil_element_get(element)->blob);
    put_u64(to + 8, bytes);
    put_u64(to + 16, at + BLOB_METADATA_BYTES);
}
