/* A library that multiplies matrices on the CPU, to be timed beside the others. */
#ifndef CPU_PEER_H
#define CPU_PEER_H

#include <stdbool.h>

#include "yoke/yoke.h"

/* y = x * w^T, once. Memory that outlives what is prepared with it. */
typedef struct problem {
    const yoke_matrix *w, *x;
    yoke_matrix *y;           /* f32 */
    yoke_precision precision; /* how exactly x must be used */
} problem;

typedef struct peer {
    const char *name;
    /* Loads it, and says which version; false where it is not installed. */
    bool (*open)(char *version, size_t bytes);
    /* Makes the weight ready, in whatever form it likes best; NULL when it cannot multiply that. */
    void *(*prepare)(const problem *p);
    void (*multiply)(void *prepared);
    void (*release)(void *prepared);
} peer;

extern const peer peer_yoke, peer_openblas, peer_blis;
#ifdef HAVE_ONEDNN
extern const peer peer_onednn;
#endif

#endif
