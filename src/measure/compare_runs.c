#include "measure/compare_runs.h"

#include <stdio.h>

#include "measure/compare_rows.h"

bool runs_are_single(const compare_runs *runs)
{
    return runs->count == 2;
}

static const yoke_record_row *first_between(case_rows rows, size_t begin, size_t end)
{
    while (begin < end && !rows[begin])
        begin++;
    return begin < end ? rows[begin] : NULL;
}

const yoke_record_row *runs_first_of_a(const compare_runs *runs, case_rows rows)
{
    return first_between(rows, 0, runs->a_count);
}

const yoke_record_row *runs_first_of_b(const compare_runs *runs, case_rows rows)
{
    return first_between(rows, runs->a_count, runs->count);
}

typedef struct run_name {
    char text[48];
} run_name;

/* "B", or "run 2 of B" where there are several. */
static run_name name_of(const compare_runs *runs, size_t run)
{
    run_name name;
    const bool in_b = run >= runs->a_count;
    const char side = in_b ? 'B' : 'A';
    const size_t first = in_b ? runs->a_count : 0;
    if ((in_b ? runs->count - first : runs->a_count) == 1)
        snprintf(name.text, sizeof name.text, "%c", side);
    else
        snprintf(name.text, sizeof name.text, "run %zu of %c", run - first + 1, side);
    return name;
}

bool runs_alike(const compare_runs *runs, char *why, size_t why_bytes)
{
    char what[256];
    for (size_t i = 1; i < runs->count; i++) {
        if (records_same_weight(runs->records[0], runs->records[i], what, sizeof what) &&
            records_same_method(runs->records[0], runs->records[i], what, sizeof what))
            continue;
        if (runs_are_single(runs))
            snprintf(why, why_bytes, "%s", what);
        else
            snprintf(why, why_bytes, "%s, %s", what, name_of(runs, i).text);
        return false;
    }
    return true;
}

static bool is_complete(const compare_runs *runs, case_rows rows, char *why, size_t why_bytes)
{
    const yoke_record_row *a = runs_first_of_a(runs, rows), *b = runs_first_of_b(runs, rows);
    const yoke_record_row *there = a ? a : b;
    for (size_t i = 0; i < runs->count; i++) {
        if (rows[i])
            continue;
        const run_name name = name_of(runs, i);
        const char *side = !a ? "A" : !b ? "B" : name.text;
        snprintf(why, why_bytes, "missing in %s%s%.180s", side,
                 there->failed ? ", failed in the other: " : "",
                 there->failed ? there->reason : "");
        return false;
    }
    return true;
}

static bool is_sound(const compare_runs *runs, case_rows rows, size_t run, char *why,
                     size_t why_bytes)
{
    run_name name = name_of(runs, run);
    return row_sound(name.text, rows[run], why, why_bytes) &&
           (!runs_are_single(runs) || row_steady(name.text, rows[run], why, why_bytes));
}

static bool read_alike(const compare_runs *runs, case_rows rows, size_t run, char *why,
                       size_t why_bytes)
{
    if (rows[run]->cached == rows[0]->cached)
        return true;
    const size_t cached = rows[0]->cached ? 0 : run;
    snprintf(why, why_bytes, "%s reads a weight from the caches, %s from memory",
             name_of(runs, cached).text, name_of(runs, cached == 0 ? run : 0).text);
    return false;
}

bool runs_sound(const compare_runs *runs, case_rows rows, char *why, size_t why_bytes)
{
    if (!is_complete(runs, rows, why, why_bytes))
        return false;
    for (size_t i = 1; i < runs->count; i++)
        if (!rows_same_work(rows[0], rows[i], why, why_bytes))
            return false;
    for (size_t i = 0; i < runs->count; i++)
        if (!is_sound(runs, rows, i, why, why_bytes))
            return false;
    for (size_t i = 1; i < runs->count; i++)
        if (!read_alike(runs, rows, i, why, why_bytes))
            return false;
    return true;
}
