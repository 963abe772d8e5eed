/* Values of MIL text. */
#include "files/coreml/mil_number.h"
#include "files/coreml/mil_reader.h"

#include <string.h>

static mil_text read_string(mil_reader *reader)
{
    mil_text string = {.text = ""};
    if (reader->next.kind != MIL_TOKEN_STRING) {
        mil_fail(reader, "a string is expected");
        return string;
    }
    char *copy = arena_take(reader->build.arena, reader->next.length);
    if (!copy) {
        mil_fail_memory(reader);
    } else if (!mil_unescape(reader->next, copy, &string.length)) {
        mil_fail(reader, "a string with an escape that yoke does not know");
    } else {
        copy[string.length] = '\0';
        string.text = copy;
        mil_advance(reader);
    }
    return string;
}

/* Where the next element of a tensor goes. */
typedef struct elements {
    mil_element element;
    size_t count, room, bytes;
    uint8_t *data;
    mil_text *strings;
} elements;

static void read_element(mil_reader *reader, elements *to)
{
    if (to->count == to->room) {
        mil_fail(reader, "more elements than the %zu of the type", to->room);
        return;
    }
    if (to->element == MIL_STRING) {
        to->strings[to->count++] = read_string(reader);
        return;
    }
    mil_token next = reader->next;
    const char *why = "not a number";
    if (next.kind == MIL_TOKEN_NUMBER || next.kind == MIL_TOKEN_NAME)
        why =
            mil_number_read(to->element, next.text, next.length, to->data + to->count * to->bytes);
    if (why) {
        mil_fail(reader, "an element of type %s is %s", mil_element_get(to->element)->name, why);
        return;
    }
    to->count++;
    mil_advance(reader);
}

/* [1, 2] or [[1], [2]]; depth is that of the brackets, of which there are as many as dimensions. */
static void read_level(mil_reader *reader, const mil_type *type, unsigned depth, elements *to)
{
    size_t before = to->count, at = mil_reader_at(reader);
    mil_expect_sign(reader, '[');
    bool nested = mil_is_sign(reader, '[');
    if (nested && depth + 1 >= type->rank)
        mil_fail(reader, "deeper brackets than the %u dimensions of the type", type->rank);
    if (!mil_is_sign(reader, ']')) {
        do {
            if (nested)
                read_level(reader, type, depth + 1, to);
            else
                read_element(reader, to);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, ']');
    /* Flat lists of many dimensions are seen too: [1, 2] for a shape of [2, 1]. */
    size_t wanted = 1;
    for (unsigned i = depth; i < type->rank; i++)
        wanted *= (size_t)type->shape[i];
    if (mil_reader_ok(reader) && to->count - before != wanted)
        mil_fail_at(reader, at, "%zu elements, but the type has %zu", to->count - before, wanted);
}

/* As many elements as the type says fit the text that is left, or it is refused before memory is
 * taken for them. */
static bool make_room(mil_reader *reader, const mil_type *type, elements *to)
{
    *to = (elements){.element = type->element, .bytes = mil_element_bytes(type->element)};
    if (!mil_type_elements(type, &to->room)) {
        mil_fail(reader, "elements of a type whose size is not known or overflows");
        return false;
    }
    if (to->room > reader->lexer.size - mil_reader_at(reader)) {
        mil_fail(reader, "the type has %zu elements, more than there is text", to->room);
        return false;
    }
    bool strings = type->element == MIL_STRING;
    void *memory =
        arena_take(reader->build.arena, to->room * (strings ? sizeof *to->strings : to->bytes));
    if (!memory)
        mil_fail_memory(reader);
    to->data = strings ? NULL : memory;
    to->strings = strings ? memory : NULL;
    return memory != NULL;
}

/* Elements in the list that follows, "[1, 2]". */
static uint64_t count_ahead(const mil_reader *reader)
{
    mil_lexer ahead = reader->lexer;
    mil_token next = mil_next_token(&ahead);
    uint64_t count = 0;
    for (; next.kind == MIL_TOKEN_NUMBER || next.kind == MIL_TOKEN_NAME ||
           next.kind == MIL_TOKEN_STRING || (next.kind == MIL_TOKEN_SIGN && *next.text == ',');
         next = mil_next_token(&ahead))
        count += next.kind != MIL_TOKEN_SIGN;
    return count;
}

/* A list for [?], as of shapes that are given for a flexible input, has the length that it has. */
static void set_length(mil_reader *reader, mil_type *type)
{
    if (type->rank != 1 || type->shape[0] != MIL_UNKNOWN)
        return;
    uint64_t *length = arena_take(reader->build.arena, sizeof *length);
    if (!length) {
        mil_fail_memory(reader);
        return;
    }
    *length = count_ahead(reader);
    type->shape = length;
}

static void read_tensor(mil_reader *reader, mil_value *value)
{
    elements to;
    set_length(reader, &value->type);
    if (!make_room(reader, &value->type, &to))
        return;
    if (value->type.rank == 0)
        read_element(reader, &to);
    else
        read_level(reader, &value->type, 0, &to);
    value->kind = to.strings ? MIL_STRINGS : MIL_DATA;
    value->count = to.count;
    value->data = to.data;
    value->strings = to.strings;
}

/* BLOBFILE(path = string("..."), offset = uint64(64)) */
static void read_blob(mil_reader *reader, mil_value *value, unsigned depth)
{
    mil_value path, offset;
    size_t at = mil_reader_at(reader);
    mil_expect_word(reader, "BLOBFILE");
    mil_expect_sign(reader, '(');
    mil_expect_word(reader, "path");
    mil_expect_sign(reader, '=');
    mil_read_typed(reader, &path, depth + 1);
    mil_expect_sign(reader, ',');
    mil_expect_word(reader, "offset");
    mil_expect_sign(reader, '=');
    mil_read_typed(reader, &offset, depth + 1);
    mil_expect_sign(reader, ')');
    if (!mil_reader_ok(reader))
        return;
    if (path.kind != MIL_STRINGS || path.count != 1)
        mil_fail_at(reader, at, "the path of a BLOBFILE is not a string");
    else if (offset.kind != MIL_DATA || offset.count != 1 || offset.type.element != MIL_UINT64)
        mil_fail_at(reader, at, "the offset of a BLOBFILE is not an uint64");
    else if (value->type.element == MIL_STRING)
        mil_fail_at(reader, at, "strings in a BLOBFILE");
    if (!mil_reader_ok(reader))
        return;
    value->kind = MIL_BLOB;
    value->path = path.strings[0];
    memcpy(&value->offset, offset.data, sizeof value->offset);
}

static void read_value(mil_reader *reader, mil_value *value, unsigned depth);

/* (a, b) or [a, b] */
static void read_sequence(mil_reader *reader, mil_value *value, unsigned depth)
{
    const mil_type *type = &value->type;
    size_t mark = reader->build.used, at = mil_reader_at(reader), index = 0;
    bool list = type->kind == MIL_LIST;
    char close = mil_take_sign(reader, '[') ? ']' : ')';
    if (close == ')')
        mil_expect_sign(reader, '(');
    if (!mil_is_sign(reader, close)) {
        do {
            if (!list && index == type->item_count) {
                mil_fail(reader, "more items than the %zu of the type", index);
                break;
            }
            mil_value item = {.type = type->items[list ? 0 : index++]};
            read_value(reader, &item, depth + 1);
            mil_reader_push(reader, &item, sizeof item);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, close);
    value->kind = MIL_ITEMS;
    value->items = mil_reader_collect(reader, mark, sizeof *value->items, &value->count);
    if (!list && value->count != type->item_count)
        mil_fail_at(reader, at, "%zu items, but the type has %zu", value->count, type->item_count);
}

/* {{key, value}, ...} */
static void read_dict(mil_reader *reader, mil_value *value, unsigned depth)
{
    size_t mark = reader->build.used;
    mil_expect_sign(reader, '{');
    if (!mil_is_sign(reader, '}')) {
        do {
            mil_value key = {.type = value->type.items[0]}, item = {.type = value->type.items[1]};
            mil_expect_sign(reader, '{');
            read_value(reader, &key, depth + 1);
            mil_expect_sign(reader, ',');
            read_value(reader, &item, depth + 1);
            mil_expect_sign(reader, '}');
            mil_reader_push(reader, &key, sizeof key);
            mil_reader_push(reader, &item, sizeof item);
        } while (mil_take_comma(reader));
    }
    mil_expect_sign(reader, '}');
    value->kind = MIL_PAIRS;
    value->items = mil_reader_collect(reader, mark, 2 * sizeof *value->items, &value->count);
}

static void read_kind(mil_reader *reader, mil_value *value, unsigned depth)
{
    if (depth > MIL_MAX_DEPTH) {
        mil_fail(reader, "values more than %d deep", MIL_MAX_DEPTH);
        return;
    }
    switch (value->type.kind) {
    case MIL_TENSOR:
        if (reader->next.kind == MIL_TOKEN_NAME && *reader->next.text == 'B')
            read_blob(reader, value, depth);
        else
            read_tensor(reader, value);
        return;
    case MIL_DICT: read_dict(reader, value, depth); return;
    case MIL_STATE: mil_fail(reader, "a state has no value"); return;
    default: read_sequence(reader, value, depth);
    }
}

static void read_value(mil_reader *reader, mil_value *value, unsigned depth)
{
    value->at = mil_reader_at(reader);
    if (mil_reader_ok(reader))
        read_kind(reader, value, depth);
    value->length = mil_reader_at(reader) - value->at;
}

void mil_read_typed(mil_reader *reader, mil_value *value, unsigned depth)
{
    *value = (mil_value){.at = mil_reader_at(reader)};
    mil_read_type(reader, &value->type, depth);
    mil_expect_sign(reader, '(');
    read_value(reader, value, depth);
    mil_expect_sign(reader, ')');
}
