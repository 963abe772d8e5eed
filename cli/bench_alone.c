/* The suites of one engine as tables: read, compute, dispatch, wake. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_rows.h"
#include "bench_tables.h"
#include "cli.h"
#include "report/number.h"

static bool is_padding(const yoke_record_row *row)
{
    return bench_row_is(row, "compute", "k padding");
}

static bool is_call(const yoke_record_row *row)
{
    return bench_row_is(row, "dispatch", "call");
}

static bool is_task(const yoke_record_row *row)
{
    return bench_row_is(row, "wake", "task");
}

static void read_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    bench_cell_format(t, row);
    table_cell(t, "%s", number_bytes(row->bytes).text);
    table_cell(t, "%zu", row->samples.count);
    bench_cell_time(t, row->time.median);
    bench_cell_rate(t, row->naive_gbps);
    bench_cell_rate(t, row->limit_naive_gbps);
    bench_cell_percent(t, row->naive_gbps / row->limit_naive_gbps);
    bench_cell_note(t, row);
    table_end_row(t);
}

/* One row an engine: the first that carries its fit. */
static bool carries_fit(const yoke_record *record, size_t index)
{
    const yoke_record_row *row = record->rows[index];
    if (isnan(row->slope_gbps))
        return false;
    for (size_t i = 0; i < index; i++)
        if (!isnan(record->rows[i]->slope_gbps) &&
            strcmp(record->rows[i]->engine, row->engine) == 0)
            return false;
    return true;
}

static void fit_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    bench_cell_format(t, row);
    bench_cell_rate(t, row->slope_gbps);
    bench_cell_rate(t, row->slope_error_gbps);
    bench_cell_time(t, row->fixed_ns);
    bench_cell_time(t, row->fixed_error_ns);
    bench_cell_percent(t, row->fit_residual);
    bench_cell_rate(t, row->limit_gbps);
    bench_cell_percent(t, row->fraction_of_limit);
    table_end_row(t);
}

static void print_fits(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},     {"weight", TABLE_TEXT},       {"slope GB/s", TABLE_NUMBER},
        {"+-", TABLE_NUMBER},       {"fixed", TABLE_NUMBER},      {"+-", TABLE_NUMBER},
        {"residual", TABLE_NUMBER}, {"limit GB/s", TABLE_NUMBER}, {"of limit", TABLE_NUMBER}};
    table *t = table_create(BENCH_COLUMNS(columns));
    if (!t)
        return;
    bool any = false;
    for (size_t i = 0; i < record->row_count; i++)
        if (carries_fit(record, i)) {
            fit_row(t, record->rows[i]);
            any = true;
        }
    if (any) {
        printf("\nThe slope of time over bytes is the bandwidth; fixed is what a call costs beside "
               "its bytes.\n");
        table_print(t, stdout, CLI_WIDTH);
    }
    table_free(t);
}

static bool is_counted(const yoke_record_row *row)
{
    return !isnan(row->counted_bytes) || !isnan(row->counted_joules);
}

static void counted_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    bench_cell_format(t, row);
    table_cell(t, "%s", number_bytes(row->bytes).text);
    if (isnan(row->counted_bytes))
        table_cell(t, "-");
    else
        table_cell(t, "%s", number_bytes((uint64_t)row->counted_bytes).text);
    bench_cell_rate(t, yoke_gbps(row->counted_bytes, row->time.median));
    table_cell(t, "%s", number_digits(1e3 * row->counted_joules, 3).text);
    table_cell(t, "%s", number_digits(1e9 * row->counted_joules / row->time.median, 3).text);
    table_end_row(t);
}

static void print_counted(const yoke_record *record)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},  {"weight", TABLE_TEXT},
                                           {"bytes", TABLE_NUMBER}, {"counted", TABLE_NUMBER},
                                           {"GB/s", TABLE_NUMBER},  {"mJ", TABLE_NUMBER},
                                           {"W", TABLE_NUMBER}};
    if (!bench_any_row(record, is_counted))
        return;
    bench_print_table(record,
                      "What the machine's own counters say of one product of the largest size.",
                      is_counted, BENCH_COLUMNS(columns), counted_row);
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        if (is_counted(row))
            printf("%s: %s%s%s\n", row->engine, row->counted_bytes_by,
                   *row->counted_bytes_by && *row->counted_joules_by ? "; " : "",
                   row->counted_joules_by);
    }
}

static void print_read(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},       {"weight", TABLE_TEXT},     {"bytes", TABLE_NUMBER},
        {"samples", TABLE_NUMBER},    {"median", TABLE_NUMBER},   {"naive GB/s", TABLE_NUMBER},
        {"limit GB/s", TABLE_NUMBER}, {"of limit", TABLE_NUMBER}, {"note", TABLE_TEXT}};
    if (!bench_any_row(record, bench_row_is_read))
        return;
    bench_print_table(
        record,
        "read: M = 1, bytes / median; the limit is a plain read of as many bytes, in turns "
        "with it.",
        bench_row_is_read, BENCH_COLUMNS(columns), read_row);
    print_fits(record);
    print_counted(record);
}

static void m_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    bench_cell_format(t, row);
    table_cell(t, "%zu", row->m);
    table_cell(t, "%zu", row->samples.count);
    bench_cell_time(t, row->time.median);
    bench_cell_rate(t, row->tflops);
    bench_cell_rate(t, row->limit_tflops);
    bench_cell_percent(t, row->fraction_of_limit);
    bench_cell_rate(t, row->naive_gbps);
    bench_cell_note(t, row);
    table_end_row(t);
}

static bool is_first_m(const yoke_record_row *row)
{
    return bench_row_is_m(row) && row->m == 1;
}

static void turn_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", number_digits(row->turn_m, 2).text);
    table_cell(t, "%s", number_digits(row->turn_m_predicted, 2).text);
    table_end_row(t);
}

static void print_turns(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT}, {"turns at M", TABLE_NUMBER}, {"predicted", TABLE_NUMBER}};
    bench_print_table(
        record,
        "Below that M reading the weight takes the time, above it arithmetic; predicted by "
        "the limits.",
        is_first_m, BENCH_COLUMNS(columns), turn_row);
}

static void padding_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", bench_format_name(row->format));
    table_cell(t, "%zu", row->m);
    table_cell(t, "%zu", row->k);
    bench_cell_time(t, row->time.median);
    if (isnan(row->k_padding_cost))
        table_cell(t, "%s", row->failed ? "-" : "base");
    else
        table_cell(t, "%+.1f %%", 100 * row->k_padding_cost);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void print_compute(const yoke_record *record)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},   {"weight", TABLE_TEXT},
                                           {"M", TABLE_NUMBER},      {"samples", TABLE_NUMBER},
                                           {"median", TABLE_NUMBER}, {"TFLOP/s", TABLE_NUMBER},
                                           {"peak", TABLE_NUMBER},   {"of peak", TABLE_NUMBER},
                                           {"GB/s", TABLE_NUMBER},   {"note", TABLE_TEXT}};
    static const table_column padding[] = {{"engine", TABLE_TEXT},   {"weight", TABLE_TEXT},
                                           {"M", TABLE_NUMBER},      {"K", TABLE_NUMBER},
                                           {"median", TABLE_NUMBER}, {"per column", TABLE_NUMBER},
                                           {"note", TABLE_TEXT}};
    if (bench_any_row(record, bench_row_is_m)) {
        bench_print_table(
            record,
            "compute: against the register-only peak of the same arithmetic, measured "
            "before and after.",
            bench_row_is_m, BENCH_COLUMNS(columns), m_row);
        print_turns(record);
    }
    if (bench_any_row(record, is_padding))
        bench_print_table(record,
                          "odd K: what one column less or more than a round K costs, per column.",
                          is_padding, BENCH_COLUMNS(padding), padding_row);
}

static void call_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", row->wait);
    table_cell(t, "%zu", row->samples.count);
    bench_cell_time(t, row->time.min);
    bench_cell_time(t, row->time.median);
    bench_cell_time(t, row->time.p99);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void print_dispatch(const yoke_record *record)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},    {"wait", TABLE_TEXT},
                                           {"samples", TABLE_NUMBER}, {"min", TABLE_NUMBER},
                                           {"median", TABLE_NUMBER},  {"p99", TABLE_NUMBER},
                                           {"note", TABLE_TEXT}};
    if (bench_any_row(record, is_call))
        bench_print_table(record, "dispatch: what one call costs, with next to nothing to compute.",
                          is_call, BENCH_COLUMNS(columns), call_row);
}

static void task_row(table *t, const yoke_record_row *row)
{
    bench_cell_time(t, row->task_ns);
    table_cell(t, "%s", row->idle_states);
    table_cell(t, "%s", row->wait);
    table_cell(t, "%zu", row->samples.count);
    bench_cell_time(t, row->time.median);
    bench_cell_time(t, row->time.p99);
    if (isnan(row->wake_added_ns))
        table_cell(t, "%s", "");
    else
        bench_cell_time(t, row->wake_added_ns);
    bench_cell_note(t, row);
    table_end_row(t);
}

static void print_wake(const yoke_record *record)
{
    static const table_column columns[] = {
        {"task", TABLE_NUMBER},          {"idle states", TABLE_TEXT}, {"wait", TABLE_TEXT},
        {"samples", TABLE_NUMBER},       {"median", TABLE_NUMBER},    {"p99", TABLE_NUMBER},
        {"blocking adds", TABLE_NUMBER}, {"note", TABLE_TEXT}};
    if (bench_any_row(record, is_task))
        bench_print_table(
            record, "wake: a task on another core, waited for asleep (block) or awake (poll).",
            is_task, BENCH_COLUMNS(columns), task_row);
}

void bench_print_alone(const yoke_record *record)
{
    print_read(record);
    print_compute(record);
    print_dispatch(record);
    print_wake(record);
}
