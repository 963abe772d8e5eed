/* Several records side by side: every later one against the first, by the rules of yoke_compare. */
#include "yoke/compare.h"
#include <math.h>

#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

#define THRESHOLD 0.05 /* a smaller change counts for none: from run to run as much is usual */

static void write_contents(FILE *out, const report_input *input)
{
    fputs("<ol class=\"contents\">\n", out);
    for (size_t i = 0; i < input->count; i++) {
        const yoke_host *host = input->records[i]->host;
        fprintf(out, "<li><a href=\"#r%zu\">", i + 1);
        html_format(out, "%s: %s, %s", input->names[i], host ? host->cpu : "machine not known",
                    input->records[i]->time_utc);
        fputs("</a></li>\n", out);
    }
    fputs("</ol>\n", out);
}

/* Which case it is: "read, size, cpu, 1 x 4096 x 4096". */
static void write_case(FILE *out, const yoke_record_row *row)
{
    fputs("<tr><th scope=\"row\">", out);
    html_format(out, "%s, %s", row->suite, row->what);
    if (row->engine[0])
        html_format(out, ", %s", row->engine);
    if (row->other[0])
        html_format(out, " and %s", row->other);
    if (row->wait[0])
        html_format(out, ", %s", row->wait);
    if (isfinite(row->task_ns))
        html_format(out, ", %.0f µs, %s", row->task_ns / 1e3, row->idle_states);
    if (row->m > 0)
        html_format(out, ", %zu \u00d7 %zu \u00d7 %zu", row->m, row->n, row->k);
    fputs("</th>", out);
}

static void write_compared(FILE *out, const yoke_comparison *c, size_t number)
{
    char caption[128], heading[32];
    const table_column columns[] = {{"Row (M \u00d7 N \u00d7 K)", NULL},
                                    {"Record 1", "ms"},
                                    {heading, "ms"},
                                    {"Ratio of times", ""},
                                    {"95 % interval", NULL},
                                    {"Which is", NULL}};
    if (yoke_comparison_count(c, YOKE_COMPARED_NOT) == c->row_count)
        return;
    snprintf(heading, sizeof heading, "Record %zu", number);
    snprintf(caption, sizeof caption, "Median times; a change counts from %.0f %% on",
             100 * c->threshold);
    table_begin(out, caption, TABLE_COLUMNS(columns));
    for (size_t i = 0; i < c->row_count; i++) {
        const yoke_compared_row *row = &c->rows[i];
        if (row->verdict == YOKE_COMPARED_NOT)
            continue;
        write_case(out, row->a);
        table_number(out, row->a->time.median / 1e6, 3);
        table_number(out, row->b->time.median / 1e6, 3);
        table_number(out, row->ratio, 3);
        table_format(out, "%.3f to %.3f", row->low, row->high);
        table_text(out, yoke_compared_name(row->verdict));
        table_row_end(out);
    }
    table_end(out);
}

static void write_apart(FILE *out, const yoke_comparison *c)
{
    static const table_column columns[] = {{"Row (M \u00d7 N \u00d7 K)", NULL}, {"Why not", NULL}};
    size_t count = yoke_comparison_count(c, YOKE_COMPARED_NOT);
    if (count == 0)
        return;
    fprintf(out, "<details><summary>%zu rows that cannot be compared, and why</summary>\n", count);
    table_begin(out, "Not comparable", TABLE_COLUMNS(columns));
    for (size_t i = 0; i < c->row_count; i++) {
        const yoke_compared_row *row = &c->rows[i];
        if (row->verdict != YOKE_COMPARED_NOT)
            continue;
        write_case(out, row->a ? row->a : row->b);
        table_text(out, row->reason);
        table_row_end(out);
    }
    table_end(out);
    fputs("</details>\n", out);
}

static void write_notes(FILE *out, const yoke_record_texts *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        fputs("<p class=\"remark\">", out);
        html_text(out, notes->texts[i]);
        fputs("</p>\n", out);
    }
}

static void write_pair(FILE *out, const report_input *input, size_t index)
{
    yoke_error err = {0};
    yoke_comparison *c;
    fprintf(out, "<h3>Record %zu against record 1</h3>\n<p>", index + 1);
    if (yoke_compare(input->records[0], input->records[index], THRESHOLD, &c, &err) != YOKE_OK) {
        html_format(out, "They cannot be compared: %s", err.text);
        fputs("</p>\n", out);
        return;
    }
    html_format(out, "%zu rows faster, %zu slower, %zu the same, %zu not comparable.",
                yoke_comparison_count(c, YOKE_COMPARED_FASTER),
                yoke_comparison_count(c, YOKE_COMPARED_SLOWER),
                yoke_comparison_count(c, YOKE_COMPARED_SAME),
                yoke_comparison_count(c, YOKE_COMPARED_NOT));
    fputs("</p>\n", out);
    write_notes(out, &c->notes);
    write_compared(out, c, index + 1);
    write_apart(out, c);
    yoke_comparison_free(c);
}

void section_compare(FILE *out, const report_input *input)
{
    fputs("<section id=\"compare\"><h2>Side by side</h2>\n"
          "<p class=\"meaning\">Rows are compared only where weight and method are the same. "
          "The interval covers what varied within the runs.</p>\n",
          out);
    write_contents(out, input);
    for (size_t i = 1; i < input->count; i++)
        write_pair(out, input, i);
    fputs("</section>\n", out);
}
