/* The page as a whole: head, contents, the records one after the other. */
#include "report/report.h"

#include "report/asset.h"
#include "report/find.h"
#include "report/html.h"
#include "report/section.h"

/* Everything is in the page: the browser is told to fetch nothing. */
#define POLICY                                                                                     \
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "   \
    "base-uri 'none'; "                                                                            \
    "form-action 'none'"

static void (*const sections[])(const page *) = {
    section_summary,  section_machine, section_engines,    section_read,
    section_roofline, section_compute, section_contention, section_split,
    section_calls,    section_other,   section_published,  section_trust,
};

void section_begin(const page *p, const char *id, const char *title, const char *meaning)
{
    fprintf(p->out, "<section id=\"r%zu-%s\"><h3>", p->number, id);
    html_text(p->out, title);
    fputs("</h3>\n<p class=\"meaning\">", p->out);
    html_text(p->out, meaning);
    fputs("</p>\n", p->out);
}

void section_end(const page *p)
{
    fputs("</section>\n", p->out);
}

const char *section_remark(const yoke_record_row *row)
{
    bool noisy = row->samples.count > 0 && !row->samples.warmup_settled;
    if (row->cached)
        return row->time.unstable ? "cached, drifting" : noisy ? "cached, noisy" : "cached";
    if (row->time.unstable)
        return noisy ? "drifting, noisy" : "drifting";
    return noisy ? "noisy" : "";
}

static void write_head(FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<title>yoke report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n",
          out);
    fputs(asset_uplot_css, out);
    fputs(asset_page_css, out);
    fputs("</style>\n</head>\n<body>\n", out);
}

static void write_scripts(FILE *out)
{
    fputs("<!-- The plots are drawn by uPlot:\n", out);
    fputs(asset_uplot_licence, out);
    fputs("-->\n<script>\n", out);
    fputs(asset_uplot_js, out);
    fputs("\n</script>\n<script>\n", out);
    fputs(asset_page_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
}

static void write_record(FILE *out, const report_input *input, size_t index)
{
    const page p = {out, input->records[index], input->chips, index + 1};
    const yoke_host *host = p.record->host;
    fprintf(out, "<article id=\"r%zu\"><h2>", p.number);
    if (input->count > 1)
        fprintf(out, "<span class=\"which\">Record %zu</span> ", p.number);
    html_text(out, host ? host->cpu : "machine not known");
    fputs("</h2>\n<p class=\"from\">", out);
    html_format(out, "%s, measured %s by yoke ", input->names[index],
                p.record->time_utc[0] ? p.record->time_utc : "at a time not known");
    const char *version = find_text(&p.record->versions, "yoke");
    html_format(out, "%s", version ? version : "of a version not known");
    fputs("</p>\n", out);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i](&p);
    fputs("</article>\n", out);
}

void report_write(FILE *out, const report_input *input)
{
    write_head(out);
    fputs("<header><h1>What the engines can really do</h1>\n"
          "<p>Every figure was measured, unless it says published, predicted or computed. GB is "
          "10<sup>9</sup> bytes; a multiply-add counts as two operations.</p></header>\n<main>\n",
          out);
    if (input->count > 1)
        section_compare(out, input);
    for (size_t i = 0; i < input->count; i++)
        write_record(out, input, i);
    fputs("</main>\n", out);
    write_scripts(out);
}
