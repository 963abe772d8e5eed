/* What a call and waking up cost. */
#include <math.h>

#include "report/find.h"
#include "report/section.h"
#include "report/table.h"

#define US 1e3

static void calls(const page *p)
{
    static const table_column columns[] = {{"Engine", NULL},      {"Wait", NULL},
                                           {"Samples", ""},       {"Least", "\u00b5s"},
                                           {"Median", "\u00b5s"}, {"99th percentile", "\u00b5s"},
                                           {"Answer", NULL},      {"Remark", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "A product too small to matter", TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "dispatch", "call", &at));) {
        table_row(p->out, row->engine);
        table_text(p->out, row->wait);
        if (row->failed) {
            table_failed(p->out, 6, row->reason);
        } else {
            table_size(p->out, row->samples.count);
            table_number(p->out, row->time.min / US, 3);
            table_number(p->out, row->time.median / US, 3);
            table_number(p->out, row->time.p99 / US, 3);
            table_text(p->out, row->check);
            table_text(p->out, section_remark(row));
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void wakes(const page *p)
{
    static const table_column columns[] = {{"Task", NULL},
                                           {"Idle states", NULL},
                                           {"Wait", NULL},
                                           {"Samples", ""},
                                           {"Median", "\u00b5s"},
                                           {"99th percentile", "\u00b5s"},
                                           {"Blocking adds", "\u00b5s"},
                                           {"Remark", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "A task on another core, waited for asleep (block) or awake (poll)",
                TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "wake", "task", &at));) {
        char task[48];
        snprintf(task, sizeof task, "%.0f \u00b5s", row->task_ns / US);
        table_row(p->out, isfinite(row->task_ns) ? task : "not known");
        table_text(p->out, row->idle_states);
        table_text(p->out, row->wait);
        if (row->failed) {
            table_failed(p->out, 5, row->reason);
        } else {
            table_size(p->out, row->samples.count);
            table_number(p->out, row->time.median / US, 4);
            table_number(p->out, row->time.p99 / US, 4);
            if (isfinite(row->wake_added_ns))
                table_number(p->out, row->wake_added_ns / US, 2);
            else
                table_text(p->out, "");
            table_text(p->out, section_remark(row));
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

void section_calls(const page *p)
{
    bool any_call = find_any(p->record, "dispatch", "call");
    bool any_wake = find_any(p->record, "wake", "task");
    if (!any_call && !any_wake)
        return;
    section_begin(
        p, "calls", "Calls and waking up",
        "A call costs something even with next to nothing to compute: a small layer pays "
        "it in full. Waiting asleep spares power and adds the time the core takes to wake "
        "up; polling keeps the core.");
    if (any_call)
        calls(p);
    if (any_wake)
        wakes(p);
    section_end(p);
}
