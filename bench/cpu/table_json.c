#include "table.h"

json_t *table_json_begin(const roster *r, const char *machine)
{
    json_t *peers = json_array();
    for (size_t i = 0; i < r->count; i++)
        json_array_append_new(
            peers, json_pack("{s:s, s:s}", "name", r->peers[i]->name, "version", r->versions[i]));
    return json_pack("{s:s, s:I, s:{s:i, s:i, s:i}, s:o, s:[]}", "machine", machine, "threads",
                     (json_int_t)r->threads, "batches", "wanted", SPELL_BATCHES, "tried",
                     SPELL_TRIES, "enough", SPELL_ENOUGH, "peers", peers, "cases");
}

/* Without a figure there are no times: unknown is absent. */
static json_t *standing_json(const char *name, const standing *s, double limit_ns)
{
    json_t *made =
        json_pack("{s:s, s:s, s:I, s:I}", "peer", name, "result", yoke_verdict_name(s->verdict),
                  "batches", (json_int_t)s->batches, "batches_counted", (json_int_t)s->counted);
    if (!s->has_figure)
        return made;
    const yoke_statistics *t = &s->time;
    json_t *figures =
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:I, s:f}", "median_ns", t->median, "median_low_ns",
                  t->median_low, "median_high_ns", t->median_high, "p10_ns", t->p10, "p90_ns",
                  t->p90, "samples", (json_int_t)t->count, "of_limit", limit_ns / t->median);
    json_object_update_missing_new(made, figures);
    return made;
}

bool table_json_row(json_t *document, const roster *r, const bench_case *c, const outcome *o)
{
    json_t *standings = json_array();
    for (size_t i = 0; i < r->count; i++)
        if (o->standings[i].entered)
            json_array_append_new(standings, standing_json(r->peers[i]->name, &o->standings[i],
                                                           spell_limit_ns(o->best)));
    return json_array_append_new(json_object_get(document, "cases"),
                                 json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:o}", "format",
                                           yoke_format_get(c->format)->name, "m", (json_int_t)c->m,
                                           "n", (json_int_t)c->n, "k", (json_int_t)c->k, "copies",
                                           (json_int_t)o->copies, "read_ns", o->best.read_ns,
                                           "compute_ns", o->best.compute_ns, "standings",
                                           standings)) == 0;
}
