#include "tune_print.h"

#include <stdio.h>

#include "cli.h"
#include "report/number.h"
#include "table.h"

static yoke_curve_key key_of(const tune_work *w, const yoke_tune_options *o, size_t engine)
{
    const yoke_matrix *matrix = yoke_artefact_matrix(w->artefact);
    return (yoke_curve_key){.engine = yoke_engine_specification(w->engines[engine]),
                            .format = matrix->format,
                            .k = matrix->cols,
                            .x_format = o->x_format,
                            .precision = o->precision};
}

static void print_point(table *t, const yoke_curve_key *key, const yoke_curve_point *p)
{
    size_t bytes = 0;
    yoke_format_bytes(key->format, p->n, key->k, &bytes, NULL);
    double operations = 2.0 * (double)p->m * (double)p->n * (double)key->k;
    table_cell(t, "%s", key->engine);
    table_cell(t, "%zu", p->m);
    table_cell(t, "%zu", p->n);
    table_cell(t, "%s", number_bytes(bytes).text);
    table_cell(t, "%zu", p->count);
    table_cell(t, "%s", number_time(p->median_ns).text);
    table_cell(t, "%s", number_percent(p->mad_ns / p->median_ns).text);
    table_cell(t, "%s", number_digits(operations / p->median_ns, 3).text);
    table_cell(t, "%s", number_digits(yoke_gbps((double)bytes, p->median_ns), 3).text);
    table_end_row(t);
}

static void print_curves(const tune_work *w, const yoke_tune_options *o)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT},   {"M", TABLE_NUMBER},       {"window N", TABLE_NUMBER},
        {"weight", TABLE_NUMBER}, {"samples", TABLE_NUMBER}, {"median", TABLE_NUMBER},
        {"+-", TABLE_NUMBER},     {"GFLOP/s", TABLE_NUMBER}, {"weight GB/s", TABLE_NUMBER}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return;
    for (size_t e = 0; e < w->count; e++) {
        yoke_curve_key key = key_of(w, o, e);
        yoke_curve_point point;
        for (size_t i = 0; yoke_profile_point_at(w->profile, &key, i, &point); i++)
            print_point(t, &key, &point);
    }
    printf("Each engine alone; +- is the median absolute deviation.\n");
    table_print(t, stdout, CLI_WIDTH);
    table_free(t);
}

static void print_slowdowns(const tune_work *w, const yoke_tune_options *o)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},
                                           {"M", TABLE_NUMBER},
                                           {"beside", TABLE_TEXT},
                                           {"takes", TABLE_NUMBER},
                                           {"keeps", TABLE_NUMBER}};
    table *t = w->count > 1 ? table_create(columns, sizeof columns / sizeof columns[0]) : NULL;
    bool any = false;
    if (!t)
        return;
    for (size_t e = 0; e < w->count; e++) {
        yoke_curve_key key = key_of(w, o, e);
        yoke_contention c;
        for (size_t i = 0; yoke_profile_contention_at(w->profile, &key, i, &c); i++) {
            table_cell(t, "%s", key.engine);
            table_cell(t, "%zu", c.m);
            table_cell(t, "%s", c.other);
            any = true;
            table_cell(t, "x%.3f", c.slowdown);
            table_cell(t, "%s", number_percent(1 / c.slowdown).text);
            table_end_row(t);
        }
    }
    if (any) {
        printf("\nBeside another engine: how much longer it takes, and what it keeps of its "
               "speed.\n");
        table_print(t, stdout, CLI_WIDTH);
    }
    table_free(t);
}

static void print_weight(const tune_work *w)
{
    const yoke_identity *identity = yoke_artefact_identity(w->artefact);
    printf("weight   %s %zu x %zu (outputs x inputs), %s\n",
           yoke_format_get(identity->format)->name, identity->n, identity->k,
           number_bytes(identity->bytes).text);
    for (size_t i = 0; i < w->count; i++)
        printf("engine   %s: %s\n", yoke_engine_specification(w->engines[i]),
               yoke_engine_describe(w->engines[i])->description);
    printf("\n");
}

void tune_print(const tune_work *w, const yoke_tune_options *options)
{
    print_weight(w);
    print_curves(w, options);
    print_slowdowns(w, options);
}
