/* Types of MIL text: both spellings of a scalar, fp16 and tensor<fp16, []>. */
#include "files/coreml/mil_number.h"
#include "files/coreml/mil_reader.h"

#include <string.h>

static bool is_word(mil_token token, const char *word)
{
    return token.kind == MIL_TOKEN_NAME && token.length == strlen(word) &&
           memcmp(token.text, word, token.length) == 0;
}

static void read_element(mil_reader *reader, mil_element *element)
{
    *element = MIL_FP16;
    if (reader->next.kind != MIL_TOKEN_NAME ||
        !mil_element_named(reader->next.text, reader->next.length, element))
        mil_fail(reader, "an element type that yoke does not know");
    else
        mil_advance(reader);
}

/* A dimension or a length: an integer, or "?". */
static uint64_t read_extent(mil_reader *reader)
{
    uint64_t extent = 0;
    if (mil_take_sign(reader, '?'))
        return MIL_UNKNOWN;
    const char *why = "neither an integer nor ?";
    if (reader->next.kind == MIL_TOKEN_NUMBER)
        why = mil_number_read(MIL_UINT64, reader->next.text, reader->next.length, &extent);
    if (!why && extent > INT64_MAX)
        why = "an integer too large for it";
    if (why)
        mil_fail(reader, "a dimension is %s", why);
    else
        mil_advance(reader);
    return extent;
}

static void read_shape(mil_reader *reader, mil_type *type)
{
    uint64_t shape[MIL_MAX_RANK];
    mil_expect_sign(reader, '[');
    if (!mil_is_sign(reader, ']')) {
        do {
            if (type->rank == MIL_MAX_RANK)
                mil_fail(reader, "more than %d dimensions", MIL_MAX_RANK);
            else
                shape[type->rank++] = read_extent(reader);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, ']');
    uint64_t *copy = arena_take(reader->build.arena, type->rank * sizeof *copy);
    if (!copy)
        mil_fail_memory(reader);
    else if (type->rank)
        memcpy(copy, shape, type->rank * sizeof *copy);
    type->shape = copy;
}

static void read_items(mil_reader *reader, mil_type *type, unsigned depth)
{
    size_t mark = reader->build.used, wanted = type->kind == MIL_DICT ? 2 : 1;
    size_t at = mil_reader_at(reader);
    do {
        if (type->kind == MIL_LIST && reader->build.used > mark) {
            type->length = read_extent(reader);
            break;
        }
        mil_type item;
        mil_read_type(reader, &item, depth + 1);
        mil_reader_push(reader, &item, sizeof item);
    } while (mil_take_comma(reader));
    type->items = mil_reader_collect(reader, mark, sizeof *type->items, &type->item_count);
    if (type->kind != MIL_TUPLE && type->item_count != wanted)
        mil_fail_at(reader, at, "a list or state is of one type, a dict of two");
}

void mil_read_type(mil_reader *reader, mil_type *type, unsigned depth)
{
    static const char *const names[] = {[MIL_TENSOR] = "tensor",
                                        [MIL_LIST] = "list",
                                        [MIL_TUPLE] = "tuple",
                                        [MIL_DICT] = "dict",
                                        [MIL_STATE] = "state"};
    *type = (mil_type){.kind = MIL_TENSOR, .length = MIL_UNKNOWN};
    if (depth > MIL_MAX_DEPTH) {
        mil_fail(reader, "types more than %d deep", MIL_MAX_DEPTH);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_word(reader->next, names[i]))
            continue;
        mil_advance(reader);
        mil_expect_sign(reader, '<');
        type->kind = (mil_type_kind)i;
        if (type->kind == MIL_TENSOR) {
            read_element(reader, &type->element);
            mil_expect_sign(reader, ',');
            read_shape(reader, type);
        } else {
            read_items(reader, type, depth);
        }
        mil_expect_sign(reader, '>');
        return;
    }
    read_element(reader, &type->element);
}
