/* The M sweep: from reading to arithmetic. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/plot.h"
#include "report/section.h"
#include "report/table.h"

static void plot_rates(const page *p, plot *to, const char *engine, bool limit)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));)
        if (strcmp(row->engine, engine) == 0)
            plot_point(to, (double)row->m, limit ? row->limit_tflops : row->tflops);
}

static void draw(const page *p)
{
    char name[192];
    const yoke_record_row *row;
    plot to =
        plot_begin(p->out, "Rate of a product over the rows of x",
                   (plot_axis){"M, rows of x", PLOT_LOG2}, (plot_axis){"TFLOP/s", PLOT_LINEAR});
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));) {
        if (!find_first_of_engine(p->record, at))
            continue;
        size_t subject = find_engine(p->record, row->engine);
        snprintf(name, sizeof name, "%s, measured", row->engine);
        plot_series(&to, name, subject, PLOT_BOTH);
        plot_rates(p, &to, row->engine, false);
        if (!isfinite(row->limit_tflops))
            continue;
        snprintf(name, sizeof name, "%s, peak", row->engine);
        plot_series(&to, name, subject, PLOT_DASHED);
        plot_rates(p, &to, row->engine, true);
    }
    plot_end(&to, "Solid: the product. Dashed: the same arithmetic on registers alone, measured "
                  "before and after.");
}

static void turns(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL}, {"Turns at M", ""}, {"Predicted by the two limits", ""}};
    const yoke_record_row *row;
    table_begin(p->out, "Where reading ends and arithmetic begins", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));) {
        if (!find_first_of_engine(p->record, at))
            continue;
        table_row(p->out, row->engine);
        table_number(p->out, row->turn_m, 2);
        table_number(p->out, row->turn_m_predicted, 2);
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void sweep(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL},      {"M", ""},           {"Samples", ""},
        {"Median time", "ms"}, {"Rate", "TFLOP/s"}, {"Peak", "TFLOP/s"},
        {"Of the peak", ""},   {"Answer", NULL},    {"Remark", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "The M sweep", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "compute", "m", &at));) {
        table_row(p->out, row->engine);
        table_size(p->out, row->m);
        if (row->failed) {
            table_failed(p->out, 7, row->reason);
        } else {
            table_size(p->out, row->samples.count);
            table_number(p->out, row->time.median / 1e6, 3);
            table_number(p->out, row->tflops, 3);
            table_number(p->out, row->limit_tflops, 3);
            table_percent(p->out, row->fraction_of_limit);
            table_text(p->out, row->check);
            table_text(p->out, section_remark(row));
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void padding(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},
                                           {"M", ""},
                                           {"K", ""},
                                           {"Median time", "\u00b5s"},
                                           {"Costs more per column", ""}};
    const yoke_record_row *row;
    if (!find_any(p->record, "compute", "k padding"))
        return;
    table_begin(p->out, "What a K that is not round costs", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "compute", "k padding", &at));) {
        table_row(p->out, row->engine);
        table_size(p->out, row->m);
        table_size(p->out, row->k);
        if (row->failed) {
            table_failed(p->out, 2, row->reason);
        } else {
            table_number(p->out, row->time.median / 1e3, 4);
            if (isfinite(row->k_padding_cost))
                table_percent(p->out, row->k_padding_cost);
            else
                fputs("<td class=\"n none\">the round one</td>", p->out);
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

void section_compute(const page *p)
{
    if (!find_any(p->record, "compute", "m"))
        return;
    section_begin(p, "compute", "The M sweep",
                  "More rows of x make more of every byte that is read, until arithmetic is the "
                  "limit. Below the turning point another row is nearly free; above it twice the "
                  "rows take twice the time.");
    draw(p);
    turns(p);
    sweep(p);
    padding(p);
    section_end(p);
}
