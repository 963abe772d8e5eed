/* What came out, as tables for people. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "matmul.h"
#include "report/number.h"
#include "table.h"

static void print_product(const matmul_product *p)
{
    printf("y = x * w^T: x %zu x %zu %s, w %zu x %zu %s (%s), seed %llu\n\n", p->x.rows, p->x.cols,
           yoke_format_get(p->x.format)->name, p->w.rows, p->w.cols,
           yoke_format_get(p->w.format)->name, number_bytes(yoke_matrix_bytes(&p->w)).text,
           (unsigned long long)p->seed);
}

static void add_rates(table *t, const matmul_entry *e)
{
    const yoke_matrix *w = &e->of->w;
    double median = matmul_median(e);
    double operations = 2.0 * (double)e->of->x.rows * (double)w->rows * (double)w->cols;
    table_cell(t, "%s", number_time(median).text);
    table_cell(t, "%zu", e->series.count);
    table_cell(t, "%s", number_digits(operations / median, 3).text);
    table_cell(t, "%s", number_digits(yoke_gbps((double)yoke_matrix_bytes(w), median), 3).text);
}

static void add_entry(table *t, const matmul_entry *e)
{
    bool failed = e->failure.status != YOKE_OK;
    table_cell(t, "%s", e->name);
    if (failed) {
        for (int i = 0; i < 4; i++)
            table_cell(t, "-");
    } else {
        add_rates(t, e);
    }
    table_cell(t, "%s", e->weight ? yoke_format_get(e->report.format)->name : "");
    table_cell(t, "%s", e->path ? e->path : "");
    table_cell(t, "%s", failed ? "FAILED" : yoke_verdict_name(e->checked.verdict));
    table_end_row(t);
}

static bool print_entries(const matmul *all)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},        {"median", TABLE_NUMBER},
                                           {"runs", TABLE_NUMBER},        {"GFLOP/s", TABLE_NUMBER},
                                           {"weight GB/s", TABLE_NUMBER}, {"kept as", TABLE_TEXT},
                                           {"path", TABLE_TEXT},          {"check", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    for (size_t i = 0; i < all->count; i++)
        add_entry(t, &all->entries[i]);
    bool ok = table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

static void add_part(table *t, const matmul *all, const yoke_run_part *part)
{
    const yoke_run *run = &all->split->run;
    const matmul_product *p = &all->product;
    size_t whole = run->axis == YOKE_AXIS_M ? p->x.rows : p->w.rows;
    table_cell(t, "%s", all->entries[part->engine].name);
    table_cell(t, "%zu", part->begin);
    table_cell(t, "%zu", part->count);
    table_cell(t, "%s", number_percent((double)part->count / (double)whole).text);
    table_cell(t, "%s", number_time(part->predicted_ns).text);
    table_cell(t, "%s", number_time((double)(part->timing.done_ns - part->timing.submit_ns)).text);
    table_cell(t, "%s", part->timing.path ? part->timing.path : "");
    table_end_row(t);
}

static bool print_windows(const matmul *all)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},      {"begin", TABLE_NUMBER},
                                           {"count", TABLE_NUMBER},     {"share", TABLE_NUMBER},
                                           {"predicted", TABLE_NUMBER}, {"took last", TABLE_NUMBER},
                                           {"path", TABLE_TEXT}};
    const yoke_run *run = &all->split->run;
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    for (size_t i = 0; i < run->part_count; i++)
        add_part(t, all, &run->parts[i]);
    printf("\nwindows along %s%s:\n",
           run->axis == YOKE_AXIS_M ? "M, rows of x and y" : "N, outputs",
           run->part_count < 2 ? "; a split would not pay, or not by enough" : "");
    bool ok = table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

static void print_figures(const matmul *all)
{
    matmul_figures f = matmul_figure(all);
    const yoke_run *run = &all->split->run;
    printf("\nbest single  %s, %s\n", number_time(f.best_single_ns).text,
           isnan(f.best_single_ns) ? "none" : all->entries[f.best_single].name);
    printf("ideal        %s, the sum of the rates alone%s\n", number_time(f.ideal_ns).text,
           f.contended ? ", slowed as the profile says they slow each other"
                       : "; no slowdown side by side is known");
    printf("reached      %s, predicted %s\n", number_time(f.reached_ns).text,
           number_time(run->predicted_ns).text);
    printf("efficiency   %s of the ideal; x%s of the best single\n",
           number_percent(f.efficiency).text,
           number_digits(f.best_single_ns / f.reached_ns, 3).text);
    printf("copied       %s of x and y in a product\n", number_bytes(run->copied_bytes).text);
    if (run->note[0])
        printf("note         %s\n", run->note);
}

yoke_status matmul_print(const matmul *all, yoke_error *err)
{
    print_product(&all->product);
    bool ok = print_entries(all);
    if (ok && all->split && all->split->failure.status == YOKE_OK) {
        ok = print_windows(all);
        print_figures(all);
    }
    return ok ? YOKE_OK : yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the table");
}
