/* What the parts of yoke compare share. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "records.h"
#include "yoke/compare.h"

/* What is compared, and what it is called: A, B. Each has one record or, of several runs, more. */
typedef struct compare_sides {
    const char *names[2];
    records runs[2];
} compare_sides;

/* Rows that failed in B, in all of its runs. */
size_t compare_failed(const compare_sides *sides);

/* Has a side several runs? */
bool compare_has_runs(const compare_sides *sides);

/* How many rows are the same, though a change beyond the threshold lies within their interval. */
size_t compare_hidden(const yoke_comparison *c);

/* Tables for people. Errors: YOKE_ERR_MEMORY. */
yoke_status compare_print(const compare_sides *sides, const yoke_comparison *c, yoke_error *err);

/* Errors: those of json_out_write. */
yoke_status compare_write_json(const compare_sides *sides, const yoke_comparison *c,
                               const char *path, yoke_error *err);

#endif
