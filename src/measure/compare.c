/* Judges the cases of two records, or of several on a side. */
#include "yoke/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "measure/compare_cases.h"
#include "measure/compare_runs.h"
#include "measure/ratio.h"

const char *yoke_compared_name(yoke_compared verdict)
{
    static const char *const names[] = {"same", "faster", "slower", "not comparable"};
    return (size_t)verdict < sizeof names / sizeof names[0] ? names[verdict] : "unknown verdict";
}

/* What is being compared. */
typedef struct work {
    compare_runs runs;
    compare_cases cases;
    double *medians; /* room for one of each run */
    char why[320];   /* no row of an engine is comparable; "" when they are */
    yoke_comparison *out;
} work;

static yoke_compared verdict_of(const ratio *found, double threshold)
{
    if (found->low > 1 + threshold)
        return YOKE_COMPARED_SLOWER;
    return found->high < 1 / (1 + threshold) ? YOKE_COMPARED_FASTER : YOKE_COMPARED_SAME;
}

static bool is_comparable(const work *w, case_rows rows, yoke_compared_row *row)
{
    /* Without an engine no weight takes part. */
    if (row->a && row->b && row->a->engine[0] && w->why[0]) {
        snprintf(row->reason, sizeof row->reason, "%.255s", w->why);
        return false;
    }
    return runs_sound(&w->runs, rows, row->reason, sizeof row->reason);
}

/* The median of one run; of several the geometric mean of theirs, whose ratio is judged. NaN when
 * a run has none. */
static double median_over(case_rows rows, size_t runs)
{
    double logs = 0;
    for (size_t i = 0; i < runs; i++) {
        if (!rows[i] || rows[i]->failed || rows[i]->time.count == 0)
            return NAN;
        logs += log(rows[i]->time.median);
    }
    return runs == 1 ? rows[0]->time.median : exp(logs / (double)runs);
}

/* Within two runs the samples tell how sure the ratio is; with more, how these differ. */
static yoke_status find_ratio(const work *w, case_rows rows, ratio *found, yoke_error *err)
{
    const compare_runs *runs = &w->runs;
    if (runs_are_single(runs))
        return ratio_of_medians(rows[0]->samples.samples_ns, rows[0]->samples.count,
                                rows[1]->samples.samples_ns, rows[1]->samples.count, found, err);
    for (size_t i = 0; i < runs->count; i++)
        w->medians[i] = rows[i]->time.median;
    *found = ratio_of_runs(w->medians, runs->a_count, w->medians + runs->a_count,
                           runs->count - runs->a_count);
    return YOKE_OK;
}

static yoke_status note(const work *w, const char *what, const char *a, const char *b,
                        yoke_error *err)
{
    if (strcmp(a, b) == 0)
        return YOKE_OK;
    return yoke_record_add_text(&w->out->notes, err, "other %s: %s, %s", what, *a ? a : "not known",
                                *b ? b : "not known");
}

static yoke_status note_paths(const work *w, case_rows rows, yoke_error *err)
{
    char what[160];
    yoke_status status = YOKE_OK;
    snprintf(what, sizeof what, "path of %s", rows[0]->engine);
    for (size_t i = 1; i < w->runs.count && status == YOKE_OK; i++)
        status = note(w, what, rows[0]->path, rows[i]->path, err);
    return status;
}

static yoke_status judge(const work *w, case_rows rows, yoke_compared_row *row, yoke_error *err)
{
    const size_t a_count = w->runs.a_count;
    *row = (yoke_compared_row){
        .a = runs_first_of_a(&w->runs, rows),
        .b = runs_first_of_b(&w->runs, rows),
        .a_median_ns = median_over(rows, a_count),
        .b_median_ns = median_over(rows + a_count, w->runs.count - a_count),
        .ratio = NAN,
        .low = NAN,
        .high = NAN,
        .verdict = YOKE_COMPARED_NOT,
    };
    if (!is_comparable(w, rows, row))
        return YOKE_OK;
    ratio found;
    yoke_status status = find_ratio(w, rows, &found, err);
    if (status != YOKE_OK)
        return status;
    row->ratio = found.value;
    row->low = found.low;
    row->high = found.high;
    row->verdict = verdict_of(&found, w->out->threshold);
    return note_paths(w, rows, err);
}

static const char *version_of(const yoke_record *record)
{
    for (size_t i = 0; i < record->versions.count; i++)
        if (strncmp(record->versions.texts[i], "yoke=", 5) == 0)
            return record->versions.texts[i] + 5;
    return "";
}

static yoke_status note_hosts(const work *w, const yoke_record *of_a, const yoke_record *of_b,
                              yoke_error *err)
{
    static const yoke_host unknown;
    const yoke_host *a = of_a->host ? of_a->host : &unknown,
                    *b = of_b->host ? of_b->host : &unknown;
    yoke_status status = note(w, "processor", a->cpu, b->cpu, err);
    if (status == YOKE_OK)
        status = note(w, "system", a->os, b->os, err);
    if (status == YOKE_OK)
        status = note(w, "version of yoke", version_of(of_a), version_of(of_b), err);
    return status;
}

static yoke_status judge_all(work *w, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 1; i < w->runs.count && status == YOKE_OK; i++)
        status = note_hosts(w, w->runs.records[0], w->runs.records[i], err);
    if (runs_alike(&w->runs, w->why, sizeof w->why))
        w->why[0] = '\0';
    w->out->untimed = w->cases.untimed;
    w->out->row_count = w->cases.count;
    for (size_t i = 0; i < w->cases.count && status == YOKE_OK; i++)
        status = judge(w, w->cases.rows + i * w->runs.count, &w->out->rows[i], err);
    return status;
}

static yoke_status make_room(work *w, yoke_error *err)
{
    w->out->rows = calloc(w->cases.count + 1, sizeof *w->out->rows);
    w->medians = calloc(w->runs.count, sizeof *w->medians);
    return w->out->rows && w->medians
               ? YOKE_OK
               : yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory for %zu rows",
                                w->cases.count);
}

static yoke_status compare(const compare_runs *runs, yoke_comparison *out, yoke_error *err)
{
    work w = {.runs = *runs, .out = out};
    yoke_status status = compare_cases_sort(runs->records, runs->count, &w.cases, err);
    if (status == YOKE_OK)
        status = make_room(&w, err);
    if (status == YOKE_OK)
        status = judge_all(&w, err);
    free(w.medians);
    compare_cases_free(&w.cases);
    return status;
}

static yoke_status check(size_t a_count, size_t b_count, double threshold, yoke_error *err)
{
    if (!(threshold >= 0) || isinf(threshold))
        return yoke_error_set(err, YOKE_ERR_USAGE, "compare: the threshold is %g", threshold);
    if (a_count == 0 || b_count == 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "compare: %s has no record",
                              a_count == 0 ? "A" : "B");
    return YOKE_OK;
}

yoke_status yoke_compare_runs(const yoke_record *const *a, size_t a_count,
                              const yoke_record *const *b, size_t b_count, double threshold,
                              yoke_comparison **comparison, yoke_error *err)
{
    *comparison = NULL;
    yoke_status status = check(a_count, b_count, threshold, err);
    if (status != YOKE_OK)
        return status;
    compare_runs runs = {.a_count = a_count};
    yoke_comparison *out = calloc(1, sizeof *out);
    if (out && size_add(a_count, b_count, &runs.count))
        runs.records = calloc(runs.count, sizeof *runs.records);
    if (runs.records) {
        memcpy(runs.records, a, a_count * sizeof *a);
        memcpy(runs.records + a_count, b, b_count * sizeof *b);
        out->threshold = threshold;
        status = compare(&runs, out, err);
    } else {
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory");
    }
    free(runs.records);
    if (status == YOKE_OK)
        *comparison = out;
    else
        yoke_comparison_free(out);
    return status;
}

yoke_status yoke_compare(const yoke_record *a, const yoke_record *b, double threshold,
                         yoke_comparison **comparison, yoke_error *err)
{
    return yoke_compare_runs(&a, 1, &b, 1, threshold, comparison, err);
}

void yoke_comparison_free(yoke_comparison *comparison)
{
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->notes.count; i++)
        free(comparison->notes.texts[i]);
    free(comparison->notes.texts);
    free(comparison->rows);
    free(comparison);
}

size_t yoke_comparison_count(const yoke_comparison *comparison, yoke_compared verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->row_count; i++)
        count += comparison->rows[i].verdict == verdict;
    return count;
}
