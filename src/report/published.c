/* The record's own figure among the published ones: of the same artefact and by the same method, or
 * not at all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/find.h"
#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

/* One line of the table: a published row, or (NULL) ours. */
typedef struct place {
    const yoke_chip_measurement *published;
    const char *engine;
    double gbps;
} place;

/* Whether the published artefact has the shape, format and size of the record's weight. Its name
 * says the shape where it is a plain matrix; the LM heads are those of Llama 3. */
static bool same_artefact(const yoke_chip_measurement *published, const yoke_identity *w)
{
    unsigned bits;
    size_t n, k;
    const char *name = published->artefact;
    double megabytes = (double)w->bytes / 1e6;
    if (isfinite(published->megabytes.value) &&
        fabs(published->megabytes.value / megabytes - 1) > 0.001)
        return false;
    if (sscanf(name, "gemv_fp%u_%zux%zu", &bits, &n, &k) == 3)
        return n == w->n && k == w->k && w->format == (bits == 32 ? YOKE_F32 : YOKE_F16);
    if (w->n != 128256 || w->k != 4096)
        return false;
    return (strcmp(name, "llama_lm_head") == 0 && w->format == YOKE_F16) ||
           (strcmp(name, "llama_lm_head_lut6") == 0 && w->format == YOKE_LUT6);
}

/* The record's figure by a published method; NaN where the record has none by it. predict() is Core
 * ML's, and no other engine's call is one. */
static double own_figure(const yoke_record_row *row, const char *method)
{
    bool coreml = strncmp(row->engine, "coreml", 6) == 0;
    if (strcmp(method, "slope") == 0)
        return row->slope_gbps;
    if (strcmp(method, coreml ? "predict-mean" : "call-mean") == 0)
        return yoke_gbps((double)row->bytes, row->time.mean);
    if (strcmp(method, "predict-median") == 0 && coreml)
        return row->naive_gbps;
    if (strcmp(method, "call-min") == 0 && !coreml)
        return yoke_gbps((double)row->bytes, row->time.min);
    return (double)NAN;
}

static bool is_candidate(const page *p, const yoke_chip_measurement *m)
{
    return m->mode == YOKE_CHIP_SOLO && !*m->doubt && yoke_chip_rate(m, NULL) > 0 &&
           same_artefact(m, &p->record->artefact);
}

static int fastest_first(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->gbps != right->gbps)
        return left->gbps < right->gbps ? 1 : -1;
    if (!left->published || !right->published)
        return left->published ? 1 : -1;
    return left->published->row < right->published->row ? -1 : 1;
}

/* Ours: of the whole weight. */
static size_t add_own(const page *p, const char *method, place *places)
{
    size_t count = 0;
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(p->record, "read", "size", &at));) {
        if (row->bytes != p->record->artefact.bytes || row->failed)
            continue;
        double gbps = own_figure(row, method);
        if (isfinite(gbps))
            places[count++] = (place){NULL, row->engine, gbps};
    }
    return count;
}

static size_t add_published(const page *p, const char *method, place *places)
{
    size_t count = 0, all = yoke_chips_count(p->chips);
    for (size_t i = 0; i < all; i++) {
        const yoke_chip_measurement *m = yoke_chips_measurement(p->chips, i);
        if (is_candidate(p, m) && strcmp(m->method, method) == 0)
            places[count++] = (place){m, m->engine, yoke_chip_rate(m, NULL)};
    }
    return count;
}

static void write_place(const page *p, const place *at, double fastest)
{
    const yoke_chip_measurement *m = at->published;
    if (!m)
        fputs("<tr class=\"own\"><th scope=\"row\">this record</th>", p->out);
    else
        table_row(p->out, *m->chip ? m->chip : "not named");
    table_text(p->out, at->engine);
    table_number(p->out, at->gbps, 3);
    table_bar(p->out, at->gbps / fastest);
    table_text(p->out, m ? m->provenance : "measured");
    table_text(p->out, m ? m->source : "");
    table_row_end(p->out);
}

static void write_table(const page *p, const char *method, const char *artefact, place *places,
                        size_t count)
{
    static const table_column columns[] = {{"Chip", NULL}, {"Engine", NULL},     {"Rate", "GB/s"},
                                           {"", NULL},     {"Provenance", NULL}, {"Source", NULL}};
    char caption[256];
    qsort(places, count, sizeof *places, fastest_first);
    snprintf(caption, sizeof caption, "%s, alone, by %s", artefact, method);
    table_begin(p->out, caption, TABLE_COLUMNS(columns));
    for (size_t i = 0; i < count; i++)
        write_place(p, &places[i], places[0].gbps);
    table_end(p->out);
}

/* One method, at its first row: a table where the record has a figure by it, else a sentence. */
static void write_method(const page *p, const yoke_chip_measurement *first, place *places)
{
    const char *method = *first->method ? first->method : "a method that is not stated";
    size_t own = *first->method ? add_own(p, first->method, places) : 0;
    size_t published = add_published(p, first->method, places + own);
    if (own > 0) {
        write_table(p, method, first->artefact, places, own + published);
        return;
    }
    fputs("<p>", p->out);
    html_format(p->out,
                "Not compared: %zu published figures of %s are by %s, and this record has none of "
                "its whole weight by that method. yoke chips shows them.",
                published, first->artefact, method);
    fputs("</p>\n", p->out);
}

static bool is_new_method(const page *p, size_t index)
{
    const yoke_chip_measurement *m = yoke_chips_measurement(p->chips, index);
    for (size_t i = 0; i < index; i++) {
        const yoke_chip_measurement *earlier = yoke_chips_measurement(p->chips, i);
        if (is_candidate(p, earlier) && strcmp(earlier->method, m->method) == 0)
            return false;
    }
    return true;
}

void section_published(const page *p)
{
    size_t count = p->chips ? yoke_chips_count(p->chips) : 0, shown = 0;
    place *places = calloc(count + p->record->row_count + 1, sizeof *places);
    if (!places || !find_any(p->record, "read", "size")) {
        free(places);
        return;
    }
    section_begin(
        p, "published", "Among the published chips",
        "Only figures of the same artefact (shape, format and stored bytes) by the same "
        "method stand beside each other. Weights of the same shape need not hold the same "
        "values. Published figures are shown as published.");
    for (size_t i = 0; i < count; i++)
        if (is_candidate(p, yoke_chips_measurement(p->chips, i)) && is_new_method(p, i)) {
            write_method(p, yoke_chips_measurement(p->chips, i), places);
            shown++;
        }
    if (shown == 0)
        fputs("<p>No published figure of this artefact is known.</p>\n", p->out);
    section_end(p);
    free(places);
}
