#include "engines/ane/weights.h"

#include <stdlib.h>

/* The inputs, and the outputs, of a program have indices below 255. */
enum { SYMBOLS_MOST = 255 };

/* What is being prepared. */
typedef struct several {
    const ane_maker *maker;
    size_t count;
    ane_encoding *encodings;
    ane_weight **weights;
    bool refused; /* the compiler took neither spelling of a program */
    size_t *at;   /* the weight at fault */
} several;

/* Groups that shall share programs. */
typedef struct gathering {
    several *of;
    ane_prepared_group *groups[ANE_PROCEDURES_MOST];
    size_t count, outputs, bytes;
} gathering;

static bool has_room(const gathering *g, const ane_group *next)
{
    const ane_options *options = g->of->maker->options;
    return g->count < options->procedures && g->outputs + next->part_count <= SYMBOLS_MOST &&
           g->bytes + next->file_bytes <= options->program_bytes;
}

static yoke_status make_programs(gathering *g, yoke_error *err)
{
    if (g->count == 0)
        return YOKE_OK;
    yoke_status status = ane_bank_make(g->of->maker, g->groups, g->count, &g->of->refused, err);
    g->count = g->outputs = g->bytes = 0;
    return status;
}

static yoke_status gather(gathering *g, ane_prepared_group *next, yoke_error *err)
{
    yoke_status status = has_room(g, next->group) ? YOKE_OK : make_programs(g, err);
    g->groups[g->count++] = next;
    g->outputs += next->group->part_count;
    g->bytes += next->group->file_bytes;
    return status;
}

static yoke_status plan(several *s, yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < s->count && status == YOKE_OK; i++) {
        status = ane_weight_plan(s->maker, &s->encodings[i], s->weights[i], err);
        if (status != YOKE_OK)
            *s->at = i;
    }
    return status;
}

static yoke_status compile(several *s, yoke_error *err)
{
    gathering g = {.of = s};
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < s->count && status == YOKE_OK; i++)
        for (size_t j = 0; j < s->weights[i]->layout.group_count && status == YOKE_OK; j++)
            status = gather(&g, &s->weights[i]->groups[j], err);
    return status == YOKE_OK ? make_programs(&g, err) : status;
}

static void find_fault(several *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->weights[i]->layout.group_count; j++)
            if (s->weights[i]->groups[j].at_fault)
                *s->at = i;
}

static yoke_status prepare(several *s, yoke_error *err)
{
    yoke_status status = plan(s, err);
    if (status != YOKE_OK)
        return status;
    status = compile(s, err);
    if (status != YOKE_OK)
        find_fault(s);
    return status;
}

/* All as f16, which is the same values; false when they are. */
static bool expand(const several *s)
{
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        any |= s->encodings[i].kind != ANE_F16;
        ane_encoding_expand(&s->encodings[i]);
        ane_weight_clear(s->weights[i]);
    }
    return any;
}

static yoke_status choose(several *s, const yoke_matrix *w, yoke_error *err)
{
    s->encodings = calloc(s->count, sizeof *s->encodings);
    s->weights = calloc(s->count, sizeof *s->weights);
    yoke_status status = YOKE_OK;
    bool room = s->encodings && s->weights;
    for (size_t i = 0; i < s->count && room && status == YOKE_OK; i++) {
        status = ane_encoding_choose(s->maker->options, &w[i], &s->encodings[i], err);
        if (status != YOKE_OK)
            *s->at = i;
        s->weights[i] = calloc(1, sizeof *s->weights[i]);
        room = s->weights[i] != NULL;
    }
    if (!room)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    return status;
}

static void free_several(several *s)
{
    for (size_t i = 0; s->weights && i < s->count; i++)
        if (s->weights[i])
            ane_weight_discard(s->weights[i], s->maker->worker);
    free(s->weights);
    free(s->encodings);
}

yoke_status ane_weights_prepare(const ane_maker *maker, const yoke_matrix *w, size_t count,
                                void **out, yoke_prepare_report *reports, size_t *at,
                                yoke_error *err)
{
    several s = {.maker = maker, .count = count, .at = at};
    yoke_status status = choose(&s, w, err);
    if (status == YOKE_OK)
        status = prepare(&s, err);
    if (status == YOKE_ERR_ENGINE && s.refused && expand(&s))
        status = prepare(&s, err);
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        ane_weight_finish(maker, &s.encodings[i], s.weights[i], &reports[i]);
        out[i] = s.weights[i];
        s.weights[i] = NULL;
    }
    free_several(&s);
    return status;
}
