#include "chips/rows.h"

#include <stdlib.h>
#include <string.h>

#include "chips/value.h"

/* The column of the file for one that is asked for; table->columns when it has none. */
static size_t find_column(const csv *table, const rows_column *asked)
{
    size_t found = table->columns;
    for (size_t i = 0; i < 3 && asked->names[i] && found == table->columns; i++)
        found = csv_column(table, asked->names[i]);
    return found;
}

static bool is_provenance(const char *text)
{
    return !*text || strcmp(text, "primary") == 0 || strcmp(text, "secondary") == 0 ||
           strcmp(text, "derived") == 0;
}

static yoke_status read_field(const csv *table, size_t record, size_t column, rows_kind kind,
                              void *to, yoke_error *err)
{
    const char *text = csv_at(table, record, column)->text, **as_text = to;
    switch (kind) {
    case ROWS_NUMBER:
        if (value_number(text, to))
            return YOKE_OK;
        return csv_refuse(table, record, column, err, "'%.40s' is not a plain number", text);
    case ROWS_MODE:
        if (value_mode(text, to))
            return YOKE_OK;
        return csv_refuse(table, record, column, err, "'%.40s' is not solo, each or combined",
                          text);
    case ROWS_RUNS:
        if (!value_is_runs(text))
            return csv_refuse(table, record, column, err,
                              "'%.40s' is not a number of runs, as 300 or 5x50", text);
        break;
    case ROWS_PROVENANCE:
        if (!is_provenance(text))
            return csv_refuse(table, record, column, err,
                              "'%.40s' is not primary, secondary or derived", text);
        break;
    case ROWS_NAME:
        if (!*text)
            return csv_refuse(table, record, column, err, "is empty");
        break;
    case ROWS_CHIP:
        if (strcmp(text, "unknown") == 0)
            text = "";
        break;
    case ROWS_TEXT: break;
    }
    *as_text = text;
    return YOKE_OK;
}

/* What stands there when the file lacks the column. */
static void fill_absent(rows_kind kind, void *to)
{
    if (kind == ROWS_NUMBER)
        value_number("", to);
    else if (kind == ROWS_MODE)
        value_mode("", to);
    else
        *(const char **)to = "";
}

static yoke_status read_column(const csv *table, const rows_column *asked, size_t element,
                               char *rows, yoke_error *err)
{
    size_t column = find_column(table, asked);
    if (column == table->columns && asked->required)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: row %zu: has no column '%s'", table->name,
                              table->rows[0], asked->names[0]);
    for (size_t r = 1; r < table->records; r++) {
        void *to = rows + (r - 1) * element + asked->offset;
        yoke_status status = YOKE_OK;
        if (column == table->columns)
            fill_absent(asked->kind, to);
        else
            status = read_field(table, r, column, asked->kind, to, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

yoke_status rows_read(const csv *table, const rows_column *columns, size_t column_count,
                      size_t element, void **rows, size_t *count, yoke_error *err)
{
    *count = table->records - 1;
    if (*count > ROWS_MOST)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: row %zu: more than %d measurements",
                              table->name, table->rows[ROWS_MOST + 1], ROWS_MOST);
    char *all = calloc(*count + 1, element);
    if (!all)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for %zu rows", table->name,
                              *count);
    yoke_status status = YOKE_OK;
    for (size_t c = 0; c < column_count && status == YOKE_OK; c++)
        status = read_column(table, &columns[c], element, all, err);
    for (size_t r = 0; r < *count; r++)
        memcpy(all + r * element, &table->rows[r + 1], sizeof(size_t));
    if (status == YOKE_OK)
        *rows = all;
    else
        free(all);
    return status;
}
