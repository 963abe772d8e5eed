/* Value of the protobuf. */
#include <string.h>

#include "base/half.h"
#include "files/coreml/model_reader.h"

/* Which of TensorValue's lists of numbers. */
typedef enum list_kind {
    LIST_FLOATS = 1,
    LIST_INTS = 2,
    LIST_BOOLS = 3,
    LIST_STRINGS = 4,
    LIST_LONG_INTS = 5,
    LIST_DOUBLES = 6,
    LIST_BYTES = 7
} list_kind;

/* Where the elements of a tensor go. */
typedef struct elements {
    mil_element element;
    size_t count, room;
    uint8_t *data;
    mil_text *strings;
} elements;

static const char FIELD[] = "TensorValue";

static bool has_room(model_reader *reader, const elements *to, const uint8_t *at)
{
    if (to->count == to->room)
        model_fail(reader, FIELD, at, "more elements than its type has");
    return model_ok(reader);
}

static void add_integer(model_reader *reader, elements *to, uint64_t value, const uint8_t *at)
{
    const mil_element_info *info = mil_element_get(to->element);
    unsigned shift = 64 - info->bits;
    bool is_signed = info->element_class == MIL_CLASS_SIGNED;
    int64_t number = (int64_t)value;
    if (info->element_class == MIL_CLASS_BOOL)
        value = value != 0;
    else if (is_signed ? number > INT64_MAX >> shift || number < -(INT64_MAX >> shift) - 1
                       : value > UINT64_MAX >> shift)
        model_fail(reader, FIELD, at, "an integer out of its type's range");
    size_t bytes = mil_element_bytes(to->element);
    if (has_room(reader, to, at))
        memcpy(to->data + to->count++ * bytes, &value, bytes);
}

static void add_float(model_reader *reader, elements *to, double value, const uint8_t *at)
{
    float single = (float)value;
    uint16_t half = to->element == MIL_BF16 ? bf16_from_f32(single) : f16_from_f32(single);
    size_t bytes = mil_element_bytes(to->element);
    const void *from = bytes == 8   ? (const void *)&value
                       : bytes == 4 ? (const void *)&single
                                    : (const void *)&half;
    if (has_room(reader, to, at))
        memcpy(to->data + to->count++ * bytes, from, bytes);
}

static void add_number(model_reader *reader, elements *to, list_kind kind, uint64_t bits,
                       const uint8_t *at)
{
    double wide;
    if (kind == LIST_FLOATS) {
        add_float(reader, to, float_from_bits((uint32_t)bits), at);
    } else if (kind == LIST_DOUBLES) {
        memcpy(&wide, &bits, sizeof wide);
        add_float(reader, to, wide, at);
    } else {
        add_integer(reader, to, bits, at);
    }
}

/* One element that is not packed. */
static wire_type wire_of(list_kind kind)
{
    switch (kind) {
    case LIST_FLOATS: return WIRE_FIXED32;
    case LIST_DOUBLES: return WIRE_FIXED64;
    case LIST_STRINGS:
    case LIST_BYTES: return WIRE_BYTES;
    default: return WIRE_VARINT;
    }
}

/* Numbers one behind the other, without keys. */
static void read_packed(model_reader *reader, wire packed, elements *to, list_kind kind)
{
    size_t size = kind == LIST_FLOATS ? 4 : 8;
    while (model_ok(reader) && packed.at != packed.end) {
        const uint8_t *at = packed.at;
        uint64_t bits = 0;
        if (wire_of(kind) == WIRE_VARINT) {
            if (!wire_varint(&packed, &bits))
                model_fail(reader, FIELD, at, "a number that is cut off");
        } else if (wire_left(&packed) < size) {
            model_fail(reader, FIELD, at, "a number that is cut off");
        } else {
            memcpy(&bits, at, size);
            packed.at += size;
        }
        add_number(reader, to, kind, bits, at);
    }
}

/* Elements as they lie in memory; those below a byte are packed from the low bit on. */
static void read_bytes(model_reader *reader, wire raw, elements *to)
{
    unsigned bits = mil_element_get(to->element)->bits;
    size_t bytes = mil_element_bytes(to->element);
    size_t wanted =
        bits < 8 ? (to->room / 8 * bits) + (to->room % 8 * bits + 7) / 8 : to->room * bytes;
    if (to->count != 0 || wire_left(&raw) != wanted) {
        model_fail(reader, FIELD, raw.at, "as many bytes as its type does not have");
        return;
    }
    if (bits >= 8) {
        if (wanted)
            memcpy(to->data, raw.at, wanted);
    } else {
        bool is_signed = mil_element_get(to->element)->element_class == MIL_CLASS_SIGNED;
        for (size_t i = 0; i < to->room; i++) {
            size_t bit = i * bits;
            unsigned pair = raw.at[bit / 8];
            if (bit % 8 + bits > 8)
                pair |= (unsigned)raw.at[bit / 8 + 1] << 8;
            unsigned value = pair >> bit % 8 & ((1u << bits) - 1);
            if (is_signed && value >> (bits - 1))
                value |= ~((1u << bits) - 1);
            to->data[i] = (uint8_t)value;
        }
    }
    to->count = to->room;
}

/* The class of an element and the list that holds it go together. */
static bool list_fits(list_kind kind, mil_element element)
{
    mil_element_class element_class = mil_element_get(element)->element_class;
    switch (kind) {
    case LIST_FLOATS:
    case LIST_DOUBLES: return element_class == MIL_CLASS_FLOAT && mil_element_bytes(element) > 1;
    case LIST_STRINGS: return element_class == MIL_CLASS_TEXT;
    case LIST_BYTES: return element_class != MIL_CLASS_TEXT;
    default: return element_class != MIL_CLASS_TEXT && element_class != MIL_CLASS_FLOAT;
    }
}

static void read_list(model_reader *reader, wire list, elements *to, list_kind kind)
{
    wire_field field;
    while (model_next(reader, &list, &field, FIELD)) {
        if (field.number != 1)
            continue;
        if (kind == LIST_STRINGS && field.type == WIRE_BYTES) {
            if (has_room(reader, to, field.bytes.at))
                to->strings[to->count++] = model_text(reader, &field, FIELD);
        } else if (kind == LIST_BYTES && field.type == WIRE_BYTES) {
            read_bytes(reader, field.bytes, to);
        } else if (field.type == WIRE_BYTES) {
            read_packed(reader, field.bytes, to, kind);
        } else if (field.type == wire_of(kind)) {
            add_number(reader, to, kind, field.value, list.at);
        }
    }
}

/* Each element takes a bit of the message at least, so that no type can ask for memory beyond. */
static bool make_room(model_reader *reader, const wire *message, const mil_type *type, elements *to)
{
    *to = (elements){.element = type->element};
    if (!mil_type_elements(type, &to->room) || to->room / 8 > wire_left(message)) {
        model_fail(reader, FIELD, message->at, "fewer elements than its type has");
        return false;
    }
    bool strings = type->element == MIL_STRING;
    void *memory =
        arena_take(reader->build.arena,
                   to->room * (strings ? sizeof *to->strings : mil_element_bytes(type->element)));
    if (!memory)
        model_fail_memory(reader);
    to->data = strings ? NULL : memory;
    to->strings = strings ? memory : NULL;
    return memory != NULL;
}

static void read_tensor(model_reader *reader, wire message, mil_value *value)
{
    elements to;
    wire_field field;
    wire start = message;
    if (!make_room(reader, &message, &value->type, &to))
        return;
    while (model_next(reader, &message, &field, FIELD)) {
        if (field.type != WIRE_BYTES || field.number > LIST_BYTES)
            continue;
        if (list_fits((list_kind)field.number, to.element))
            read_list(reader, field.bytes, &to, (list_kind)field.number);
        else
            model_fail(reader, FIELD, field.bytes.at, "elements of another type than its type's");
    }
    if (to.count != to.room)
        model_fail(reader, FIELD, start.at, "fewer elements than its type has");
    value->kind = to.strings ? MIL_STRINGS : MIL_DATA;
    value->count = to.count;
    value->data = to.data;
    value->strings = to.strings;
}

/* An item must have the type that its container says. */
static void push_item(model_reader *reader, wire message, const mil_type *type)
{
    mil_value item = model_read_value(reader, message);
    if (model_ok(reader) && !mil_type_fits(&item.type, type))
        model_fail(reader, "Value.type", message.at, "not the type that its container says");
    model_push(reader, &item, sizeof item);
}

/* TupleValue or ListValue: repeated Value. */
static void read_items(model_reader *reader, wire message, mil_value *value)
{
    size_t mark = reader->build.used, index = 0;
    bool list = value->type.kind == MIL_LIST;
    wire start = message;
    wire_field field;
    while (model_next(reader, &message, &field, "ListValue")) {
        if (wire_key(&field) != WIRE_KEY(1, WIRE_BYTES))
            continue;
        if (!list && index == value->type.item_count)
            model_fail(reader, "TupleValue", field.bytes.at, "more items than its type has");
        else
            push_item(reader, field.bytes, &value->type.items[list ? 0 : index++]);
    }
    value->kind = MIL_ITEMS;
    value->items = model_collect(reader, mark, sizeof *value->items, &value->count);
    if (!list && value->count != value->type.item_count)
        model_fail(reader, "TupleValue", start.at, "fewer items than its type has");
}

/* DictionaryValue: repeated KeyValuePair{1 key, 2 value}. */
static void read_pairs(model_reader *reader, wire message, mil_value *value)
{
    size_t mark = reader->build.used;
    wire_field field;
    while (model_next(reader, &message, &field, "DictionaryValue")) {
        if (wire_key(&field) != WIRE_KEY(1, WIRE_BYTES))
            continue;
        wire pair = field.bytes, sides[2] = {{0}};
        while (model_next(reader, &pair, &field, "KeyValuePair"))
            if (field.type == WIRE_BYTES && field.number <= 2)
                sides[field.number - 1] = field.bytes;
        if (!sides[0].at || !sides[1].at)
            model_fail(reader, "KeyValuePair", message.at, "without a key or a value");
        for (unsigned i = 0; i < 2 && model_ok(reader); i++)
            push_item(reader, sides[i], &value->type.items[i]);
    }
    value->kind = MIL_PAIRS;
    value->items = model_collect(reader, mark, 2 * sizeof *value->items, &value->count);
}

/* ImmediateValue: 1 tensor, 2 tuple, 3 list, 4 dictionary; as the type says. */
static void read_immediate(model_reader *reader, wire message, mil_value *value)
{
    static const uint32_t numbers[] = {
        [MIL_TENSOR] = 1, [MIL_LIST] = 3, [MIL_TUPLE] = 2, [MIL_DICT] = 4, [MIL_STATE] = 0};
    wire content = {0}, start = message;
    wire_field field;
    while (model_next(reader, &message, &field, "ImmediateValue"))
        if (field.type == WIRE_BYTES && field.number == numbers[value->type.kind])
            content = field.bytes;
    if (!content.at)
        model_fail(reader, "ImmediateValue", start.at, "not the value that its type says");
    else if (value->type.kind == MIL_TENSOR)
        read_tensor(reader, content, value);
    else if (value->type.kind == MIL_DICT)
        read_pairs(reader, content, value);
    else
        read_items(reader, content, value);
}

/* BlobFileValue: 1 fileName, 2 offset. */
static void read_blob(model_reader *reader, wire message, mil_value *value)
{
    wire_field field;
    *value = (mil_value){.type = value->type,
                         .kind = MIL_BLOB,
                         .path = {.text = ""},
                         .at = value->at,
                         .length = value->length};
    if (value->type.kind != MIL_TENSOR || value->type.element == MIL_STRING)
        model_fail(reader, "BlobFileValue", message.at, "not a tensor of numbers");
    while (model_next(reader, &message, &field, "BlobFileValue")) {
        if (wire_key(&field) == WIRE_KEY(1, WIRE_BYTES))
            value->path = model_text(reader, &field, "BlobFileValue.fileName");
        else if (wire_key(&field) == WIRE_KEY(2, WIRE_VARINT))
            value->offset = field.value;
    }
}

mil_value model_read_value(model_reader *reader, wire message)
{
    enum {
        TYPE = WIRE_KEY(2, WIRE_BYTES),
        IMMEDIATE = WIRE_KEY(3, WIRE_BYTES),
        BLOB = WIRE_KEY(5, WIRE_BYTES)
    };
    mil_value value = {.at = (size_t)(message.at - reader->start), .length = wire_left(&message)};
    wire type = {0}, immediate = {0}, blob = {0}, start = message;
    wire_field field;
    if (!model_enter(reader, &message, "Value"))
        return value;
    while (model_next(reader, &message, &field, "Value")) {
        switch (wire_key(&field)) {
        case TYPE: type = field.bytes; break;
        case IMMEDIATE: immediate = field.bytes; break;
        case BLOB: blob = field.bytes; break;
        }
    }
    if (!type.at || !immediate.at == !blob.at)
        model_fail(reader, "Value", start.at, "without a type, or without one value");
    if (model_ok(reader)) {
        value.type = model_read_type(reader, type);
        if (model_ok(reader) && blob.at)
            read_blob(reader, blob, &value);
        else if (model_ok(reader))
            read_immediate(reader, immediate, &value);
    }
    model_leave(reader);
    return value;
}
