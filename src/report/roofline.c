/* The roofline: measured rates under the two limits of the machine, both measured too. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/plot.h"
#include "report/section.h"
#include "report/table.h"

/* What bounds one engine. NaN: not known. */
typedef struct roof {
    double gbps, tflops;
    double least, most; /* operations per byte, of its rows */
} roof;

/* Operations for each byte of weight that is read. */
static double intensity(const yoke_record_row *row)
{
    return 2.0 * (double)row->m * (double)row->n * (double)row->k / (double)row->bytes;
}

/* Rows of the sweep that have a rate; NULL past the last. */
static const yoke_record_row *next_rate(const page *p, const char *engine, size_t *at)
{
    const yoke_record_row *row;
    while ((row = find_next(p->record, "compute", "m", at)))
        if (strcmp(row->engine, engine) == 0 && isfinite(row->tflops) && row->bytes > 0)
            return row;
    return NULL;
}

static roof roof_of(const page *p, const char *engine)
{
    roof r = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const yoke_record_row *row, *fit = find_fit(p->record, engine);
    if (fit)
        r.gbps = fit->limit_gbps;
    for (size_t at = 0; (row = next_rate(p, engine, &at));) {
        r.tflops = fmax(r.tflops, row->limit_tflops); /* passes over NaN */
        r.least = fmin(r.least, intensity(row));
        r.most = fmax(r.most, intensity(row));
    }
    return r;
}

/* 10^12 operations a second at so many per byte. */
static double bound(const roof *r, double at)
{
    return fmin(r->tflops, at * r->gbps * 1e-3);
}

static void plot_engine(const page *p, plot *to, const char *engine)
{
    char name[192];
    const yoke_record_row *row;
    size_t subject = find_engine(p->record, engine);
    roof r = roof_of(p, engine);
    double ridge = r.tflops * 1e3 / r.gbps;
    snprintf(name, sizeof name, "%s, measured", engine);
    plot_series(to, name, subject, PLOT_POINTS);
    for (size_t at = 0; (row = next_rate(p, engine, &at));)
        plot_point(to, intensity(row), row->tflops);
    if (!isfinite(ridge))
        return;
    snprintf(name, sizeof name, "%s, roof", engine);
    plot_series(to, name, subject, PLOT_LINE);
    plot_point(to, r.least, bound(&r, r.least));
    if (ridge > r.least && ridge < r.most)
        plot_point(to, ridge, r.tflops);
    plot_point(to, r.most, bound(&r, r.most));
}

static void limits(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},
                                           {"Plain read", "GB/s"},
                                           {"Register peak", "TFLOP/s"},
                                           {"They meet at", "operations per byte"}};
    const yoke_record_row *row;
    table_begin(p->out, "The roof", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));) {
        if (!find_first_of_engine(p->record, at))
            continue;
        roof r = roof_of(p, row->engine);
        table_row(p->out, row->engine);
        table_number(p->out, r.gbps, 3);
        table_number(p->out, r.tflops, 3);
        table_number(p->out, r.tflops * 1e3 / r.gbps, 3);
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void points(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL},    {"M", ""},           {"Operations per byte", ""},
        {"Rate", "TFLOP/s"}, {"Roof", "TFLOP/s"}, {"Of the roof", ""}};
    const yoke_record_row *row;
    table_begin(p->out, "Under the roof", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));) {
        if (row->failed || row->bytes == 0)
            continue;
        roof r = roof_of(p, row->engine);
        double most =
            isfinite(r.gbps) && isfinite(r.tflops) ? bound(&r, intensity(row)) : (double)NAN;
        table_row(p->out, row->engine);
        table_size(p->out, row->m);
        table_number(p->out, intensity(row), 3);
        table_number(p->out, row->tflops, 3);
        table_number(p->out, most, 3);
        table_percent(p->out, row->tflops / most);
        table_row_end(p->out);
    }
    table_end(p->out);
}

void section_roofline(const page *p)
{
    const yoke_record_row *row;
    if (!find_any(p->record, "compute", "m"))
        return;
    section_begin(p, "roofline", "Roofline",
                  "Two limits bound every product: to the left the bandwidth of the memory, to the "
                  "right the peak of the arithmetic. Both were measured in the same run by the "
                  "engine's own threads. How far a point lies below its roof is what could still "
                  "be won; one above it was taken while the machine was faster than when the limit "
                  "was.");
    plot to = plot_begin(p->out, "Rate over operations per byte, under the machine's limits",
                         (plot_axis){"operations per byte of weight", PLOT_LOG10},
                         (plot_axis){"TFLOP/s", PLOT_LOG10});
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));)
        if (find_first_of_engine(p->record, at))
            plot_engine(p, &to, row->engine);
    plot_end(&to, "Points: products of the M sweep. Line: the lower of bandwidth times operations "
                  "per byte, and peak.");
    limits(p);
    points(p);
    section_end(p);
}
