/* The suites of several engines as tables: contention, split. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_rows.h"
#include "bench_tables.h"
#include "report/number.h"

static bool is_beside(const yoke_record_row *row)
{
    return bench_row_is(row, "contention", "beside");
}

/* "84.1 % (82.9 to 85.0)" */
static void cell_interval(table *t, double value, double low, double high)
{
    if (isnan(value))
        table_cell(t, "-");
    else
        table_cell(t, "%.1f %% (%.1f to %.1f)", 100 * value, 100 * low, 100 * high);
}

static void beside_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%zu", row->m);
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", row->other);
    if (row->m == 1)
        table_cell(t, "%s GB/s", number_digits(row->naive_gbps / row->retained, 3).text);
    else
        table_cell(t, "%s TFLOP/s", number_digits(row->tflops / row->retained, 3).text);
    cell_interval(t, row->retained, row->retained_low, row->retained_high);
    bench_cell_note(t, row);
    table_end_row(t);
}

/* One of the two rows of a pair. */
static bool is_pair(const yoke_record_row *row)
{
    return is_beside(row) && strcmp(row->engine, row->other) < 0;
}

static void pair_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%zu", row->m);
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", row->other);
    cell_interval(t, row->together, row->together_low, row->together_high);
    table_cell(t, "%s", row->failed ? "FAILED" : row->sharing);
    table_end_row(t);
}

static void print_contention(const yoke_record *record)
{
    static const table_column beside[] = {{"M", TABLE_NUMBER},
                                          {"engine", TABLE_TEXT},
                                          {"beside", TABLE_TEXT},
                                          {"alone", TABLE_NUMBER},
                                          {"keeps (95 % interval)", TABLE_NUMBER},
                                          {"note", TABLE_TEXT}};
    static const table_column pairs[] = {{"M", TABLE_NUMBER},
                                         {"engine", TABLE_TEXT},
                                         {"and", TABLE_TEXT},
                                         {"together (95 % interval)", TABLE_NUMBER},
                                         {"which is", TABLE_TEXT}};
    if (!bench_any_row(record, is_beside))
        return;
    bench_print_table(record,
                      "contention: what an engine keeps of its rate while another one works.",
                      is_beside, BENCH_COLUMNS(beside), beside_row);
    bench_print_table(
        record,
        "What both reach together, of the sum of what they reach alone. \"adds up\": 95 % or "
        "more, by\nthe whole interval. \"shared ceiling\": less; what they share (memory, "
        "power, cores) is full, and\nan engine that is slower then is not idle.",
        is_pair, BENCH_COLUMNS(pairs), pair_row);
}

/* ---- split ---- */

static bool is_single(const yoke_record_row *row)
{
    return bench_row_is(row, "split", "single");
}

static bool is_split(const yoke_record_row *row)
{
    return bench_row_is(row, "split", "split");
}

static bool is_window(const yoke_record_row *row)
{
    return bench_row_is(row, "split", "window");
}

static void single_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%zu", row->m);
    table_cell(t, "%s", row->engine);
    bench_cell_format(t, row);
    table_cell(t, "%zu", row->n);
    table_cell(t, "%zu", row->samples.count);
    bench_cell_time(t, row->time.median);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void split_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%zu", row->m);
    bench_cell_time(t, row->best_single_ns);
    table_cell(t, "%s", row->best_single);
    bench_cell_time(t, row->ideal_ns);
    bench_cell_time(t, row->time.median);
    bench_cell_percent(t, row->efficiency);
    table_cell(t, "%s", row->check);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void window_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%zu x %zu", row->m, row->n);
    table_cell(t, "%s", row->engine);
    bench_cell_percent(t, row->share);
    bench_cell_time(t, row->predicted_ns);
    bench_cell_time(t, row->window_ns);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void print_split(const yoke_record *record)
{
    static const table_column singles[] = {{"M", TABLE_NUMBER},       {"engine", TABLE_TEXT},
                                           {"weight", TABLE_TEXT},    {"N", TABLE_NUMBER},
                                           {"samples", TABLE_NUMBER}, {"median", TABLE_NUMBER},
                                           {"note", TABLE_TEXT}};
    static const table_column splits[] = {{"M", TABLE_NUMBER},       {"best single", TABLE_NUMBER},
                                          {"which is", TABLE_TEXT},  {"ideal", TABLE_NUMBER},
                                          {"reached", TABLE_NUMBER}, {"efficiency", TABLE_NUMBER},
                                          {"check", TABLE_TEXT},     {"note", TABLE_TEXT}};
    static const table_column windows[] = {{"M x N", TABLE_NUMBER},     {"engine", TABLE_TEXT},
                                           {"share", TABLE_NUMBER},     {"predicted", TABLE_NUMBER},
                                           {"took once", TABLE_NUMBER}, {"note", TABLE_TEXT}};
    if (bench_any_row(record, is_single))
        bench_print_table(record, "split: the same product by each engine alone ...", is_single,
                          BENCH_COLUMNS(singles), single_row);
    if (!bench_any_row(record, is_split))
        return;
    bench_print_table(record,
                      "... and by all of them, in turns. Ideal: the work over the sum of the rates "
                      "alone, slowed as the\nengines were seen to slow each other; efficiency: "
                      "ideal over reached.",
                      is_split, BENCH_COLUMNS(splits), split_row);
    bench_print_table(record,
                      "Who computed which part. A single window: no split was worth taking.",
                      is_window, BENCH_COLUMNS(windows), window_row);
}

void bench_print_together(const yoke_record *record)
{
    print_contention(record);
    print_split(record);
}
