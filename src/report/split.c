/* The split against the best single engine. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/section.h"
#include "report/table.h"

#define MS 1e6

static void bar_row(const page *p, const char *what, const char *who, double ns, double longest)
{
    table_row(p->out, what);
    table_text(p->out, who);
    table_number(p->out, ns / MS, 3);
    table_bar(p->out, ns / longest);
    table_row_end(p->out);
}

static double longest_single(const page *p, size_t m)
{
    double ns = 0;
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "split", "single", &at));)
        if (row->m == m)
            ns = fmax(ns, row->time.median);
    return ns;
}

static void singles(const page *p, size_t m, double longest)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "split", "single", &at));) {
        if (row->m != m)
            continue;
        if (!row->failed) {
            bar_row(p, "alone", row->engine, row->time.median, longest);
            continue;
        }
        table_row(p->out, "alone");
        table_text(p->out, row->engine);
        table_failed(p->out, 2, row->reason);
        table_row_end(p->out);
    }
}

static void times(const page *p, const yoke_record_row *split)
{
    static const table_column columns[] = {
        {"What", NULL}, {"Engine", NULL}, {"Median time", "ms"}, {"", NULL}};
    char caption[128];
    double longest = fmax(longest_single(p, split->m), split->time.median);
    snprintf(caption, sizeof caption,
             "One product of %zu \u00d7 %zu \u00d7 %zu (M \u00d7 N \u00d7 K)", split->m, split->n,
             split->k);
    table_begin(p->out, caption, TABLE_COLUMNS(columns));
    singles(p, split->m, longest);
    bar_row(p, "split, ideal", "computed", split->ideal_ns, longest);
    if (split->failed) {
        table_row(p->out, "split, reached");
        table_failed(p->out, 3, split->reason);
        table_row_end(p->out);
    } else {
        bar_row(p, "split, reached", "all", split->time.median, longest);
    }
    table_end(p->out);
}

static void gains(const page *p)
{
    static const table_column columns[] = {
        {"M", NULL},       {"Best single", NULL}, {"Its time", "ms"}, {"Ideal", "ms"},
        {"Reached", "ms"}, {"Predicted", "ms"},   {"Efficiency", ""}, {"Times as fast", ""},
        {"Answer", NULL},  {"Remark", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "The split against the best single engine", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "split", "split", &at));) {
        char m[24];
        snprintf(m, sizeof m, "%zu", row->m);
        table_row(p->out, m);
        if (row->failed) {
            table_failed(p->out, 9, row->reason);
        } else {
            table_text(p->out, row->best_single);
            table_number(p->out, row->best_single_ns / MS, 3);
            table_number(p->out, row->ideal_ns / MS, 3);
            table_number(p->out, row->time.median / MS, 3);
            table_number(p->out, row->predicted_ns / MS, 3);
            table_percent(p->out, row->efficiency);
            table_number(p->out, row->best_single_ns / row->time.median, 3);
            table_text(p->out, row->check);
            table_text(p->out, section_remark(row));
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void windows(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL},     {"M", ""},       {"N", ""}, {"Share", ""}, {"Predicted", "ms"},
        {"Took, once", "ms"}, {"Answer", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "Windows: who computed what. A single one is no split",
                TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "split", "window", &at));) {
        table_row(p->out, row->engine);
        table_size(p->out, row->m);
        table_size(p->out, row->n);
        if (row->failed) {
            table_failed(p->out, 4, row->reason);
        } else {
            table_percent(p->out, row->share);
            table_number(p->out, row->predicted_ns / MS, 3);
            table_number(p->out, row->window_ns / MS, 3);
            table_text(p->out, row->check);
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

void section_split(const page *p)
{
    const yoke_record_row *row;
    if (!find_any(p->record, "split", "split"))
        return;
    section_begin(p, "split", "The split against the best single engine",
                  "One product shared by all engines, each computing a window of it, in turns with "
                  "each engine alone. Ideal is computed: the work over the sum of the rates alone, "
                  "slowed as the engines were seen to slow each other. Efficiency is ideal over "
                  "reached. Where no split is predicted to win, the best engine computes all.");
    gains(p);
    for (size_t at = 0; (row = find_next(p->record, "split", "split", &at));)
        times(p, row);
    if (find_any(p->record, "split", "window"))
        windows(p);
    section_end(p);
}
