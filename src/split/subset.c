/* The axis is cut into cells of one common granule, numbered from 0; the last cell may be ragged.
 * A time limit lets each entrant take so many cells, and the borders that are then in reach follow
 * from the first window to the last:
 *
 *     0      near[0]..far[0]      near[1]..far[1]      cells
 *     |------- window 0 -------|------- window 1 -------|
 *
 * Every border between near and far can be had. The least time is found by halving the limit until
 * few changes of any window lie between a limit that reaches the end and one that does not, then by
 * going through those changes one by one: exact, as nothing happens between them.
 */
#include "split/subset.h"

#include "base/size.h"

static size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

typedef struct part {
    const line *line;
    size_t spare;     /* what the ragged end lacks, for the last window; else 0 */
    size_t most;      /* cells at most */
    size_t low;       /* its window begins there or later */
    size_t near, far; /* where its window may end under no limit of time */
} part;

typedef struct cells {
    size_t count, granule, parts;
    part part[YOKE_SPLIT_MAX_ENGINES];
} cells;

static size_t window_size(const cells *c, size_t i, size_t count)
{
    return count * c->granule - c->part[i].spare;
}

static double window_time(const cells *c, size_t i, size_t count)
{
    return line_time(c->part[i].line, window_size(c, i, count));
}

/* The most cells that window i may have within a time. */
static size_t cells_within(const cells *c, size_t i, double time)
{
    const part *p = &c->part[i];
    if (p->most == 0)
        return 0;
    return (line_reach(p->line, time, window_size(c, i, p->most)) + p->spare) / c->granule;
}

/* False when the granules leave no window for each. */
static bool cut_cells(const subset *s, cells *c)
{
    c->granule = 1;
    c->parts = s->count;
    for (size_t i = 0; i < s->count; i++)
        if (!size_common_multiple(c->granule, s->entrants[i].granule, &c->granule) ||
            c->granule > s->total)
            return false;
    c->count = size_ceil_div(s->total, c->granule);
    return c->count >= s->count;
}

/* What an entrant may take and holds, in cells. */
static part part_of(const entrant *e, const cells *c, size_t total, bool last)
{
    size_t spare = last ? c->count * c->granule - total : 0;
    size_t room = e->max == 0 || e->max >= total ? total : e->max;
    size_t end = e->end_max == 0 || e->end_max >= total ? c->count : e->end_max / c->granule;
    return (part){.line = &e->line,
                  .spare = spare,
                  .most = size_min((room + spare) / c->granule, c->count),
                  .low = size_ceil_div(e->begin_min, c->granule),
                  .far = end};
}

/* Each window has a cell at least. False when that cannot be. */
static bool bound_borders(cells *c)
{
    size_t begin = 0;
    for (size_t i = 0; i < c->parts; i++) {
        part *p = &c->part[i];
        p->near = size_max(begin, p->low) + 1;
        if (p->far < p->near)
            return false;
        begin = p->near;
    }
    return c->part[c->parts - 1].far == c->count;
}

/* What each window may have within a time, in cells. */
typedef struct limit {
    double time;
    size_t can[YOKE_SPLIT_MAX_ENGINES];
} limit;

static limit limit_of(const cells *c, double time)
{
    limit l = {.time = time};
    for (size_t i = 0; i < c->parts; i++)
        l.can[i] = cells_within(c, i, time);
    return l;
}

/* Can the windows follow each other to the end? */
static bool reaches_end(const cells *c, const limit *l)
{
    size_t begin = 0;
    for (size_t i = 0; i < c->parts; i++) {
        if (l->can[i] == 0 || begin < c->part[i].low)
            return false;
        begin = size_min(begin + l->can[i], c->part[i].far);
    }
    return begin == c->count;
}

/* How many more cells the windows may have, each for itself, at `late` than at `early`. */
static size_t changes_between(const cells *c, const limit *early, const limit *late)
{
    size_t changes = 0;
    for (size_t i = 0; i < c->parts; i++)
        changes += late->can[i] - early->can[i];
    return changes;
}

/* The first time after `early` at which a window may have more, `late` at most. */
static double next_change(const cells *c, const limit *early, double late)
{
    for (size_t i = 0; i < c->parts; i++) {
        if (early->can[i] == c->part[i].most)
            continue;
        double time = window_time(c, i, early->can[i] + 1);
        late = time < late ? time : late;
    }
    return late;
}

/* The least limit that reaches the end; `late` does. */
static limit least_limit(const cells *c, limit late)
{
    limit early = {.time = -1}; /* no window takes less than 0 */
    for (;;) {
        double middle = early.time + (late.time - early.time) / 2;
        bool few = changes_between(c, &early, &late) <= 2 * c->parts ||
                   !(middle > early.time && middle < late.time);
        limit tried = limit_of(c, few ? next_change(c, &early, late.time) : middle);
        bool reaches = reaches_end(c, &tried);
        if (few && reaches)
            return tried;
        if (reaches)
            late = tried;
        else
            early = tried;
    }
}

/* From the last window to the first, each as large as the limit and the others allow. */
static void place_borders(const cells *c, const limit *l, size_t total,
                          size_t counts[YOKE_SPLIT_MAX_ENGINES])
{
    size_t end = c->count;
    for (size_t i = c->parts; i-- > 0;) {
        size_t begin = end > l->can[i] ? end - l->can[i] : 0;
        begin = size_max(begin, i > 0 ? c->part[i - 1].near : 0);
        begin = size_max(begin, c->part[i].low);
        counts[i] = size_min(end * c->granule, total) - begin * c->granule;
        end = begin;
    }
}

bool subset_share(const subset *s, double bound, size_t counts[YOKE_SPLIT_MAX_ENGINES],
                  double *slowest)
{
    cells c;
    if (!cut_cells(s, &c))
        return false;
    for (size_t i = 0; i < s->count; i++)
        c.part[i] = part_of(&s->entrants[i], &c, s->total, i + 1 == s->count);
    if (!bound_borders(&c))
        return false;
    limit within = limit_of(&c, bound);
    if (!reaches_end(&c, &within))
        return false;
    limit least = least_limit(&c, within);
    place_borders(&c, &least, s->total, counts);
    *slowest = least.time;
    return true;
}
