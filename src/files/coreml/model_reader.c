#include "files/coreml/model_reader.h"

#include <string.h>

#include "files/text.h"

bool model_ok(const model_reader *reader)
{
    return reader->status == YOKE_OK;
}

void model_fail(model_reader *reader, const char *field, const uint8_t *at, const char *why)
{
    if (model_ok(reader))
        reader->status = yoke_error_set(reader->err, YOKE_ERR_FORMAT, "%s: %s, byte %zu: %s",
                                        reader->path, field, (size_t)(at - reader->start), why);
}

void model_fail_memory(model_reader *reader)
{
    if (model_ok(reader))
        reader->status = yoke_error_set(reader->err, YOKE_ERR_MEMORY,
                                        "%s: no memory for the program", reader->path);
}

bool model_next(model_reader *reader, wire *message, wire_field *field, const char *what)
{
    if (!model_ok(reader))
        return false;
    if (wire_next(message, field))
        return true;
    if (message->at != message->end)
        model_fail(reader, what, message->at, "a field that is cut off or of no known wire type");
    return false;
}

bool model_enter(model_reader *reader, const wire *message, const char *what)
{
    if (reader->depth == MIL_MAX_DEPTH)
        model_fail(reader, what, message->at, "types, values and blocks nested too deep");
    reader->depth++;
    return model_ok(reader);
}

void model_leave(model_reader *reader)
{
    reader->depth--;
}

mil_text model_text(model_reader *reader, const wire_field *field, const char *what)
{
    mil_text none = {.text = ""};
    const char *text = (const char *)field->bytes.at;
    size_t length = wire_left(&field->bytes);
    if (!text_is_utf8(text, length))
        model_fail(reader, what, field->bytes.at, "text that is not UTF-8");
    char *copy = arena_text(reader->build.arena, text, length);
    if (!copy)
        model_fail_memory(reader);
    return copy ? (mil_text){.text = copy, .length = length} : none;
}

const char *model_name(model_reader *reader, const wire_field *field, const char *what)
{
    mil_text name = model_text(reader, field, what);
    if (memchr(name.text, '\0', name.length))
        model_fail(reader, what, field->bytes.at, "a name with a NUL in it");
    return name.text;
}

void model_push(model_reader *reader, const void *item, size_t size)
{
    if (model_ok(reader) && !mil_push(&reader->build, item, size))
        model_fail_memory(reader);
}

void *model_collect(model_reader *reader, size_t mark, size_t item_size, size_t *count)
{
    *count = 0;
    void *list = model_ok(reader) ? mil_collect(&reader->build, mark, item_size, count) : NULL;
    if (!list)
        model_fail_memory(reader);
    return list;
}
