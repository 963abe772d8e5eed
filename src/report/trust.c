/* What failed, what was left out, and by which method the figures came about. */
#include <math.h>
#include <string.h>

#include "report/find.h"
#include "report/html.h"
#include "report/section.h"
#include "report/table.h"

static void failures(const page *p)
{
    static const table_column columns[] = {
        {"Suite", NULL}, {"Case", NULL}, {"Engine", NULL}, {"M", ""}, {"What happened", NULL}};
    if (yoke_record_failed(p->record) == 0)
        return;
    section_begin(
        p, "failed", "What failed",
        "A row that failed, or whose answer was wrong, has no rate and is in no summary.");
    table_begin(p->out, "Failed rows", TABLE_COLUMNS(columns));
    for (size_t i = 0; i < p->record->row_count; i++) {
        const yoke_record_row *row = p->record->rows[i];
        if (!row->failed)
            continue;
        table_row(p->out, row->suite);
        table_text(p->out, row->what);
        table_text(p->out, row->engine);
        table_size(p->out, row->m);
        table_failed(p->out, 1, row->reason);
        table_row_end(p->out);
    }
    table_end(p->out);
    section_end(p);
}

static void texts(const page *p, const char *heading, const yoke_record_texts *list)
{
    if (list->count == 0)
        return;
    fputs("<h4>", p->out);
    html_text(p->out, heading);
    fputs("</h4>\n<ul>\n", p->out);
    for (size_t i = 0; i < list->count; i++) {
        fputs("<li>", p->out);
        html_text(p->out, list->texts[i]);
        fputs("</li>\n", p->out);
    }
    fputs("</ul>\n", p->out);
}

/* "key=value" as a term and its description. */
static void pairs(const page *p, const char *heading, const yoke_record_texts *list)
{
    if (list->count == 0)
        return;
    fputs("<h4>", p->out);
    html_text(p->out, heading);
    fputs("</h4>\n<dl class=\"facts\">\n", p->out);
    for (size_t i = 0; i < list->count; i++) {
        const char *text = list->texts[i];
        size_t key = strcspn(text, "=");
        fputs("<dt>", p->out);
        html_format(p->out, "%.*s", (int)key, text);
        fputs("</dt><dd>", p->out);
        html_text(p->out, text[key] == '=' ? text + key + 1 : "");
        fputs("</dd>\n", p->out);
    }
    fputs("</dl>\n", p->out);
}

static bool has_remark(const page *p, const char *word)
{
    for (size_t i = 0; i < p->record->row_count; i++)
        if (!p->record->rows[i]->failed && strstr(section_remark(p->record->rows[i]), word))
            return true;
    return false;
}

static void remarks(const page *p)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"cached", "cached: the weight fits the caches too well to tell about memory"},
        {"drifting", "drifting: times moved by more than a tenth while they were measured"},
        {"noisy", "noisy: the warm-up never settled; something else ran, or the clock moved"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_remark(p, words[i].word)) {
            fputs("<p class=\"remark\">", p->out);
            html_text(p->out, words[i].meaning);
            fputs("</p>\n", p->out);
        }
}

void section_trust(const page *p)
{
    failures(p);
    section_begin(p, "method", "How it was measured",
                  "Each figure is a median of samples taken in turns, after a warm-up; the record "
                  "keeps every sample. The answer of every product was checked. Two records can be "
                  "compared when weight and method are the same.");
    remarks(p);
    texts(p, "Notes of the run", &p->record->notes);
    pairs(p, "Method", &p->record->method);
    pairs(p, "Options", &p->record->options);
    pairs(p, "Versions", &p->record->versions);
    if (isfinite(p->record->elapsed_seconds)) {
        fputs("<p>The run took ", p->out);
        html_number(p->out, p->record->elapsed_seconds, 3);
        fputs(" seconds.</p>\n", p->out);
    }
    section_end(p);
}
