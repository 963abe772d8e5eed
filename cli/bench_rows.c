#include "bench_rows.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "report/number.h"

bool bench_row_is(const yoke_record_row *row, const char *suite, const char *what)
{
    return strcmp(row->suite, suite) == 0 && strcmp(row->what, what) == 0;
}

bool bench_row_is_read(const yoke_record_row *row)
{
    return bench_row_is(row, "read", "size");
}

bool bench_row_is_m(const yoke_record_row *row)
{
    return bench_row_is(row, "compute", "m");
}

const char *bench_format_name(yoke_format format)
{
    return yoke_format_get(format)->name;
}

void bench_cell_time(table *t, double ns)
{
    table_cell(t, "%s", number_time(ns).text);
}

void bench_cell_rate(table *t, double value)
{
    table_cell(t, "%s", number_digits(value, 3).text);
}

void bench_cell_percent(table *t, double fraction)
{
    table_cell(t, "%s", number_percent(fraction).text);
}

void bench_cell_format(table *t, const yoke_record_row *row)
{
    if (row->prepared_format == row->format)
        table_cell(t, "%s", bench_format_name(row->format));
    else
        table_cell(t, "%s>%s", bench_format_name(row->format),
                   bench_format_name(row->prepared_format));
}

static bool about_memory(const yoke_record_row *row)
{
    return bench_row_is_read(row) || bench_row_is_m(row) || strcmp(row->suite, "split") == 0;
}

static bool shows_cached(const yoke_record_row *row)
{
    return row->cached && about_memory(row) && !row->failed;
}

static bool shows_drift(const yoke_record_row *row)
{
    return row->time.unstable && !row->failed;
}

static bool shows_noisy(const yoke_record_row *row)
{
    return row->samples.count > 0 && !row->samples.warmup_settled && !row->failed;
}

/* What to know before relying on the row, and what the words mean. */
static const struct {
    bench_filter *applies;
    const char *word, *meaning;
} remarks[] = {
    {shows_cached, "cached", "the weight fits the caches too well to tell about memory"},
    {shows_drift, "drift", "times moved by more than a tenth while they were measured"},
    {shows_noisy, "noisy", "the warm-up never settled; something else runs, or the clock moves"},
};
enum { REMARKS = sizeof remarks / sizeof *remarks };

void bench_cell_note(table *t, const yoke_record_row *row)
{
    char note[64] = "";
    size_t used = 0;
    for (size_t i = 0; i < REMARKS; i++)
        if (remarks[i].applies(row))
            used += (size_t)snprintf(note + used, sizeof note - used, "%s%s", used ? " " : "",
                                     remarks[i].word);
    table_cell(t, "%s", row->failed ? "FAILED" : note);
}

bool bench_any_row(const yoke_record *record, bench_filter *wanted)
{
    for (size_t i = 0; i < record->row_count; i++)
        if (wanted(record->rows[i]))
            return true;
    return false;
}

void bench_print_table(const yoke_record *record, const char *title, bench_filter *wanted,
                       const table_column *columns, size_t column_count,
                       bench_row_printer *print_row)
{
    table *t = table_create(columns, column_count);
    if (!t)
        return;
    for (size_t i = 0; i < record->row_count; i++)
        if (wanted(record->rows[i]))
            print_row(t, record->rows[i]);
    printf("\n%s\n", title);
    table_print(t, stdout, CLI_WIDTH);
    table_free(t);
}

void bench_print_legend(const yoke_record *record)
{
    for (size_t i = 0; i < REMARKS; i++)
        if (bench_any_row(record, remarks[i].applies))
            printf("%s: %s\n", remarks[i].word, remarks[i].meaning);
}
