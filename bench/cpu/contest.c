#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES_MAX = 64, COLD_ROWS = 128 /* with more, computing takes longer than reading w */ };

typedef struct contender {
    const peer *peer;
    standing *standing;
    void *prepared[COPIES_MAX];
    size_t copies, next;
    batch batches[SPELL_TRIES];
} contender;

typedef struct contest {
    const gauge *gauge;
    case_data data;
    contender contenders[PEERS_MAX];
    size_t count;
    uint64_t batch_ns;
    reading last; /* taken */
    outcome *out;
} contest;

static bool in_the_race(const contender *c)
{
    return c->standing->entered && c->standing->verdict == YOKE_VERDICT_RIGHT;
}

/* y holds no result of the one before when it is judged. */
static void enter(contest *all, contender *c)
{
    const yoke_matrix *y = &all->data.y;
    for (; c->copies < all->out->copies; c->copies++)
        if (!(c->prepared[c->copies] = c->peer->prepare(&all->data.problem)))
            return;
    memset(y->data, 0xFF, y->rows * y->cols * sizeof(float));
    c->peer->multiply(c->prepared[0]);
    c->standing->entered = true;
    c->standing->verdict = case_judge(&all->data);
}

static yoke_status take_reading(contest *all, yoke_error *err)
{
    yoke_status status = gauge_read(all->gauge, &all->data.problem, &all->last, err);
    if (status == YOKE_OK)
        all->out->best = spell_best(all->out->best, all->last);
    return status;
}

static double time_one(contender *c)
{
    uint64_t begin = yoke_clock_ns();
    c->peer->multiply(c->prepared[c->next++ % c->copies]);
    return (double)(yoke_clock_ns() - begin);
}

static yoke_status take_batch(contest *all, contender *c, yoke_error *err)
{
    batch *b = &c->batches[c->standing->batches++];
    b->before = all->last;
    gauge_rest();
    (void)time_one(c); /* wakes its threads */
    yoke_status status = YOKE_OK;
    for (double ns = 0; ns < (double)all->batch_ns && status == YOKE_OK;) {
        double one = time_one(c);
        status = yoke_series_add(&b->samples, one, err);
        ns += one;
    }
    if (status == YOKE_OK)
        status = take_reading(all, err);
    b->after = all->last;
    return status;
}

/* Rounds over all who lack batches that count; the best of the case may still rise, so that it is
 * counted again in each. */
static yoke_status take_turns(contest *all, yoke_error *err)
{
    yoke_status status = take_reading(all, err);
    for (size_t round = 0; round < SPELL_TRIES && status == YOKE_OK; round++)
        for (size_t i = 0; i < all->count && status == YOKE_OK; i++) {
            contender *c = &all->contenders[i];
            if (in_the_race(c) &&
                spell_count(c->batches, c->standing->batches, all->out->best) < SPELL_BATCHES)
                status = take_batch(all, c, err);
        }
    return status;
}

static yoke_status sum_up(const contender *c, reading best, yoke_error *err)
{
    standing *s = c->standing;
    yoke_series counted = {0};
    yoke_status status = YOKE_OK;
    s->counted = spell_count(c->batches, s->batches, best);
    for (size_t i = 0; i < s->batches; i++)
        for (size_t j = 0; spell_free(&c->batches[i], best) && j < c->batches[i].samples.count; j++)
            if (status == YOKE_OK)
                status = yoke_series_add(&counted, c->batches[i].samples.samples_ns[j], err);
    s->has_figure = s->counted >= SPELL_ENOUGH;
    if (status == YOKE_OK && s->has_figure)
        status = yoke_statistics_of(counted.samples_ns, counted.count, &s->time, err);
    yoke_series_free(&counted);
    return status;
}

static yoke_status hold(contest *all, const peer *const *peers, yoke_error *err)
{
    outcome *out = all->out;
    out->copies =
        all->data.x.rows > COLD_ROWS ? 1 : COLD_BYTES / yoke_matrix_bytes(&all->data.w) + 1;
    out->copies = out->copies > COPIES_MAX ? COPIES_MAX : out->copies;
    for (size_t i = 0; i < all->count; i++) {
        all->contenders[i].peer = peers[i];
        all->contenders[i].standing = &out->standings[i];
        enter(all, &all->contenders[i]);
    }
    yoke_status status = take_turns(all, err);
    for (size_t i = 0; i < all->count && status == YOKE_OK; i++)
        status = sum_up(&all->contenders[i], out->best, err);
    return status;
}

static void clear(contest *all)
{
    for (size_t i = 0; i < all->count; i++) {
        contender *c = &all->contenders[i];
        for (size_t j = 0; j < c->copies; j++)
            c->peer->release(c->prepared[j]);
        for (size_t j = 0; j < SPELL_TRIES; j++)
            yoke_series_free(&c->batches[j].samples);
    }
    case_free(&all->data);
    free(all);
}

yoke_status contest_run(const gauge *g, const bench_case *c, const peer *const *peers, size_t count,
                        double batch_seconds, outcome *out, yoke_error *err)
{
    *out = (outcome){.best = {INFINITY, INFINITY}};
    contest *all = calloc(1, sizeof *all);
    if (!all)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a contest");
    *all = (contest){
        .gauge = g, .count = count, .batch_ns = (uint64_t)(batch_seconds * 1e9), .out = out};
    yoke_status status = case_make(c, &all->data, err);
    if (status == YOKE_OK)
        status = hold(all, peers, err);
    clear(all);
    return status;
}
