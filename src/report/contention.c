/* The contention matrix: what each engine keeps of its rate beside each other one. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

/* The row of `engine` beside `other` at m; NULL when it was not measured. */
static const yoke_record_row *find_pair(const page *p, const char *engine, const char *other,
                                        size_t m)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "contention", "beside", &at));)
        if (row->m == m && strcmp(row->engine, engine) == 0 && strcmp(row->other, other) == 0)
            return row;
    return NULL;
}

static void keeps(const page *p, const yoke_record_row *row)
{
    if (!row) {
        fputs("<td class=\"n none\">not measured</td>", p->out);
        return;
    }
    if (row->failed) {
        table_failed(p->out, 1, row->reason);
        return;
    }
    fprintf(p->out,
            "<td class=\"n keeps\" style=\"--keeps:%.3f\"><data value=\"%.9g\">%.1f</data>"
            "&nbsp;%% <small>%.1f to %.1f</small></td>",
            fmin(fmax(row->retained, 0), 1), row->retained, 100 * row->retained,
            100 * row->retained_low, 100 * row->retained_high);
}

/* Whether the engine is in some pair. */
static bool takes_part(const page *p, const char *engine)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "contention", "beside", &at));)
        if (strcmp(row->engine, engine) == 0)
            return true;
    return false;
}

static void matrix(const page *p, size_t m)
{
    enum { ENGINES_MOST = 32 };
    table_column columns[ENGINES_MOST + 1] = {{"Engine", NULL}};
    char headings[ENGINES_MOST][144], caption[160];
    const char *engines[ENGINES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < p->record->engine_count && count < ENGINES_MOST; i++)
        if (takes_part(p, p->record->engines[i].specification)) {
            engines[count] = p->record->engines[i].specification;
            snprintf(headings[count], sizeof headings[count], "beside %s", engines[count]);
            columns[count + 1] = (table_column){headings[count], ""};
            count++;
        }
    snprintf(caption, sizeof caption,
             "What each engine keeps of its rate at M = %zu, with its 95 %% "
             "interval",
             m);
    table_begin(p->out, caption, columns, count + 1);
    for (size_t i = 0; i < count; i++) {
        table_row(p->out, engines[i]);
        for (size_t j = 0; j < count; j++)
            if (i == j)
                fputs("<td class=\"n none\">itself</td>", p->out);
            else
                keeps(p, find_pair(p, engines[i], engines[j], m));
        table_row_end(p->out);
    }
    table_end(p->out);
}

static void pairs(const page *p)
{
    static const table_column columns[] = {
        {"Engine", NULL}, {"And", NULL},           {"M", ""},
        {"Together", ""}, {"95 % interval", NULL}, {"Which is", NULL}};
    const yoke_record_row *row;
    table_begin(p->out, "What a pair reaches together, of the sum of both alone",
                TABLE_COLUMNS(columns));
    for (size_t at = 0; (row = find_next(p->record, "contention", "beside", &at));) {
        if (strcmp(row->engine, row->other) >= 0)
            continue;
        table_row(p->out, row->engine);
        table_text(p->out, row->other);
        table_size(p->out, row->m);
        if (row->failed) {
            table_failed(p->out, 3, row->reason);
        } else {
            table_percent(p->out, row->together);
            table_format(p->out, "%.1f to %.1f %%", 100 * row->together_low,
                         100 * row->together_high);
            table_text(p->out, row->sharing);
        }
        table_row_end(p->out);
    }
    table_end(p->out);
}

/* Whether an earlier row has the same M. */
static bool is_new_m(const page *p, size_t at)
{
    const yoke_record_row *row, *this = p->record->rows[at - 1];
    for (size_t i = 0; (row = find_next(p->record, "contention", "beside", &i)) && i < at;)
        if (row->m == this->m)
            return false;
    return true;
}

void section_contention(const page *p)
{
    const yoke_record_row *row;
    if (!find_any(p->record, "contention", "beside"))
        return;
    section_begin(
        p, "contention", "Contention",
        "Two engines that work at once share memory, power or cores. 100 % means that the "
        "row's engine does not notice the other. A shared ceiling means that what they "
        "share is full: splitting a product over them then brings less than the sum.");
    for (size_t at = 0; (row = find_next(p->record, "contention", "beside", &at));)
        if (is_new_m(p, at))
            matrix(p, row->m);
    pairs(p);
    section_end(p);
}
