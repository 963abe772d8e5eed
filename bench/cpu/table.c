#include "table.h"

#include <stdio.h>

void table_begin(const roster *r, const char *machine)
{
    printf("%s; %zu threads\n\n", machine, r->threads);
    for (size_t i = 0; i < r->count; i++)
        printf("- %s %s\n", r->peers[i]->name, r->versions[i]);
    printf("\n| w | M | N x K | limit |");
    for (size_t i = 0; i < r->count; i++)
        printf(" %s |", r->peers[i]->name);
    printf("\n|---|--:|--:|--:|");
    for (size_t i = 0; i < r->count; i++)
        printf("--:|");
    printf("\n");
    fflush(stdout);
}

static size_t fastest(const roster *r, const outcome *o)
{
    size_t best = r->count;
    for (size_t i = 0; i < r->count; i++)
        if (o->standings[i].has_figure &&
            (best == r->count || o->standings[i].time.median < o->standings[best].time.median))
            best = i;
    return best;
}

static void print_standing(const standing *s, const outcome *o, bool is_fastest)
{
    const char *bold = is_fastest ? "**" : "";
    if (!s->entered)
        printf(" |");
    else if (s->verdict != YOKE_VERDICT_RIGHT)
        printf(" %s |", yoke_verdict_name(s->verdict));
    else if (!s->has_figure)
        printf(" bad spells |");
    else
        printf(" %s%.3g ms, %.0f %%%s |", bold, s->time.median / 1e6,
               spell_limit_ns(o->best) / s->time.median * 100, bold);
}

void table_row(const roster *r, const bench_case *c, const outcome *o)
{
    const size_t best = fastest(r, o);
    printf("| %s | %zu | %zu x %zu | %.3g ms, %s |", yoke_format_get(c->format)->name, c->m, c->n,
           c->k, spell_limit_ns(o->best) / 1e6,
           o->best.read_ns > o->best.compute_ns ? "read" : "compute");
    for (size_t i = 0; i < r->count; i++)
        print_standing(&o->standings[i], o, i == best);
    printf("\n");
    fflush(stdout);
}
