/* Several records side by side: only figures of the same weight by the same method. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

enum { COLUMNS_MOST = 16 };

/* Records that can be compared with the first one, itself among them. */
typedef struct comparison {
    FILE *out;
    const yoke_record *records[COLUMNS_MOST];
    size_t numbers[COLUMNS_MOST];
    size_t count;
} comparison;

static bool same_texts(const yoke_record_texts *a, const yoke_record_texts *b, const char *key)
{
    const char *left = find_text(a, key), *right = find_text(b, key);
    return (!left && !right) || (left && right && strcmp(left, right) == 0);
}

static bool same_method(const yoke_record *a, const yoke_record *b)
{
    if (a->method.count != b->method.count)
        return false;
    for (size_t i = 0; i < a->method.count; i++)
        if (strcmp(a->method.texts[i], b->method.texts[i]) != 0)
            return false;
    return same_texts(&a->options, &b->options, "precision") &&
           same_texts(&a->options, &b->options, "x_format");
}

/* Why the two cannot be compared; NULL when they can. */
static const char *difference(const yoke_record *a, const yoke_record *b)
{
    const yoke_identity *left = &a->artefact, *right = &b->artefact;
    if (left->n != right->n || left->k != right->k)
        return "its weight has another shape";
    if (left->format != right->format || left->bytes != right->bytes)
        return "its weight is stored in another format";
    if (strcmp(left->hash, right->hash) != 0 || !left->hash[0])
        return "its weight is another one, by its hash, or one of them has no hash";
    return same_method(a, b) ? NULL : "it was measured by another method";
}

typedef double figure(const yoke_record *record, const char *engine);

static double bandwidth(const yoke_record *record, const char *engine)
{
    const yoke_record_row *fit = find_fit(record, engine);
    return fit ? fit->slope_gbps : (double)NAN;
}

static double fixed_cost(const yoke_record *record, const char *engine)
{
    const yoke_record_row *fit = find_fit(record, engine);
    return fit ? fit->fixed_ns / 1e3 : (double)NAN;
}

static double best_rate(const yoke_record *record, const char *engine)
{
    double best = (double)NAN;
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(record, "compute", "m", &at));)
        if (strcmp(row->engine, engine) == 0)
            best = fmax(best, row->tflops); /* passes over NaN */
    return best;
}

static double call(const yoke_record *record, const char *engine)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(record, "dispatch", "call", &at));)
        if (strcmp(row->engine, engine) == 0 && strcmp(row->wait, "block") == 0)
            return row->failed ? (double)NAN : row->time.median / 1e3;
    return (double)NAN;
}

static const struct {
    const char *name;
    figure *of;
} figures[] = {{"bandwidth, slope (GB/s)", bandwidth},
               {"fixed cost of a call (\u00b5s)", fixed_cost},
               {"highest rate (TFLOP/s)", best_rate},
               {"call with nothing to do, blocking (\u00b5s)", call}};

static bool is_known(const comparison *c, figure *of, const char *engine)
{
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(of(c->records[i], engine)))
            return true;
    return false;
}

/* Whether the engine is in no record before this one. */
static bool is_new_engine(const comparison *c, size_t record, const char *engine)
{
    for (size_t i = 0; i < record; i++)
        if (find_engine(c->records[i], engine) < c->records[i]->engine_count)
            return false;
    return true;
}

static void write_engine(const comparison *c, const char *engine)
{
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        char heading[256];
        if (!is_known(c, figures[f].of, engine))
            continue;
        snprintf(heading, sizeof heading, "%s: %s", engine, figures[f].name);
        table_row(c->out, heading);
        for (size_t i = 0; i < c->count; i++)
            table_number(c->out, figures[f].of(c->records[i], engine), 3);
        table_row_end(c->out);
    }
}

static void write_table(const comparison *c)
{
    char headings[COLUMNS_MOST][32];
    table_column columns[COLUMNS_MOST + 1] = {{"Figure", NULL}};
    for (size_t i = 0; i < c->count; i++) {
        snprintf(headings[i], sizeof headings[i], "Record %zu", c->numbers[i]);
        columns[i + 1] = (table_column){headings[i], ""};
    }
    table_begin(c->out, "The same weight by the same method", columns, c->count + 1);
    for (size_t i = 0; i < c->count; i++)
        for (size_t e = 0; e < c->records[i]->engine_count; e++)
            if (is_new_engine(c, i, c->records[i]->engines[e].specification))
                write_engine(c, c->records[i]->engines[e].specification);
    table_end(c->out);
}

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

void section_compare(FILE *out, const report_input *input)
{
    comparison c = {.out = out};
    fputs("<section id=\"compare\"><h2>Side by side</h2>\n", out);
    write_contents(out, input);
    for (size_t i = 0; i < input->count; i++) {
        const char *why = difference(input->records[0], input->records[i]);
        if (i > 0 && !why && c.count == COLUMNS_MOST)
            why = "the table is full";
        if (i > 0 && why) {
            fprintf(out, "<p>Record %zu is not compared with record 1: %s.</p>\n", i + 1, why);
            continue;
        }
        c.numbers[c.count] = i + 1;
        c.records[c.count++] = input->records[i];
    }
    if (c.count > 1) {
        write_table(&c);
        fputs("<p>Whether a difference is real, yoke compare says, by the confidence "
              "intervals.</p>\n",
              out);
    }
    fputs("</section>\n", out);
}
