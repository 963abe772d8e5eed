/* The windows of the products of one M: chosen, prepared, and moved as measurements say. A layout
 * that is published is not changed, but for what is atomic or marked. */
#ifndef SPLIT_LAYOUT_H
#define SPLIT_LAYOUT_H

#include <stdatomic.h>

#include "split/border.h"
#include "split/holding.h"

/* M up to 64 each have a bucket; beyond, eight share each doubling. */
#define LAYOUT_EXACT_M 64
#define LAYOUT_BUCKETS (LAYOUT_EXACT_M + 8 * 58)

typedef struct layout_part {
    size_t engine;
    size_t begin, count; /* along the axis; rows for layout.m of them */
    holding *held;
    double predicted_ns;              /* when the layout was made */
    double fixed_ns;                  /* of its time, what does not depend on count */
    atomic_uint_fast64_t expected_ns; /* at first what was predicted, then what was measured */
    atomic_bool checked;
} layout_part;

/* What may still become of a layout, by what its products take:
 *
 *   SPLIT      a better border, prepared anew if need be   -> SPLIT, or ALONE: one engine gets all
 *              a better border that cannot be prepared     -> SETTLED
 *              slower than the best engine is alone        -> STANDS_IN
 *   SETTLED    a better border within what is prepared     -> SPLIT
 *   STANDS_IN  no faster than the split was, or patience is over: the split is chosen again
 *                                                          -> SPLIT, or ALONE when there is none
 *   ALONE      nothing */
typedef enum layout_state {
    LAYOUT_ALONE, /* one engine */
    LAYOUT_SPLIT,
    LAYOUT_SETTLED,  /* a split that stays within what is prepared */
    LAYOUT_STANDS_IN /* one engine, for a split that was given up */
} layout_state;

typedef struct layout {
    size_t m; /* the largest M it is for */
    yoke_axis axis;
    size_t total, granule; /* along the axis */
    size_t part_count;
    layout_part parts[YOKE_SPLIT_MAX_ENGINES];
    size_t order[YOKE_SPLIT_MAX_ENGINES]; /* in which parts are submitted */
    bool last_is_caller;                  /* the last of them computes when waited for */
    double predicted_ns, best_single_ns, ideal_ns;
    size_t best_single;
    border_history history; /* this and the rest under the plan's lock */
    layout_state state;
    size_t patience;      /* products that an engine stands in for a split; 0: none has so far */
    double instead_of_ns; /* STANDS_IN: what the split took */
    struct layout *next;  /* when retired */
} layout;

/* The bucket of m >= 1, and the largest M in it. */
size_t layout_bucket(size_t m);
size_t layout_bucket_top(size_t bucket);

/* Where part i begins when there are m rows; i == part_count gives the end. */
size_t layout_begin(const layout *l, size_t i, size_t m);

/* The plan's layout for m rows, made when there is none. */
yoke_status layout_get(yoke_plan *plan, size_t m, layout **out, yoke_error *err);

/* What layout_get would choose or has, for exactly m rows. */
yoke_status layout_describe(yoke_plan *plan, size_t m, yoke_solution *solution, yoke_error *err);

/* A layout of these windows with everything it needs prepared, not published. Under the lock. On
 * failure *failed is the engine that could not prepare, or the number of engines. */
yoke_status layout_make(yoke_plan *plan, size_t m, const yoke_solution *solution, layout **out,
                        size_t *failed, yoke_error *err);

/* Puts `made` in the place of `old`, which is retired. Under the lock. */
void layout_replace(yoke_plan *plan, size_t bucket, layout *old, layout *made);

/* Frees one that is not published. Under the lock. */
void layout_free(layout *l);

#endif
