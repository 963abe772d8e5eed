/* Who can multiply here, and why the others cannot. */
#include <math.h>

#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

static const char *format_text(yoke_format format)
{
    return format == YOKE_FORMAT_NONE ? "not known" : yoke_format_get(format)->name;
}

static void ready_row(const page *p, const yoke_record_engine *e)
{
    const yoke_engine_facts *facts = &e->info.facts;
    const yoke_prepare_report *prepared = &e->prepared;
    table_row(p->out, e->specification);
    table_text(p->out, "ready");
    table_text(p->out, e->info.description);
    table_text(p->out, format_text(facts->accumulate));
    table_format(p->out, "%zu \u00d7 %zu", facts->granule_m, facts->granule_n);
    if (prepared->elapsed_ns > 0)
        table_format(p->out, "%s, %s", format_text(prepared->format), prepared->layout);
    else
        table_text(p->out, "not known");
    table_number(p->out,
                 prepared->elapsed_ns > 0 ? (double)prepared->elapsed_ns / 1e9 : (double)NAN, 3);
    table_row_end(p->out);
}

static void absent_row(const page *p, const yoke_record_engine *e)
{
    table_row(p->out, e->specification);
    fputs("<td class=\"absent\">not ready</td>", p->out);
    fputs("<td colspan=\"5\">", p->out);
    html_text(p->out, e->info.reason[0] ? e->info.reason : "the reason is not known");
    fputs("</td>", p->out);
    table_row_end(p->out);
}

void section_engines(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},
                                           {"State", NULL},
                                           {"What it is, or why it is not ready", NULL},
                                           {"Sums in", NULL},
                                           {"Steps of M \u00d7 N", NULL},
                                           {"Weight kept as", NULL},
                                           {"Prepared in", "s"}};
    section_begin(p, "engines", "Engines",
                  "An engine is one thing that multiplies. One that is not ready says what is "
                  "missing. A weight is prepared once, and then used for any number of products.");
    table_begin(p->out, "Engines of the run, and those that could not take part",
                TABLE_COLUMNS(columns));
    for (size_t i = 0; i < p->record->engine_count; i++) {
        const yoke_record_engine *e = &p->record->engines[i];
        if (e->info.ready)
            ready_row(p, e);
        else
            absent_row(p, e);
    }
    table_end(p->out);
    section_end(p);
}
