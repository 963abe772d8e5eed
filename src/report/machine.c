/* The machine, and the weight that was measured. */
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/section.h"

static void term(const page *p, const char *name)
{
    fputs("<dt>", p->out);
    html_text(p->out, name);
    fputs("</dt><dd>", p->out);
}

static void fact(const page *p, const char *name, const char *text)
{
    term(p, name);
    if (*text)
        html_text(p->out, text);
    else
        fputs("<span class=\"unknown\">not known</span>", p->out);
    fputs("</dd>\n", p->out);
}

/* Bytes in a unit; 0 is not known. */
static void size(const page *p, const char *name, uint64_t bytes, double unit,
                 const char *unit_name)
{
    term(p, name);
    html_number(p->out, bytes > 0 ? (double)bytes / unit : (double)NAN, 3);
    if (bytes > 0)
        html_format(p->out, "\u00a0%s", unit_name);
    fputs("</dd>\n", p->out);
}

static void state(const page *p, const char *name, int known)
{
    fact(p, name, known < 0 ? "" : known ? "yes" : "no");
}

static void describe_host(const page *p, const yoke_host *host)
{
    char text[256];
    fact(p, "Processor", strcmp(host->cpu, "unknown") == 0 ? "" : host->cpu);
    fact(p, "Model", host->machine);
    fact(p, "System", host->os);
    if (host->hypervisor[0])
        fact(p, "Virtual machine", host->hypervisor);
    if (host->translated)
        fact(p, "Translated", "x86-64 by Rosetta: the Neural Engine is hidden");
    snprintf(text, sizeof text, "%zu worth running (%s)", host->usable_threads,
             host->usable_reason);
    fact(p, "Threads", host->usable_threads > 0 ? text : "");
    fact(p, "Features", yoke_host_features_text(host->features, text, sizeof text));
    size(p, "Last-level caches", host->cache_bytes, 1e6, "MB");
    size(p, "Memory", host->memory_bytes, 1e9, "GB");
    fact(p, "Clock governor", host->governor);
    state(p, "Low-power mode", host->low_power);
    state(p, "On battery", host->on_battery);
}

static void load(const page *p)
{
    term(p, "Load average");
    html_number(p->out, p->record->load_before, 2);
    fputs(" before, ", p->out);
    html_number(p->out, p->record->load_after, 2);
    fputs(" after</dd>\n", p->out);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void describe_weight(const page *p, const yoke_identity *w)
{
    char text[2048];
    if (w->n > 0)
        snprintf(text, sizeof text, "%s, %zu outputs by %zu inputs",
                 yoke_format_get(w->format)->name, w->n, w->k);
    fact(p, "Weight", w->n > 0 ? text : "");
    size(p, "Stored bytes", w->bytes, 1e6, "MB");
    if (w->path[0]) /* the name alone: a page is for showing, and folders name people */
        snprintf(text, sizeof text, "%s of %s (%s)", w->tensor, file_name(w->path), w->kind);
    else
        snprintf(text, sizeof text, "%s", w->kind);
    fact(p, "Weight from", text);
    snprintf(text, sizeof text, "%s (%s)", w->hash, w->hash_of);
    fact(p, "Hash", w->hash[0] ? text : "");
}

void section_machine(const page *p)
{
    section_begin(p, "machine", "This machine, and what was measured",
                  "Figures hold for this machine and this weight in this state. Another weight, "
                  "another method or a busy machine gives other figures.");
    fputs("<dl class=\"facts\">\n", p->out);
    if (p->record->host)
        describe_host(p, p->record->host);
    else
        fact(p, "Processor", "");
    load(p);
    describe_weight(p, &p->record->artefact);
    fputs("</dl>\n", p->out);
    section_end(p);
}
