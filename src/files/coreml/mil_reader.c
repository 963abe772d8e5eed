#include "files/coreml/mil_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files/text.h"

bool mil_reader_ok(const mil_reader *reader)
{
    return reader->status == YOKE_OK;
}

size_t mil_reader_at(const mil_reader *reader)
{
    return (size_t)(reader->next.text - reader->lexer.text);
}

static void stop(mil_reader *reader, yoke_status status)
{
    reader->status = status;
    reader->lexer.at = reader->lexer.size;
    reader->next = (mil_token){.text = reader->lexer.text + reader->lexer.size};
}

static void fail_here(mil_reader *reader, size_t at, const char *format, va_list args)
{
    if (reader->status != YOKE_OK)
        return;
    char why[300];
    vsnprintf(why, sizeof why, format, args);
    size_t line, column;
    mil_place(&reader->lexer, at, &line, &column);
    stop(reader, yoke_error_set(reader->err, YOKE_ERR_FORMAT, "%s: line %zu, column %zu: %s",
                                reader->path, line, column, why));
}

void mil_fail(mil_reader *reader, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_here(reader, mil_reader_at(reader), format, args);
    va_end(args);
}

void mil_fail_at(mil_reader *reader, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_here(reader, at, format, args);
    va_end(args);
}

void mil_fail_memory(mil_reader *reader)
{
    if (reader->status == YOKE_OK)
        stop(reader, yoke_error_set(reader->err, YOKE_ERR_MEMORY, "%s: no memory for the program",
                                    reader->path));
}

void mil_advance(mil_reader *reader)
{
    reader->next = mil_next_token(&reader->lexer);
    if (reader->next.kind == MIL_TOKEN_BAD)
        mil_fail(reader, "%s",
                 *reader->next.text == '"' ? "a string that does not end"
                                           : "a character that begins no word of MIL");
}

/* Says what stands where something else was expected. */
static void fail_expected(mil_reader *reader, const char *what)
{
    mil_token next = reader->next;
    if (next.kind == MIL_TOKEN_END)
        mil_fail(reader, "%s is expected, but the text ends", what);
    else
        mil_fail(reader, "%s is expected, not %s", what, text_shown(next.text, next.length).text);
}

bool mil_is_sign(const mil_reader *reader, char sign)
{
    return reader->next.kind == MIL_TOKEN_SIGN && *reader->next.text == sign;
}

bool mil_take_sign(mil_reader *reader, char sign)
{
    bool is = mil_is_sign(reader, sign);
    if (is)
        mil_advance(reader);
    return is;
}

void mil_expect_sign(mil_reader *reader, char sign)
{
    char what[] = {'\'', sign, '\'', '\0'};
    if (!mil_take_sign(reader, sign))
        fail_expected(reader, what);
}

void mil_expect_word(mil_reader *reader, const char *word)
{
    mil_token next = reader->next;
    if ((next.kind != MIL_TOKEN_NAME && next.kind != MIL_TOKEN_ARROW) ||
        next.length != strlen(word) || memcmp(next.text, word, next.length) != 0)
        fail_expected(reader, word);
    else
        mil_advance(reader);
}

const char *mil_expect_name(mil_reader *reader, const char *what)
{
    if (reader->next.kind != MIL_TOKEN_NAME) {
        fail_expected(reader, what);
        return "";
    }
    const char *name = arena_text(reader->build.arena, reader->next.text, reader->next.length);
    if (!name) {
        mil_fail_memory(reader);
        return "";
    }
    mil_advance(reader);
    return name;
}

bool mil_take_comma(mil_reader *reader)
{
    return mil_take_sign(reader, ',');
}

void mil_reader_push(mil_reader *reader, const void *item, size_t size)
{
    if (mil_reader_ok(reader) && !mil_push(&reader->build, item, size))
        mil_fail_memory(reader);
}

void *mil_reader_collect(mil_reader *reader, size_t mark, size_t item_size, size_t *count)
{
    *count = 0;
    void *list = mil_reader_ok(reader) ? mil_collect(&reader->build, mark, item_size, count) : NULL;
    if (!list)
        mil_fail_memory(reader);
    return list;
}
