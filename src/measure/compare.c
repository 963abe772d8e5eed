/* Pairs the rows of two records and judges each pair. */
#include "yoke/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "measure/compare_rows.h"
#include "measure/ratio.h"

const char *yoke_compared_name(yoke_compared verdict)
{
    static const char *const names[] = {"same", "faster", "slower", "not comparable"};
    return (size_t)verdict < sizeof names / sizeof names[0] ? names[verdict] : "unknown verdict";
}

/* What is being compared. */
typedef struct work {
    const yoke_record *a, *b;
    bool *taken;   /* rows of B that have theirs in A */
    size_t after;  /* where the last one was found: records are mostly in the same order */
    char why[256]; /* no row of an engine is comparable; "" when they are */
    yoke_comparison *out;
} work;

/* Derived figures, as those of a window of a split. */
static bool is_untimed(const yoke_record_row *row)
{
    return !row->failed && row->samples.count == 0 && row->time.count == 0;
}

/* The row of B for one of A, the same work if that is asked for; NULL when there is none. */
static const yoke_record_row *find(work *w, const yoke_record_row *a, bool same_work)
{
    char why[256];
    for (size_t i = 0; i < w->b->row_count; i++) {
        size_t at = (w->after + i) % w->b->row_count;
        const yoke_record_row *b = w->b->rows[at];
        if (!w->taken[at] && !is_untimed(b) && rows_same_case(a, b) &&
            (!same_work || rows_same_work(a, b, why, sizeof why))) {
            w->taken[at] = true;
            w->after = at + 1;
            return b;
        }
    }
    return NULL;
}

static yoke_compared verdict_of(const yoke_compared_row *row, double threshold)
{
    if (row->low > 1 + threshold)
        return YOKE_COMPARED_SLOWER;
    return row->high < 1 / (1 + threshold) ? YOKE_COMPARED_FASTER : YOKE_COMPARED_SAME;
}

static bool is_comparable(const work *w, yoke_compared_row *row)
{
    if (!row->a || !row->b) {
        const yoke_record_row *there = row->a ? row->a : row->b;
        snprintf(row->reason, sizeof row->reason, "missing in %s%s%.200s", row->a ? "B" : "A",
                 there->failed ? ", failed in the other: " : "",
                 there->failed ? there->reason : "");
        return false;
    }
    /* Without an engine no weight takes part. */
    if (row->a->engine[0] && w->why[0]) {
        memcpy(row->reason, w->why, sizeof row->reason);
        return false;
    }
    return rows_same_work(row->a, row->b, row->reason, sizeof row->reason) &&
           rows_sound(row->a, row->b, row->reason, sizeof row->reason);
}

static yoke_status note(const work *w, const char *what, const char *a, const char *b,
                        yoke_error *err)
{
    if (strcmp(a, b) == 0)
        return YOKE_OK;
    return yoke_record_add_text(&w->out->notes, err, "other %s: %s, %s", what, *a ? a : "not known",
                                *b ? b : "not known");
}

static yoke_status judge(const work *w, yoke_compared_row *row, yoke_error *err)
{
    row->ratio = row->low = row->high = NAN;
    row->verdict = YOKE_COMPARED_NOT;
    if (!is_comparable(w, row))
        return YOKE_OK;
    ratio found;
    yoke_status status =
        ratio_of_medians(row->a->samples.samples_ns, row->a->samples.count,
                         row->b->samples.samples_ns, row->b->samples.count, &found, err);
    if (status != YOKE_OK)
        return status;
    row->ratio = found.value;
    row->low = found.low;
    row->high = found.high;
    row->verdict = verdict_of(row, w->out->threshold);
    char what[160];
    snprintf(what, sizeof what, "path of %s", row->a->engine);
    return note(w, what, row->a->path, row->b->path, err);
}

/* The rows of A with those of B that did the same work, then with what else is the same case, so
 * that its difference can be named; then what only B has. */
static yoke_status compare_rows(work *w, yoke_error *err)
{
    yoke_comparison *out = w->out;
    for (size_t i = 0; i < w->a->row_count; i++) {
        const yoke_record_row *a = w->a->rows[i];
        if (is_untimed(a))
            out->untimed++;
        else
            out->rows[out->row_count++] = (yoke_compared_row){.a = a, .b = find(w, a, true)};
    }
    for (size_t i = 0; i < out->row_count; i++)
        if (!out->rows[i].b)
            out->rows[i].b = find(w, out->rows[i].a, false);
    for (size_t i = 0; i < w->b->row_count; i++) {
        if (!w->taken[i] && !is_untimed(w->b->rows[i]))
            out->rows[out->row_count++] = (yoke_compared_row){.b = w->b->rows[i]};
    }
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < out->row_count && status == YOKE_OK; i++)
        status = judge(w, &out->rows[i], err);
    return status;
}

static const char *version_of(const yoke_record *record)
{
    for (size_t i = 0; i < record->versions.count; i++)
        if (strncmp(record->versions.texts[i], "yoke=", 5) == 0)
            return record->versions.texts[i] + 5;
    return "";
}

static yoke_status note_hosts(work *w, yoke_error *err)
{
    static const yoke_host unknown;
    const yoke_host *a = w->a->host ? w->a->host : &unknown,
                    *b = w->b->host ? w->b->host : &unknown;
    yoke_status status = note(w, "processor", a->cpu, b->cpu, err);
    if (status == YOKE_OK)
        status = note(w, "system", a->os, b->os, err);
    if (status == YOKE_OK)
        status = note(w, "version of yoke", version_of(w->a), version_of(w->b), err);
    return status;
}

static yoke_status compare(work *w, yoke_error *err)
{
    size_t most;
    if (!size_add(w->a->row_count, w->b->row_count, &most))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: too many rows");
    w->out->rows = calloc(most + 1, sizeof *w->out->rows);
    w->taken = calloc(w->b->row_count + 1, sizeof *w->taken);
    if (!w->out->rows || !w->taken)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory for %zu rows", most);
    if (records_same_weight(w->a, w->b, w->why, sizeof w->why))
        records_same_method(w->a, w->b, w->why, sizeof w->why);
    yoke_status status = note_hosts(w, err);
    return status == YOKE_OK ? compare_rows(w, err) : status;
}

yoke_status yoke_compare(const yoke_record *a, const yoke_record *b, double threshold,
                         yoke_comparison **comparison, yoke_error *err)
{
    *comparison = NULL;
    if (!(threshold >= 0) || isinf(threshold))
        return yoke_error_set(err, YOKE_ERR_USAGE, "compare: the threshold is %g", threshold);
    work w = {.a = a, .b = b, .out = calloc(1, sizeof *w.out)};
    if (!w.out)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory");
    w.out->threshold = threshold;
    yoke_status status = compare(&w, err);
    free(w.taken);
    if (status == YOKE_OK)
        *comparison = w.out;
    else
        yoke_comparison_free(w.out);
    return status;
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
