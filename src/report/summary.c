/* The few figures that most readers come for. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/html.h"
#include "report/section.h"

static void tile(const page *p, const char *label, double value, const char *unit,
                 const char *detail)
{
    fputs("<div class=\"tile\"><dt>", p->out);
    html_text(p->out, label);
    fputs("</dt><dd><strong>", p->out);
    html_number(p->out, value, 3);
    fputs(" <small>", p->out);
    html_text(p->out, unit);
    fputs("</small></strong> <span>", p->out);
    html_text(p->out, detail);
    fputs("</span></dd></div>\n", p->out);
}

/* The row of a suite and case that has the largest figure; NULL when none has one. */
static const yoke_record_row *largest(const page *p, const char *suite, const char *what,
                                      double (*figure)(const yoke_record_row *))
{
    const yoke_record_row *row, *best = NULL;
    for (size_t at = 0; (row = find_next(p->record, suite, what, &at));)
        if (isfinite(figure(row)) && (!best || figure(row) > figure(best)))
            best = row;
    return best;
}

static double bandwidth(const yoke_record_row *row)
{
    return row->slope_gbps;
}

static double rate(const yoke_record_row *row)
{
    return row->tflops;
}

static double quickness(const yoke_record_row *row)
{
    return 1 / row->time.median;
}

static double gain(const yoke_record_row *row)
{
    return row->best_single_ns / row->time.median;
}

static void tiles(const page *p)
{
    char detail[256];
    const yoke_record_row *row = largest(p, "read", "size", bandwidth);
    if (row) {
        snprintf(detail, sizeof detail, "weights read by %s at M = 1, slope", row->engine);
        tile(p, "Bandwidth", row->slope_gbps, "GB/s", detail);
    }
    row = largest(p, "compute", "m", rate);
    if (row) {
        snprintf(detail, sizeof detail, "by %s at M = %zu", row->engine, row->m);
        tile(p, "Arithmetic", row->tflops, "TFLOP/s", detail);
    }
    row = largest(p, "dispatch", "call", quickness);
    if (row) {
        snprintf(detail, sizeof detail, "by %s with next to nothing to compute", row->engine);
        tile(p, "Cost of a call", row->time.median / 1e3, "\u00b5s", detail);
    }
    row = largest(p, "split", "split", gain);
    if (row) {
        snprintf(detail, sizeof detail, "the speed of the best single engine, %s, at M = %zu",
                 row->best_single, row->m);
        tile(p, "Best split", gain(row), "times", detail);
    }
}

static void failures(const page *p)
{
    size_t failed = yoke_record_failed(p->record);
    if (failed == 0)
        return;
    fprintf(p->out,
            "<p class=\"alarm\"><strong>FAILED</strong>: %zu of %zu rows have no figure. <a "
            "href=\"#r%zu-failed\">Which, and why</a></p>\n",
            failed, p->record->row_count, p->number);
}

/* The engine "fake" follows a script, for tests. */
static void simulations(const page *p)
{
    for (size_t i = 0; i < p->record->engine_count; i++)
        if (strcmp(p->record->engines[i].info.name, "fake") == 0) {
            fputs("<p class=\"alarm\"><strong>Simulated</strong>: ", p->out);
            html_format(p->out, "%s follows a script. Its figures are of no machine.",
                        p->record->engines[i].specification);
            fputs("</p>\n", p->out);
        }
}

void section_summary(const page *p)
{
    simulations(p);
    failures(p);
    fputs("<dl class=\"tiles\">\n", p->out);
    tiles(p);
    fputs("</dl>\n", p->out);
}
