#include "files/gguf_header.h"

#include <string.h>

#include "files/gguf_keys_seen.h"
#include "files/text.h"
#include "yoke/measure.h"

enum { TYPE_U32 = 4, DEFAULT_ALIGNMENT = 32 };
/* The shortest key-value pair and tensor description: empty names, a byte, no dimensions. */
enum { LEAST_PAIR = 8 + 4 + 1, LEAST_TENSOR = 8 + 4 + 4 + 8 };

static yoke_status read_version(gguf_cursor *c, gguf_header *header, yoke_error *err)
{
    size_t at = c->at;
    yoke_status status = gguf_u32(c, "version", &header->version, err);
    if (status != YOKE_OK || header->version == 2 || header->version == 3)
        return status;
    uint32_t swapped = __builtin_bswap32(header->version);
    if (swapped >= 1 && swapped <= 3)
        return yoke_error_set(
            err, YOKE_ERR_UNSUPPORTED,
            "%s: version, byte %zu: a big-endian GGUF file (v%u), which yoke does "
            "not read",
            c->path, at, (unsigned)swapped);
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "%s: version, byte %zu: GGUF v%u, but yoke reads v2 and v3%s", c->path,
                          at, (unsigned)header->version,
                          header->version == 1 ? " (v1 has 32-bit counts: convert it again)" : "");
}

/* ggml allows powers of two; other writers use multiples of 8, which do no harm. */
static yoke_status set_alignment(const gguf_cursor *c, gguf_header *header, uint64_t alignment,
                                 yoke_error *err)
{
    bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (alignment == 0 || (!power_of_two && alignment % 8 != 0)) {
        return gguf_fail(c, "general.alignment", c->at - 4, err,
                         "%ju is neither a power of two nor a multiple of 8", (uintmax_t)alignment);
    }
    header->alignment = (size_t)alignment;
    return YOKE_OK;
}

/* Keys that decide where things are; all others are passed over. */
static const char *const KEYS[] = {"general.alignment", "split.no", "split.count",
                                   "split.tensors.count"};
enum { KEY_ALIGNMENT, KEY_SPLIT_NO, KEY_SPLIT_COUNT, KEY_SPLIT_TENSORS, KEY_COUNT };

static yoke_status read_value(gguf_cursor *c, gguf_header *header, size_t key, uint32_t type,
                              yoke_error *err)
{
    if (key == KEY_ALIGNMENT && type != TYPE_U32)
        return gguf_fail(c, KEYS[key], c->at - 4, err, "its type is not uint32");
    uint64_t value;
    yoke_status status = gguf_integer(c, KEYS[key], type, &value, err);
    if (status != YOKE_OK)
        return status;
    switch (key) {
    case KEY_ALIGNMENT: return set_alignment(c, header, value, err);
    case KEY_SPLIT_NO: header->split.no = value; break;
    case KEY_SPLIT_COUNT: header->split.count = value; break;
    default: header->split.tensors = value; break;
    }
    return YOKE_OK;
}

static yoke_status read_pair(gguf_cursor *c, gguf_header *header, gguf_keys_seen *seen,
                             yoke_error *err)
{
    gguf_string name;
    uint32_t type;
    size_t at = c->at;
    yoke_status status = gguf_text(c, "key", &name, err);
    if (status != YOKE_OK)
        return status;
    if (name.length == 0)
        return gguf_fail(c, "key", at, err, "it is empty");
    status = gguf_keys_see(seen, c, name, at, err);
    if (status != YOKE_OK)
        return status;
    shown_text shown = text_shown(name.text, name.length);
    status = gguf_u32(c, shown.text, &type, err);
    if (status != YOKE_OK)
        return status;
    for (size_t key = 0; key < KEY_COUNT; key++)
        if (gguf_string_is(name, KEYS[key]))
            return read_value(c, header, key, type, err);
    return gguf_skip(c, shown.text, type, err);
}

static yoke_status read_pairs(gguf_cursor *c, gguf_header *header, yoke_error *err)
{
    gguf_keys_seen seen = {.names = {.seed = yoke_clock_ns()}};
    yoke_status status = YOKE_OK;
    for (uint64_t i = 0; i < header->pair_count && status == YOKE_OK; i++)
        status = read_pair(c, header, &seen, err);
    gguf_keys_free(&seen);
    return status;
}

yoke_status gguf_read_header(gguf_cursor *c, gguf_header *header, yoke_error *err)
{
    *header = (gguf_header){.alignment = DEFAULT_ALIGNMENT};
    uint32_t magic;
    yoke_status status = gguf_u32(c, "magic", &magic, err);
    if (status == YOKE_OK && memcmp(c->map->bytes, "GGUF", 4) != 0)
        status = gguf_fail(c, "magic", 0, err, "not a GGUF file");
    if (status == YOKE_OK)
        status = read_version(c, header, err);
    if (status == YOKE_OK)
        status = gguf_count(c, "tensor count", LEAST_TENSOR, &header->tensor_count, err);
    if (status == YOKE_OK)
        status = gguf_count(c, "key-value count", LEAST_PAIR, &header->pair_count, err);
    return status == YOKE_OK ? read_pairs(c, header, err) : status;
}

bool gguf_is_split(const mapping *map, const char *path, gguf_split *split)
{
    gguf_cursor c = {.map = map, .path = path};
    gguf_header header;
    bool sound = gguf_read_header(&c, &header, NULL) == YOKE_OK;
    *split = header.split;
    return sound && split->count > 1;
}
