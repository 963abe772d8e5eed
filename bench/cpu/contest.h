/* One case, by all who can: in turns, on weights that no cache holds, between readings of the
 * limits. */
#ifndef CPU_CONTEST_H
#define CPU_CONTEST_H

#include "case.h"
#include "gauge.h"

enum { PEERS_MAX = 8 };

/* How one peer did. */
typedef struct standing {
    bool entered;         /* it can multiply that */
    yoke_verdict verdict; /* other than right: nothing was timed */
    size_t batches, counted;
    bool has_figure;
    yoke_statistics time; /* ns, of the batches that count */
} standing;

typedef struct outcome {
    reading best;                  /* of each limit */
    size_t copies;                 /* of the weight, in turns */
    standing standings[PEERS_MAX]; /* in the order of the peers */
} outcome;

/* Errors: those of making the case, of the limits, and YOKE_ERR_MEMORY. */
yoke_status contest_run(const gauge *g, const bench_case *c, const peer *const *peers, size_t count,
                        double batch_seconds, outcome *out, yoke_error *err);

#endif
