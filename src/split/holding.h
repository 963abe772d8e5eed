/* Outputs of w, prepared on one engine. */
#ifndef SPLIT_HOLDING_H
#define SPLIT_HOLDING_H

#include "yoke/plan.h"

typedef struct holding {
    size_t begin, end; /* rows of w */
    yoke_weight *weight;
    uint64_t bytes;
    size_t users; /* layouts that use it */
    struct holding *next;
} holding;

struct party;

/* Whether the engine can compute [begin, begin + count) from it, given its granule. */
bool holding_covers(const holding *h, size_t granule, size_t begin, size_t count);

/* A holding that covers [begin, begin + count); NULL when there is none. */
holding *holding_find(const struct party *p, size_t begin, size_t count);

/* The one with the most outputs; NULL when there is none. */
const holding *holding_widest(const struct party *p);

/* Prepares rows [begin, end) of w. Errors: those of yoke_weight_prepare. */
yoke_status holding_prepare(struct party *p, const yoke_matrix *w, size_t begin, size_t end,
                            holding **made, yoke_error *err);

/* Frees those without users; all of them when `all`. */
void holding_free_unused(struct party *p, bool all);

#endif
