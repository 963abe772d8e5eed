#include "files/coreml/build.h"

#include <inttypes.h>
#include <string.h>

#include "base/size.h"
#include "files/coreml/blob.h"
#include "files/text.h"

const char BUILD_TOO_LONG[] = "too many operations in a chain";

const dense *build_fail(builder *b, const char *name, const char *why)
{
    const char *output = b->operation->output_count ? b->operation->outputs[0].name : "";
    if (b->status == YOKE_OK && !b->out->reason)
        b->status =
            yoke_error_set(b->err, YOKE_ERR_FORMAT, "%s: %s \"%s\", byte %zu: %s: %s",
                           b->from->path, b->operation->kind,
                           text_shown(output, strlen(output)).text, b->operation->at, name, why);
    return NULL;
}

const dense *build_not_decoded(builder *b, const char *reason)
{
    if (!b->out->reason)
        b->out->reason = reason;
    return NULL;
}

const dense *build_no_memory(builder *b)
{
    b->status =
        yoke_error_set(b->err, YOKE_ERR_MEMORY, "%s: no memory for its tensors", b->from->path);
    return NULL;
}

static bool build_count(dense *made)
{
    made->count = 1;
    for (unsigned i = 0; i < made->rank; i++)
        if (!size_mul(made->count, made->shape[i], &made->count))
            return false;
    return true;
}

static unsigned depth_with(unsigned depth, const dense *part)
{
    return part && part->depth > depth ? part->depth : depth;
}

const dense *build_keep(builder *b, dense *made, const char *name)
{
    if (!build_count(made))
        return build_fail(b, name, "its size overflows");
    made->depth = 1 + depth_with(depth_with(depth_with(0, made->inner), made->table), made->shift);
    if (made->depth > BUILD_MAX_CHAIN)
        return build_fail(b, name, BUILD_TOO_LONG);
    dense *copy = arena_take(&b->file->arena, sizeof *copy);
    if (!copy)
        return build_no_memory(b);
    *copy = *made;
    return copy;
}

void build_note_place(builder *b, size_t part, uint64_t offset, uint64_t bytes)
{
    if (b->out->bytes == 0) {
        b->out->part = part;
        b->out->offset = offset;
    }
    b->out->in_blob |= part > 0;
    b->out->bytes += bytes;
}

mil_element build_exact_element(const dense *values)
{
    return values->element == MIL_FP16 ? MIL_FP16 : MIL_FP32;
}

bool build_is_plain(const dense *tensor, mil_element_class element_class)
{
    return tensor->kind == DENSE_PLAIN &&
           mil_element_get(tensor->element)->element_class == element_class;
}

bool build_read_shape(builder *b, const mil_operation *operation, dense *made)
{
    const mil_value *shape = scope_value(b->definitions, operation, "shape");
    if (!shape || shape->kind != MIL_DATA || shape->type.element != MIL_UINT32 ||
        shape->count > MIL_MAX_RANK) {
        build_fail(b, "shape", "not a list of uint32 dimensions");
        return false;
    }
    made->rank = (unsigned)shape->count;
    for (unsigned i = 0; i < made->rank; i++) {
        uint32_t extent;
        memcpy(&extent, (const uint8_t *)shape->data + i * sizeof extent, sizeof extent);
        made->shape[i] = extent;
    }
    return true;
}

const dense *build_repack(builder *b, const dense *bytes, const dense *like, mil_element element,
                          const char *name)
{
    dense made = *like;
    uint64_t wanted;
    if (!build_count(&made) || !build_is_plain(bytes, MIL_CLASS_UNSIGNED) ||
        bytes->stored.bits != 8 || !blob_bytes(element, made.count, &wanted) ||
        wanted != bytes->count)
        return build_fail(b, name, "not as many bytes as the shape takes");
    made.kind = DENSE_PLAIN;
    made.element = element;
    made.stored = (array){.element = element,
                          .bits = mil_element_get(element)->bits,
                          .data = bytes->stored.data,
                          .count = made.count};
    return build_keep(b, &made, name);
}

bool build_has_shape(const mil_operation *operation)
{
    return mil_find_attribute(&operation->attributes, "shape") ||
           mil_find_argument(operation, "shape");
}

/* The elements of a value in a weight file; they are as many and of the kind that its type says. */
static bool open_blob(builder *b, const mil_value *value, array *out)
{
    size_t part;
    blob found;
    b->status = bundle_part(b->file, b->from, value->path, &part, b->err);
    if (b->status != YOKE_OK)
        return false;
    const file_part *weights = &b->file->parts[part];
    b->status = blob_read(&weights->map, weights->path, value->offset, &found, b->err);
    if (b->status != YOKE_OK)
        return false;
    uint64_t bytes;
    if (found.element != value->type.element || !blob_bytes(found.element, out->count, &bytes) ||
        bytes != found.bytes) {
        b->status =
            yoke_error_set(b->err, YOKE_ERR_FORMAT,
                           "%s: metadata, byte %" PRIu64 ": %" PRIu64
                           " bytes of %s, but %s (byte %zu) has %zu elements of %s",
                           weights->path, value->offset, found.bytes,
                           mil_element_get(found.element)->name, text_base_name(b->from->path),
                           value->at, out->count, mil_element_get(value->type.element)->name);
        return false;
    }
    out->data = weights->map.bytes + found.offset;
    out->bits = mil_element_get(out->element)->bits;
    build_note_place(b, part, found.offset, found.bytes);
    return true;
}

const dense *build_plain(builder *b, const mil_value *value, const char *name)
{
    dense made = {.kind = DENSE_PLAIN,
                  .element = value->type.element,
                  .rank = value->type.rank,
                  .stored = {.element = value->type.element}};
    if (value->kind != MIL_DATA && value->kind != MIL_BLOB)
        return build_fail(b, name, "not a tensor of numbers");
    if (!mil_type_elements(&value->type, &made.stored.count))
        return build_fail(b, name, "its size is not known or overflows");
    for (unsigned i = 0; i < made.rank; i++)
        made.shape[i] = (size_t)value->type.shape[i];
    if (value->kind == MIL_BLOB) {
        if (!open_blob(b, value, &made.stored))
            return NULL;
    } else {
        made.stored.data = value->data;
        made.stored.bits = 8 * (unsigned)mil_element_bytes(value->type.element);
        build_note_place(b, 0, value->at, value->length);
    }
    return build_keep(b, &made, name);
}
