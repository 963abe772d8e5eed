/* A comparison as tables for people. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "report/number.h"
#include "store/plain.h"
#include "table.h"
#include "wrap.h"

/* A text that holds something of a record, without what a terminal would obey. */
static void print_plain(const char *label, char *text)
{
    size_t column = (size_t)printf("%s", label);
    plain_text(text);
    wrap_print(stdout, text, column, column);
}

/* "before.jsonl, 5 runs, measured T to T, CPU" */
static void print_side(const char *label, const char *name, const records *runs)
{
    char text[1200], count[40] = "";
    const yoke_record *first = runs->items[0], *last = runs->items[runs->count - 1];
    if (runs->count > 1)
        snprintf(count, sizeof count, ", %zu runs", runs->count);
    snprintf(text, sizeof text, "%.900s%s%s%s%s%s%s%s", name, count,
             first->time_utc[0] ? ", measured " : "", first->time_utc,
             runs->count > 1 && last->time_utc[0] ? " to " : "",
             runs->count > 1 ? last->time_utc : "", first->host ? ", " : "",
             first->host ? first->host->cpu : "");
    print_plain(label, text);
}

static const yoke_record_row *either(const yoke_compared_row *row)
{
    return row->a ? row->a : row->b;
}

static void add_row(table *t, const yoke_compared_row *row)
{
    const yoke_record_row *of = row->a;
    bool polls = strcmp(of->wait, "poll") == 0;
    table_cell(t, "%s", of->suite);
    table_cell(t, "%s%s", of->what, polls ? ", poll" : "");
    table_cell(t, "%s%s%s", of->engine, of->other[0] ? " + " : "", of->other);
    if (of->m > 0) {
        table_cell(t, "%zu", of->m);
        table_cell(t, "%zux%zu", of->n, of->k);
    } else { /* a task that is no product */
        table_cell(t, "%s", "");
        table_cell(t, "%s", "");
    }
    table_cell(t, "%s", number_time(row->a_median_ns).text);
    table_cell(t, "%s", number_time(row->b_median_ns).text);
    table_cell(t, "x%.3f", row->ratio);
    table_cell(t, "%.3f to %.3f", row->low, row->high);
    table_cell(t, "%s", yoke_compared_name(row->verdict));
    table_end_row(t);
}

static bool print_compared(const yoke_comparison *c)
{
    static const table_column columns[] = {
        {"suite", TABLE_TEXT}, {"case", TABLE_TEXT}, {"engine", TABLE_TEXT}, {"M", TABLE_NUMBER},
        {"NxK", TABLE_NUMBER}, {"A", TABLE_NUMBER},  {"B", TABLE_NUMBER},    {"B/A", TABLE_NUMBER},
        {"95 %", TABLE_TEXT},  {"B is", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    bool any = false;
    if (!t)
        return false;
    for (size_t i = 0; i < c->row_count; i++)
        if (c->rows[i].verdict != YOKE_COMPARED_NOT) {
            add_row(t, &c->rows[i]);
            any = true;
        }
    if (any)
        putchar('\n');
    bool ok = !any || table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

/* Is it the first row that is not comparable for its reason? */
static bool is_new_reason(const yoke_comparison *c, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(c->rows[i].reason, c->rows[at].reason) == 0)
            return false;
    return c->rows[at].verdict == YOKE_COMPARED_NOT;
}

/* The reason, and the first row that it holds for. */
static void print_reason(const yoke_comparison *c, size_t at)
{
    const yoke_record_row *row = either(&c->rows[at]);
    size_t others = 0;
    for (size_t i = at + 1; i < c->row_count; i++)
        others += strcmp(c->rows[i].reason, c->rows[at].reason) == 0;
    char text[700];
    int used = snprintf(text, sizeof text, "%s: %s %s %s", c->rows[at].reason, row->suite,
                        row->what, row->engine);
    if (row->m > 0 && (size_t)used < sizeof text)
        used += snprintf(text + used, sizeof text - (size_t)used, ", M %zu, %zux%zu", row->m,
                         row->n, row->k);
    if (others > 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, ", and %zu more", others);
    print_plain("  ", text);
}

static void print_not_compared(const yoke_comparison *c)
{
    if (yoke_comparison_count(c, YOKE_COMPARED_NOT) > 0)
        printf("\nNot comparable:\n");
    for (size_t i = 0; i < c->row_count; i++)
        if (is_new_reason(c, i))
            print_reason(c, i);
}

size_t compare_hidden(const yoke_comparison *c)
{
    size_t hidden = 0;
    for (size_t i = 0; i < c->row_count; i++)
        hidden += c->rows[i].verdict == YOKE_COMPARED_SAME &&
                  (c->rows[i].high > 1 + c->threshold || c->rows[i].low < 1 / (1 + c->threshold));
    return hidden;
}

static void print_summary(const yoke_comparison *c)
{
    size_t hidden = compare_hidden(c);
    printf("\n%zu slower, %zu faster, %zu the same, %zu not comparable; beyond %s\n",
           yoke_comparison_count(c, YOKE_COMPARED_SLOWER),
           yoke_comparison_count(c, YOKE_COMPARED_FASTER),
           yoke_comparison_count(c, YOKE_COMPARED_SAME),
           yoke_comparison_count(c, YOKE_COMPARED_NOT), number_percent(c->threshold).text);
    if (hidden > 0)
        printf("note     %zu of the same might differ by more: their intervals reach that far\n",
               hidden);
    for (size_t i = 0; i < c->notes.count; i++) {
        char text[1100];
        snprintf(text, sizeof text, "%s", c->notes.texts[i]);
        print_plain("note     ", text);
    }
}

yoke_status compare_print(const compare_sides *sides, const yoke_comparison *c, yoke_error *err)
{
    print_side("A        ", sides->names[0], &sides->runs[0]);
    print_side("B        ", sides->names[1], &sides->runs[1]);
    if (!print_compared(c))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory for the table");
    print_not_compared(c);
    print_summary(c);
    return YOKE_OK;
}
