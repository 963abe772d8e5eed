#include "history_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_tables.h"
#include "cli.h"
#include "report/number.h"
#include "store/plain.h"
#include "table.h"

/* ---- The list ---- */

/* What the figures that head a record are called. */
static const struct {
    const char *field, *unit, *name;
} figures[] = {
    {"slope_gbps", " GB/s", "slope"},   {"mean_gbps", " GB/s", "mean"},
    {"naive_gbps", " GB/s", "median"},  {"tflops", " TFLOPS", "median"},
    {"together", " of both", "beside"},
};

/* The figure, and how it came about. */
static void figure_cells(table *t, const store_record *record)
{
    const char *name = "median", *cached = record->cached ? ", cached" : "";
    bool timed = true;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i].field, record->figure_of) == 0) {
            table_cell(t, "%s%s", number_digits(record->figure, 4).text, figures[i].unit);
            name = figures[i].name;
            timed = false;
        }
    if (timed)
        table_cell(t, "%s", number_time(record->figure).text);
    if (isfinite(record->figure))
        table_cell(t, "%s%s", name, cached);
    else
        table_cell(t, "%s", "");
}

static bool add_line(void *arg, const store_record *record)
{
    table *t = arg;
    table_cell(t, "%lld", (long long)record->id);
    table_cell(t, "%.10s", record->time_utc[0] ? record->time_utc : "-"); /* the day */
    table_cell(t, "%s", record->machine[0] ? record->machine : "-");
    table_cell(t, "%s", record->artefact[0] ? record->artefact : "-");
    table_cell(t, "%s", record->suites);
    figure_cells(t, record);
    table_cell(t, "%s", record->engine);
    if (record->failed > 0)
        table_cell(t, "%zu of %zu", record->failed, record->rows);
    else
        table_cell(t, "-");
    return true;
}

yoke_status history_print_list(history *h, size_t limit, yoke_error *err)
{
    static const table_column columns[] = {
        {"id", TABLE_NUMBER},     {"measured", TABLE_NUMBER}, {"machine", TABLE_TEXT},
        {"artefact", TABLE_TEXT}, {"suites", TABLE_TEXT},     {"best", TABLE_NUMBER},
        {"by its", TABLE_TEXT},   {"of", TABLE_TEXT},         {"FAILED", TABLE_NUMBER}};
    table *t = table_create(columns, sizeof columns / sizeof *columns);
    yoke_status status = t ? history_list(h, limit, add_line, t, err)
                           : yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a table");
    if (status == YOKE_OK && !table_print(t, stdout, CLI_WIDTH))
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a table");
    table_free(t);
    return status;
}

/* ---- One record ---- */

static bool is_of_another_tool(const store_record *stored)
{
    return strcmp(stored->method, "median") != 0;
}

static void print_texts(const char *what, const yoke_record_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        printf("%-8s %s\n", what, texts->texts[i]);
}

static void cell_known(table *t, const char *text)
{
    table_cell(t, "%s", text[0] ? text : "-");
}

static bool print_rows(const yoke_record *record)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},   {"suite", TABLE_TEXT},
                                           {"case", TABLE_TEXT},     {"bytes", TABLE_NUMBER},
                                           {"mean", TABLE_NUMBER},   {"GB/s, mean", TABLE_NUMBER},
                                           {"ran there", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; t && i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        cell_known(t, row->engine);
        cell_known(t, row->suite);
        cell_known(t, row->what);
        cell_known(t, row->bytes > 0 ? number_bytes(row->bytes).text : "");
        table_cell(t, "%s", number_time(row->time.mean).text);
        table_cell(t, "%s", number_digits(row->mean_gbps, 4).text);
        cell_known(t, row->placement);
    }
    bool printed = t && table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return printed;
}

static yoke_status print_other(const store_record *stored, const yoke_record *record,
                               yoke_error *err)
{
    printf("weight   %s\n", stored->artefact);
    if (record->host)
        printf("machine  %s\n", stored->machine[0] ? stored->machine : "-");
    print_texts("method", &record->method);
    print_texts("option", &record->options);
    printf("\n");
    if (!print_rows(record))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a table");
    printf("\n");
    for (size_t i = 0; i < record->notes.count; i++)
        printf("note: %s\n", record->notes.texts[i]);
    return YOKE_OK;
}

/* What is printed may come from elsewhere. */
static yoke_status parse_plain(const store_record *stored, yoke_record **record, yoke_error *err)
{
    char name[64], *json = strdup(stored->json);
    snprintf(name, sizeof name, "record %lld", (long long)stored->id);
    if (!json)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", name);
    plain_json(json);
    yoke_status status = yoke_record_parse(json, strlen(json), name, record, err);
    free(json);
    return status;
}

yoke_status history_print_record(const store_record *stored, yoke_error *err)
{
    yoke_record *record;
    yoke_status status = parse_plain(stored, &record, err);
    if (status != YOKE_OK)
        return status;
    printf("record   %lld, %s, from %s\n", (long long)stored->id,
           stored->time_utc[0] ? stored->time_utc : "time not known", stored->source);
    if (is_of_another_tool(stored))
        status = print_other(stored, record, err);
    else
        bench_print(record);
    yoke_record_free(record);
    return status;
}
