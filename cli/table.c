#include "table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/plain.h"

#define GAP          2 /* blanks between columns */
#define LEAST_WIDTH  8 /* a text column is not cut below */
#define ELLIPSIS     "..."
#define ELLIPSIS_LEN 3

/* All cells one after the other, NUL-terminated, with where each begins. */
struct table {
    const table_column *columns;
    size_t column_count;
    char *text;
    size_t text_used, text_room;
    size_t *cells;
    size_t cell_count, cell_room;
    bool out_of_memory;
};

table *table_create(const table_column *columns, size_t count)
{
    table *t = calloc(1, sizeof *t);
    if (t) {
        t->columns = columns;
        t->column_count = count;
    }
    return t;
}

void table_free(table *t)
{
    if (!t)
        return;
    free(t->text);
    free(t->cells);
    free(t);
}

/* Grows *block so that `wanted` elements fit; doubles, so that n cells cost O(n). */
static bool make_room(void **block, size_t *room, size_t wanted, size_t element)
{
    if (wanted <= *room)
        return true;
    size_t larger = *room < 64 ? 64 : *room;
    while (larger < wanted) {
        if (larger > SIZE_MAX / 2 / element)
            return false;
        larger *= 2;
    }
    void *moved = realloc(*block, larger * element);
    if (!moved)
        return false;
    *block = moved;
    *room = larger;
    return true;
}

static bool text_room(table *t, size_t more)
{
    void *block = t->text;
    bool ok = make_room(&block, &t->text_room, t->text_used + more, 1);
    t->text = block;
    return ok;
}

static bool cell_room(table *t)
{
    void *block = t->cells;
    bool ok = make_room(&block, &t->cell_room, t->cell_count + 1, sizeof *t->cells);
    t->cells = block;
    return ok;
}

void table_cell(table *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !text_room(t, (size_t)length + 1) || !cell_room(t)) {
        t->out_of_memory = true;
    } else {
        char *cell = t->text + t->text_used;
        vsnprintf(cell, (size_t)length + 1, format, again);
        plain_text(cell);
        t->cells[t->cell_count++] = t->text_used;
        t->text_used += strlen(cell) + 1;
    }
    va_end(again);
}

void table_end_row(table *t)
{
    while (t->cell_count % t->column_count != 0 && !t->out_of_memory)
        table_cell(t, "%s", "");
}

/* Columns that a UTF-8 text takes, counting one for each code point. */
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* The byte at which `columns` code points have passed. */
static const char *text_skip(const char *text, size_t columns)
{
    while (*text && (columns > 0 || ((unsigned char)*text & 0xc0) == 0x80)) {
        columns -= ((unsigned char)*text & 0xc0) != 0x80;
        text++;
    }
    return text;
}

static void measure(const table *t, size_t *widths)
{
    for (size_t c = 0; c < t->column_count; c++)
        widths[c] = text_width(t->columns[c].heading);
    for (size_t i = 0; i < t->cell_count; i++) {
        size_t width = text_width(t->text + t->cells[i]);
        if (width > widths[i % t->column_count])
            widths[i % t->column_count] = width;
    }
}

/* The text column to cut next: the widest that can still shrink. */
static size_t widest_text(const table *t, const size_t *widths)
{
    size_t widest = t->column_count;
    for (size_t c = 0; c < t->column_count; c++)
        if (t->columns[c].align == TABLE_TEXT && widths[c] > LEAST_WIDTH &&
            (widest == t->column_count || widths[c] > widths[widest]))
            widest = c;
    return widest;
}

static void fit(const table *t, size_t *widths, size_t width)
{
    size_t total = GAP * (t->column_count - 1);
    for (size_t c = 0; c < t->column_count; c++)
        total += widths[c];
    while (total > width) {
        size_t column = widest_text(t, widths);
        if (column == t->column_count)
            return;
        widths[column]--;
        total--;
    }
}

static void print_blanks(size_t count, FILE *out)
{
    while (count-- > 0)
        fputc(' ', out);
}

/* Keeps both ends: the last part of a tensor's name says most. */
static void print_cut(const char *text, size_t width, FILE *out)
{
    size_t whole = text_width(text);
    size_t tail = (width - ELLIPSIS_LEN) / 2;
    size_t head = width - ELLIPSIS_LEN - tail;
    fwrite(text, 1, (size_t)(text_skip(text, head) - text), out);
    fputs(ELLIPSIS, out);
    fputs(text_skip(text, whole - tail), out);
}

static void print_row(const table *t, const size_t *widths,
                      const char *(*cell)(const table *, size_t), size_t first, FILE *out)
{
    size_t owed = 0; /* blanks are printed only before something, so that no line ends in them */
    for (size_t c = 0; c < t->column_count; c++) {
        const char *text = cell(t, first + c);
        size_t width = text_width(text);
        size_t shown = width < widths[c] ? width : widths[c];
        size_t padding = widths[c] - shown;
        bool right = t->columns[c].align == TABLE_NUMBER;
        if (shown > 0) {
            print_blanks(owed + (right ? padding : 0), out);
            owed = right ? 0 : padding;
            if (width > widths[c])
                print_cut(text, widths[c], out);
            else
                fputs(text, out);
        } else {
            owed += padding;
        }
        owed += GAP;
    }
    fputc('\n', out);
}

static const char *heading_text(const table *t, size_t index)
{
    return t->columns[index].heading;
}

static const char *cell_text(const table *t, size_t index)
{
    return index < t->cell_count ? t->text + t->cells[index] : "";
}

bool table_print(const table *t, FILE *out, size_t width)
{
    size_t *widths = calloc(t->column_count, sizeof *widths);
    if (!widths || t->out_of_memory) {
        free(widths);
        return false;
    }
    measure(t, widths);
    if (width > 0)
        fit(t, widths, width);
    print_row(t, widths, heading_text, 0, out);
    for (size_t i = 0; i < t->cell_count; i += t->column_count)
        print_row(t, widths, cell_text, i, out);
    free(widths);
    return true;
}
