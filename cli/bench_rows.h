/* What the tables of a bench share: which rows, and how a cell of them is shown. */
#ifndef CLI_BENCH_ROWS_H
#define CLI_BENCH_ROWS_H

#include "table.h"
#include "yoke/record.h"

typedef bool bench_filter(const yoke_record_row *row);
typedef void bench_row_printer(table *t, const yoke_record_row *row);

bool bench_row_is(const yoke_record_row *row, const char *suite, const char *what);
bool bench_row_is_read(const yoke_record_row *row);
bool bench_row_is_m(const yoke_record_row *row);
bool bench_any_row(const yoke_record *record, bench_filter *wanted);

const char *bench_format_name(yoke_format format);

void bench_cell_time(table *t, double ns);
void bench_cell_rate(table *t, double value);
void bench_cell_percent(table *t, double fraction);
void bench_cell_format(table *t, const yoke_record_row *row); /* given > its own, if it converts */
void bench_cell_note(table *t, const yoke_record_row *row);   /* "FAILED", or what to know of it */

/* Prints the wanted rows under a title. */
void bench_print_table(const yoke_record *record, const char *title, bench_filter *wanted,
                       const table_column *columns, size_t column_count,
                       bench_row_printer *print_row);

#define BENCH_COLUMNS(columns) columns, sizeof columns / sizeof *columns

/* What the words of the notes mean. */
void bench_print_legend(const yoke_record *record);

#endif
