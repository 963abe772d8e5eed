#include "bench_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "number.h"
#include "table.h"
#include "tensor.h"

typedef bool row_filter(const yoke_record_row *row);
typedef void row_printer(table *t, const yoke_record_row *row);

static bool is(const yoke_record_row *row, const char *suite, const char *what)
{
    return strcmp(row->suite, suite) == 0 && strcmp(row->what, what) == 0;
}

static bool is_read(const yoke_record_row *row)
{
    return is(row, "read", "size");
}

static bool is_m(const yoke_record_row *row)
{
    return is(row, "compute", "m");
}

static bool is_padding(const yoke_record_row *row)
{
    return is(row, "compute", "k padding");
}

static bool is_call(const yoke_record_row *row)
{
    return is(row, "dispatch", "call");
}

static bool is_task(const yoke_record_row *row)
{
    return is(row, "wake", "task");
}

static bool is_beside(const yoke_record_row *row)
{
    return is(row, "contention", "beside");
}

static const char *format_name(yoke_format format)
{
    return yoke_format_get(format)->name;
}

static void cell_time(table *t, double ns)
{
    table_cell(t, "%s", number_time(ns).text);
}

static void cell_rate(table *t, double value)
{
    table_cell(t, "%s", number_digits(value, 3).text);
}

static void cell_percent(table *t, double fraction)
{
    table_cell(t, "%s", number_percent(fraction).text);
}

/* The engine's own format behind an arrow when it converts. */
static void cell_format(table *t, const yoke_record_row *row)
{
    if (row->prepared_format == row->format)
        table_cell(t, "%s", format_name(row->format));
    else
        table_cell(t, "%s>%s", format_name(row->format), format_name(row->prepared_format));
}

static bool about_memory(const yoke_record_row *row)
{
    return is_read(row) || is_m(row);
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
    row_filter *applies;
    const char *word, *meaning;
} remarks[] = {
    {shows_cached, "cached", "the weight fits the caches too well to tell about memory"},
    {shows_drift, "drift", "times moved by more than a tenth while they were measured"},
    {shows_noisy, "noisy", "the warm-up never settled; something else runs, or the clock moves"},
};
enum { REMARKS = sizeof remarks / sizeof *remarks };

static void cell_note(table *t, const yoke_record_row *row)
{
    char note[64] = "";
    size_t used = 0;
    for (size_t i = 0; i < REMARKS; i++)
        if (remarks[i].applies(row))
            used += (size_t)snprintf(note + used, sizeof note - used, "%s%s", used ? " " : "",
                                     remarks[i].word);
    table_cell(t, "%s", row->failed ? "FAILED" : note);
}

static bool any_row(const yoke_record *record, row_filter *wanted)
{
    for (size_t i = 0; i < record->row_count; i++)
        if (wanted(record->rows[i]))
            return true;
    return false;
}

static void print_table(const yoke_record *record, const char *title, row_filter *wanted,
                        const table_column *columns, size_t column_count, row_printer *print_row)
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

#define COLUMNS(columns) columns, sizeof columns / sizeof *columns

static void read_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    cell_format(t, row);
    table_cell(t, "%s", number_bytes(row->bytes).text);
    table_cell(t, "%zu", row->samples.count);
    cell_time(t, row->time.median);
    cell_rate(t, row->naive_gbps);
    cell_rate(t, row->limit_naive_gbps);
    cell_percent(t, row->naive_gbps / row->limit_naive_gbps);
    cell_note(t, row);
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
    cell_format(t, row);
    cell_rate(t, row->slope_gbps);
    cell_rate(t, row->slope_error_gbps);
    cell_time(t, row->fixed_ns);
    cell_time(t, row->fixed_error_ns);
    cell_percent(t, row->fit_residual);
    cell_rate(t, row->limit_gbps);
    cell_percent(t, row->fraction_of_limit);
    table_end_row(t);
}

static void print_fits(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},     {"weight", TABLE_TEXT},       {"slope GB/s", TABLE_NUMBER},
        {"+-", TABLE_NUMBER},       {"fixed", TABLE_NUMBER},      {"+-", TABLE_NUMBER},
        {"residual", TABLE_NUMBER}, {"limit GB/s", TABLE_NUMBER}, {"of limit", TABLE_NUMBER}};
    table *t = table_create(COLUMNS(columns));
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

static void print_read(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},       {"weight", TABLE_TEXT},     {"bytes", TABLE_NUMBER},
        {"samples", TABLE_NUMBER},    {"median", TABLE_NUMBER},   {"naive GB/s", TABLE_NUMBER},
        {"limit GB/s", TABLE_NUMBER}, {"of limit", TABLE_NUMBER}, {"note", TABLE_TEXT}};
    if (!any_row(record, is_read))
        return;
    print_table(record,
                "read: M = 1, bytes / median; the limit is a plain read of as many bytes, in turns "
                "with it.",
                is_read, COLUMNS(columns), read_row);
    print_fits(record);
}

static void m_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    cell_format(t, row);
    table_cell(t, "%zu", row->m);
    table_cell(t, "%zu", row->samples.count);
    cell_time(t, row->time.median);
    cell_rate(t, row->tflops);
    cell_rate(t, row->limit_tflops);
    cell_percent(t, row->fraction_of_limit);
    cell_rate(t, row->naive_gbps);
    cell_note(t, row);
    table_end_row(t);
}

static bool is_first_m(const yoke_record_row *row)
{
    return is_m(row) && row->m == 1;
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
    print_table(record,
                "Below that M reading the weight takes the time, above it arithmetic; predicted by "
                "the limits.",
                is_first_m, COLUMNS(columns), turn_row);
}

static void padding_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", format_name(row->format));
    table_cell(t, "%zu", row->m);
    table_cell(t, "%zu", row->k);
    cell_time(t, row->time.median);
    if (isnan(row->k_padding_cost))
        table_cell(t, "%s", row->failed ? "-" : "base");
    else
        table_cell(t, "%+.1f %%", 100 * row->k_padding_cost);
    cell_note(t, row);
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
    if (any_row(record, is_m)) {
        print_table(record,
                    "compute: against the register-only peak of the same arithmetic, measured "
                    "before and after.",
                    is_m, COLUMNS(columns), m_row);
        print_turns(record);
    }
    if (any_row(record, is_padding))
        print_table(record, "odd K: what one column less or more than a round K costs, per column.",
                    is_padding, COLUMNS(padding), padding_row);
}

static void call_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", row->wait);
    table_cell(t, "%zu", row->samples.count);
    cell_time(t, row->time.min);
    cell_time(t, row->time.median);
    cell_time(t, row->time.p99);
    cell_note(t, row);
    table_end_row(t);
}

static void print_dispatch(const yoke_record *record)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},    {"wait", TABLE_TEXT},
                                           {"samples", TABLE_NUMBER}, {"min", TABLE_NUMBER},
                                           {"median", TABLE_NUMBER},  {"p99", TABLE_NUMBER},
                                           {"note", TABLE_TEXT}};
    if (any_row(record, is_call))
        print_table(record, "dispatch: what one call costs, with next to nothing to compute.",
                    is_call, COLUMNS(columns), call_row);
}

static void task_row(table *t, const yoke_record_row *row)
{
    cell_time(t, row->task_ns);
    table_cell(t, "%s", row->idle_states);
    table_cell(t, "%s", row->wait);
    table_cell(t, "%zu", row->samples.count);
    cell_time(t, row->time.median);
    cell_time(t, row->time.p99);
    if (isnan(row->wake_added_ns))
        table_cell(t, "%s", "");
    else
        cell_time(t, row->wake_added_ns);
    cell_note(t, row);
    table_end_row(t);
}

static void print_wake(const yoke_record *record)
{
    static const table_column columns[] = {
        {"task", TABLE_NUMBER},          {"idle states", TABLE_TEXT}, {"wait", TABLE_TEXT},
        {"samples", TABLE_NUMBER},       {"median", TABLE_NUMBER},    {"p99", TABLE_NUMBER},
        {"blocking adds", TABLE_NUMBER}, {"note", TABLE_TEXT}};
    if (any_row(record, is_task))
        print_table(record,
                    "wake: a task on another core, waited for asleep (block) or awake (poll).",
                    is_task, COLUMNS(columns), task_row);
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
    cell_note(t, row);
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
    if (!any_row(record, is_beside))
        return;
    print_table(record, "contention: what an engine keeps of its rate while another one works.",
                is_beside, COLUMNS(beside), beside_row);
    print_table(
        record,
        "What both reach together, of the sum of what they reach alone. \"adds up\": 95 % or "
        "more, by\nthe whole interval. \"shared ceiling\": less; what they share (memory, "
        "power, cores) is full, and\nan engine that is slower then is not idle.",
        is_pair, COLUMNS(pairs), pair_row);
}

/* The tensor's name comes from the file: it is shown so that a terminal takes no harm. */
static void print_weight(const yoke_identity *w)
{
    printf("weight   %s %zu x %zu (outputs x inputs), %s", format_name(w->format), w->n, w->k,
           number_bytes(w->bytes).text);
    if (!w->path[0]) {
        printf(", random, seed %llu\n", (unsigned long long)w->seed);
        return;
    }
    char *name = tensor_text(w->tensor, strlen(w->tensor));
    printf(", %s\n         %s of %s\n", w->kind, name ? name : "?", w->path);
    free(name);
}

static void print_heading(const yoke_record *record)
{
    print_weight(&record->artefact);
    if (record->host)
        printf("machine  %s, %zu threads (%s)\n", record->host->cpu, record->host->usable_threads,
               record->host->usable_reason);
    for (size_t i = 0; i < record->engine_count; i++)
        printf("engine   %s: %s\n", record->engines[i].specification,
               record->engines[i].info.description);
}

static void print_failures(const yoke_record *record)
{
    if (yoke_record_failed(record) > 0)
        printf("\n");
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        if (!row->failed)
            continue;
        printf("FAILED %s, %s, %s", row->suite, row->what, row->engine);
        if (row->m > 0)
            printf(", %zu x %zu x %zu", row->m, row->n, row->k);
        printf(": %s\n", row->reason);
    }
}

static void print_legend(const yoke_record *record)
{
    for (size_t i = 0; i < REMARKS; i++)
        if (any_row(record, remarks[i].applies))
            printf("%s: %s\n", remarks[i].word, remarks[i].meaning);
}

static void print_notes(const yoke_record *record)
{
    for (size_t i = 0; i < record->notes.count; i++)
        printf("note: %s\n", record->notes.texts[i]);
}

void bench_print(const yoke_record *record)
{
    print_heading(record);
    print_read(record);
    print_compute(record);
    print_dispatch(record);
    print_wake(record);
    print_contention(record);
    print_failures(record);
    printf("\n");
    print_legend(record);
    print_notes(record);
}
