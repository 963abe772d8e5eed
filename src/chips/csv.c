#include "chips/csv.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/text.h"

#define MOST_COLUMNS 1000 /* keeps the search for double names cheap */

/* Where reading stands. */
typedef struct reader {
    csv *table;
    char *text;
    size_t size, at;
    size_t row;    /* of the record being read */
    size_t column; /* of the field being read, from 0 */
    size_t field_count, field_room, record_room;
    yoke_error *err;
} reader;

static yoke_status refuse_at(const reader *r, size_t offset, const char *what)
{
    return yoke_error_set(r->err, YOKE_ERR_FORMAT, "%s: row %zu, column %zu, byte %zu: %s",
                          r->table->name, r->row, r->column + 1, offset, what);
}

static yoke_status no_memory(const reader *r)
{
    return yoke_error_set(r->err, YOKE_ERR_MEMORY, "%s: no memory for its rows", r->table->name);
}

/* Doubles *block until `wanted` elements fit. */
static bool make_room(void **block, size_t *room, size_t wanted, size_t element)
{
    size_t larger = *room < 64 ? 64 : *room, bytes;
    while (larger < wanted)
        if (!size_mul(larger, 2, &larger))
            return false;
    if (larger == *room)
        return true;
    void *moved = size_mul(larger, element, &bytes) ? realloc(*block, bytes) : NULL;
    if (!moved)
        return false;
    *block = moved;
    *room = larger;
    return true;
}

static bool add_field(reader *r, const char *text, size_t offset)
{
    void *block = r->table->fields;
    bool ok = make_room(&block, &r->field_room, r->field_count + 1, sizeof(csv_field));
    r->table->fields = block;
    if (ok)
        r->table->fields[r->field_count++] = (csv_field){.text = text, .offset = offset};
    return ok;
}

static bool add_record(reader *r)
{
    void *block = r->table->rows;
    bool ok = make_room(&block, &r->record_room, r->table->records + 1, sizeof(size_t));
    r->table->rows = block;
    if (ok)
        r->table->rows[r->table->records++] = r->row;
    return ok;
}

/* Bytes of the character at the place reached; 0 when it may not stand in a field. */
static size_t character_length(const reader *r)
{
    const char *text = r->text + r->at;
    size_t length = text_utf8_sequence(text, r->size - r->at);
    unsigned char first = (unsigned char)text[0];
    bool control = first < 0x20 || first == 0x7f ||
                   (length == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0); /* C1 */
    return control ? 0 : length;
}

/* The line end at the place reached: 0, 1 or 2 bytes. */
static size_t line_end(const reader *r)
{
    const char *s = r->text + r->at;
    size_t left = r->size - r->at;
    if (left > 0 && s[0] == '\n')
        return 1;
    return left > 1 && s[0] == '\r' && s[1] == '\n' ? 2 : 0;
}

/* Moves one character of a field down to *to. A line end within quotes becomes a blank: fields are
 * shown in one line. */
static yoke_status take_character(reader *r, bool quoted, char **to)
{
    size_t end = quoted ? line_end(r) : 0;
    if (end > 0) {
        *(*to)++ = ' ';
        r->at += end;
        return YOKE_OK;
    }
    size_t length = character_length(r);
    if (length == 0)
        return refuse_at(r, r->at, "a control character, or not UTF-8");
    memmove(*to, r->text + r->at, length);
    *to += length;
    r->at += length;
    return YOKE_OK;
}

static yoke_status take_quoted(reader *r, char **to)
{
    size_t begin = r->at++;
    while (r->at < r->size) {
        if (r->text[r->at] == '"') {
            if (r->at + 1 == r->size || r->text[r->at + 1] != '"') {
                r->at++;
                return YOKE_OK;
            }
            r->at++; /* two stand for one */
        }
        yoke_status status = take_character(r, true, to);
        if (status != YOKE_OK)
            return status;
    }
    return refuse_at(r, begin, "a quote that is never closed");
}

static bool at_field_end(const reader *r)
{
    return r->at == r->size || r->text[r->at] == ',' || line_end(r) > 0;
}

/* Reads a field and leaves the reader at what ends it. The text is moved down over its quotes, so
 * that there is room for a NUL once the byte that ends it has been seen. */
static yoke_status take_field(reader *r, char **end)
{
    size_t begin = r->at;
    char *text = r->text + begin, *to = text;
    if (!at_field_end(r) && r->text[r->at] == '"') {
        yoke_status status = take_quoted(r, &to);
        if (status != YOKE_OK)
            return status;
        if (!at_field_end(r))
            return refuse_at(r, r->at, "text behind a closing quote");
    }
    while (!at_field_end(r)) {
        if (r->text[r->at] == '"')
            return refuse_at(r, r->at, "a quote in a field that does not begin with one");
        yoke_status status = take_character(r, false, &to);
        if (status != YOKE_OK)
            return status;
    }
    *end = to;
    return add_field(r, text, begin) ? YOKE_OK : no_memory(r);
}

/* `end` is where the row ends. */
static yoke_status check_count(const reader *r, size_t count, size_t end)
{
    if (count > MOST_COLUMNS)
        return refuse_at(r, end, "too many columns");
    if (r->table->records == 0 || count == r->table->columns)
        return YOKE_OK;
    return yoke_error_set(r->err, YOKE_ERR_FORMAT,
                          "%s: row %zu, column %zu, byte %zu: the row has %zu fields, the header "
                          "%zu",
                          r->table->name, r->row, size_min(count, r->table->columns) + 1, end,
                          count, r->table->columns);
}

static yoke_status take_record(reader *r)
{
    size_t count = 0, row_end = 0;
    for (bool more = true; more; count++) {
        char *end = r->text;
        r->column = count;
        yoke_status status = take_field(r, &end);
        if (status != YOKE_OK)
            return status;
        row_end = r->at;
        more = r->at < r->size && r->text[r->at] == ',';
        r->at += more ? 1 : line_end(r);
        *end = '\0';
    }
    yoke_status status = check_count(r, count, row_end);
    if (status != YOKE_OK)
        return status;
    if (r->table->records == 0)
        r->table->columns = count;
    return add_record(r) ? YOKE_OK : no_memory(r);
}

static yoke_status take_records(reader *r)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (r->size >= 3 && memcmp(r->text, mark, 3) == 0)
        r->at = 3;
    for (r->row = 1; r->at < r->size; r->row++) {
        size_t end = line_end(r);
        r->at += end;
        yoke_status status = end > 0 ? YOKE_OK : take_record(r);
        if (status != YOKE_OK)
            return status;
    }
    if (r->table->records == 0)
        return yoke_error_set(r->err, YOKE_ERR_FORMAT, "%s: byte 0: has no header", r->table->name);
    return YOKE_OK;
}

static yoke_status check_header(const csv *table, yoke_error *err)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *name = table->fields[c].text;
        if (!*name)
            return csv_refuse(table, 0, c, err, "a column without a name");
        if (csv_column(table, name) < c)
            return csv_refuse(table, 0, c, err, "a second column of that name");
    }
    return YOKE_OK;
}

yoke_status csv_parse(const char *name, char *text, size_t size, csv *out, yoke_error *err)
{
    *out = (csv){.name = name};
    reader r = {.table = out, .text = text, .size = size, .err = err};
    yoke_status status = take_records(&r);
    if (status == YOKE_OK)
        status = check_header(out, err);
    if (status != YOKE_OK)
        csv_free(out);
    return status;
}

void csv_free(csv *table)
{
    free(table->fields);
    free(table->rows);
    *table = (csv){0};
}

const csv_field *csv_at(const csv *table, size_t record, size_t column)
{
    return &table->fields[record * table->columns + column];
}

size_t csv_column(const csv *table, const char *name)
{
    size_t c = 0;
    while (c < table->columns && strcmp(table->fields[c].text, name) != 0)
        c++;
    return c;
}

yoke_status csv_refuse(const csv *table, size_t record, size_t column, yoke_error *err,
                       const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: row %zu, column %zu (%.40s), byte %zu: %s",
                          table->name, table->rows[record], column + 1, table->fields[column].text,
                          csv_at(table, record, column)->offset, what);
}
