/* How fast weights stream: the measured sizes and the line through them. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/plot.h"
#include "report/section.h"
#include "report/table.h"

#define MEGABYTE 1e6
#define MS       1e6

/* The measured medians of one engine, and its line from no bytes to the largest size. */
static void plot_engine(const page *p, plot *to, const char *engine)
{
    char name[192];
    const yoke_record_row *row, *fit = find_fit(p->record, engine);
    size_t subject = find_engine(p->record, engine);
    double most = 0;
    snprintf(name, sizeof name, "%s, measured", engine);
    plot_series(to, name, subject, PLOT_POINTS);
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));)
        if (strcmp(row->engine, engine) == 0 && row->time.count > 0 && !row->failed) {
            plot_point(to, (double)row->bytes / MEGABYTE, row->time.median / MS);
            most = fmax(most, (double)row->bytes);
        }
    if (!fit)
        return;
    snprintf(name, sizeof name, "%s, fit", engine);
    plot_series(to, name, subject, PLOT_LINE);
    plot_point(to, 0, fit->fixed_ns / MS);
    plot_point(to, most / MEGABYTE, (fit->fixed_ns + most / fit->slope_gbps) / MS);
}

static void draw(const page *p)
{
    const yoke_record_row *row;
    plot to = plot_begin(p->out, "Time of a product over the bytes of weight it reads",
                         (plot_axis){"bytes read, MB", PLOT_LINEAR},
                         (plot_axis){"time, ms", PLOT_LINEAR});
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));)
        if (find_first_of_engine(p->record, at))
            plot_engine(p, &to, row->engine);
    plot_end(&to, "Points: median times. Line: fixed cost + bytes / bandwidth. Where it meets the "
                  "left edge is what a call costs; how flat it is, the bandwidth.");
}

static void fits(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},       {"Bandwidth, slope", "GB/s"},
                                           {"\u00b1", "GB/s"},     {"Fixed cost", "\u00b5s"},
                                           {"\u00b1", "\u00b5s"},  {"Residual", ""},
                                           {"Plain read", "GB/s"}, {"Of plain read", ""}};
    const yoke_record_row *row;
    table_begin(p->out, "The line through the sizes", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));) {
        const yoke_record_row *fit = find_fit(p->record, row->engine);
        if (!find_first_of_engine(p->record, at))
            continue;
        table_row(p->out, row->engine);
        if (fit) {
            table_number(p->out, fit->slope_gbps, 3);
            table_number(p->out, fit->slope_error_gbps, 2);
            table_number(p->out, fit->fixed_ns / 1e3, 3);
            table_number(p->out, fit->fixed_error_ns / 1e3, 2);
            table_percent(p->out, fit->fit_residual);
            table_number(p->out, fit->limit_gbps, 3);
            table_percent(p->out, fit->fraction_of_limit);
        } else {
            fputs("<td colspan=\"7\">no fit: too few sizes beyond the caches</td>", p->out);
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void sizes(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL},           {"Bytes", "MB"},        {"Samples", ""},  {"Median time", "ms"},
        {"Bytes / median", "GB/s"}, {"Plain read", "GB/s"}, {"Answer", NULL}, {"Remark", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "The sizes: what the points are", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));) {
        table_row(p->out, row->engine);
        table_number(p->out, row->bytes > 0 ? (double)row->bytes / MEGABYTE : (double)NAN, 4);
        if (row->failed) {
            table_failed(p->out, 6, row->reason);
        } else {
            table_size(p->out, row->samples.count);
            table_number(p->out, row->time.median / MS, 4);
            table_number(p->out, row->naive_gbps, 3);
            table_number(p->out, row->limit_naive_gbps, 3);
            table_text(p->out, row->check);
            table_text(p->out, section_remark(row));
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

static bool is_counted(const yoke_record_row *row)
{
    return isfinite(row->counted_bytes) || isfinite(row->counted_joules);
}

static void counted_row(const page *p, const yoke_record_row *row)
{
    table_row(p->out, row->engine);
    table_number(p->out, (double)row->bytes / MEGABYTE, 4);
    table_number(p->out, row->counted_bytes / MEGABYTE, 4);
    table_number(p->out, yoke_gbps(row->counted_bytes, row->time.median), 3);
    table_number(p->out, 1e3 * row->counted_joules, 3);
    table_number(p->out, 1e9 * row->counted_joules / row->time.median, 3);
    table_format(p->out, "%s%s%s", row->counted_bytes_by,
                 *row->counted_bytes_by && *row->counted_joules_by ? "; " : "",
                 row->counted_joules_by);
    table_row_end(p->out);
}

static void counted(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},        {"Bytes of weight", "MB"},
                                           {"Bytes counted", "MB"}, {"Counted rate", "GB/s"},
                                           {"Energy", "mJ"},        {"Power", "W"},
                                           {"Counted by", NULL}};
    const yoke_record_row *row;
    bool any = false;
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));) {
        if (!is_counted(row))
            continue;
        if (!any)
            table_begin(p->out, "One product by the machine's own counters",
                        TABLE_COLUMNS(columns));
        any = true;
        counted_row(p, row);
    }
    if (any)
        table_end(p->out);
}

void section_read(const page *p)
{
    if (!find_any(p->record, "read", "size"))
        return;
    section_begin(p, "read", "How fast weights stream",
                  "With one row of x a product is as fast as its weight can be read. The slope is "
                  "the bandwidth that a large model's weights stream at; the fixed cost is what "
                  "every call pays beside its bytes; bytes / median mixes both, as most published "
                  "figures do. The plain read is the machine's own, taken in turns.");
    draw(p);
    fits(p);
    sizes(p);
    counted(p);
    section_end(p);
}
