/* The suite of the Neural Engine as a table. */
#include <math.h>
#include <string.h>

#include "bench_rows.h"
#include "bench_tables.h"
#include "report/number.h"

static bool is_ane(const yoke_record_row *row)
{
    return strcmp(row->suite, "ane") == 0 && (!isnan(row->tflops) || row->failed);
}

static void cell_shape(table *t, const yoke_record_row *row)
{
    if (row->m > 0)
        table_cell(t, "%zu x %zu x %zu", row->m, row->n, row->k);
    else
        table_cell(t, "%s", "");
}

static void ane_row(table *t, const yoke_record_row *row)
{
    table_cell(t, "%s", row->engine);
    table_cell(t, "%s", row->what);
    bench_cell_format(t, row);
    cell_shape(t, row);
    bench_cell_time(t, row->prepare_ns);
    bench_cell_time(t, row->time.median);
    bench_cell_rate(t, row->naive_gbps);
    bench_cell_rate(t, row->tflops);
    table_cell(t, "%s", row->placement);
    bench_cell_note(t, row);
    table_end_row(t);
}

void bench_print_ane(const yoke_record *record)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},      {"case", TABLE_TEXT},          {"format", TABLE_TEXT},
        {"M x N x K", TABLE_NUMBER}, {"prepared in", TABLE_NUMBER}, {"median", TABLE_NUMBER},
        {"GB/s", TABLE_NUMBER},      {"TFLOPS", TABLE_NUMBER},      {"placement", TABLE_TEXT},
        {"note", TABLE_TEXT}};
    if (bench_any_row(record, is_ane))
        bench_print_table(record,
                          "ane: chains of products in one program, sizes of weights and rows, int8 "
                          "beside f16, several weights in one program.",
                          is_ane, BENCH_COLUMNS(columns), ane_row);
}
