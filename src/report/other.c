/* Rows of suites that have no section of their own: nothing of a record is left out. */
#include <math.h>
#include <string.h>

#include "report/section.h"
#include "report/table.h"

static bool is_other(const yoke_record_row *row)
{
    static const char *const shown[] = {"read", "compute",    "dispatch",
                                        "wake", "contention", "split"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(row->suite, shown[i]) == 0)
            return false;
    return true;
}

static void write_row(const page *p, const yoke_record_row *row)
{
    char heading[64];
    snprintf(heading, sizeof heading, "%s, %s", row->suite, row->what);
    table_row(p->out, heading);
    table_text(p->out, row->engine);
    table_size(p->out, row->m);
    table_size(p->out, row->n);
    table_size(p->out, row->k);
    if (row->failed) {
        table_failed(p->out, 5, row->reason);
    } else {
        table_number(p->out, row->time.count > 0 ? row->time.median / 1e6 : (double)NAN, 3);
        table_number(p->out, row->naive_gbps, 3);
        table_number(p->out, row->tflops, 3);
        table_text(p->out, row->check);
        table_text(p->out, section_remark(row));
    }
    table_row_end(p->out);
}

void section_other(const page *p)
{
    static const table_column columns[] = {{"Suite and case", NULL},
                                           {"Engine", NULL},
                                           {"M", ""},
                                           {"N", ""},
                                           {"K", ""},
                                           {"Median time", "ms"},
                                           {"Bytes / median", "GB/s"},
                                           {"Rate", "TFLOP/s"},
                                           {"Answer", NULL},
                                           {"Remark", NULL}};
    bool any = false;
    for (size_t i = 0; i < p->record->row_count; i++) {
        if (!is_other(p->record->rows[i]))
            continue;
        if (!any) {
            section_begin(p, "other", "Other suites",
                          "Rows of suites that this page has no section for; the record holds more "
                          "of them.");
            table_begin(p->out, "Their rows", TABLE_COLUMNS(columns));
        }
        any = true;
        write_row(p, p->record->rows[i]);
    }
    if (any) {
        table_end(p->out);
        section_end(p);
    }
}
