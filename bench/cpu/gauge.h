/* What the machine can do at the moment: a plain read, and computing on registers alone. */
#ifndef CPU_GAUGE_H
#define CPU_GAUGE_H

#include "peer.h"
#include "spell.h"

/* As many as no cache holds much of. */
#define COLD_BYTES ((size_t)512 << 20)

typedef struct gauge {
    yoke_engine *engine;
    yoke_matrix bytes; /* to read: COLD_BYTES */
} gauge;

yoke_status gauge_open(yoke_context *context, gauge *out, yoke_error *err);
void gauge_close(gauge *g);

/* Both limits for this problem, after a rest. */
yoke_status gauge_read(const gauge *g, const problem *p, reading *out, yoke_error *err);

/* Until the threads of the one before have stopped spinning. */
void gauge_rest(void);

#endif
