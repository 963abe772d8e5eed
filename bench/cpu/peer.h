/* A library that multiplies matrices on the CPU, to be timed beside the others. */
#ifndef CPU_PEER_H
#define CPU_PEER_H

#include <stdbool.h>

#include "yoke/yoke.h"

/* y = x * w^T, once. Memory that outlives what is prepared with it.
 *
 * w   int8: a scale for each row, no zero
 * x   f32, f16 or bf16; for an int8 weight f32, all of it whole multiples of X_INT8_STEP within
 *     what int8 holds. A peer may keep a copy of it in any form that precision allows. */
typedef struct problem {
    const yoke_matrix *w, *x;
    yoke_matrix *y;           /* f32 */
    yoke_precision precision; /* how exactly x must be used */
} problem;

#define X_INT8_STEP 0x1p-12f

typedef struct peer {
    const char *name;
    /* Loads it, to use so many threads, and says which version; false where it is not installed. */
    bool (*open)(size_t threads, char *version, size_t bytes);
    /* Makes the weight ready, in whatever form it likes best; NULL when it cannot multiply that. */
    void *(*prepare)(const problem *p);
    void (*multiply)(void *prepared);
    void (*release)(void *prepared);
} peer;

/* Built in: what is loaded at run time, or never in the way of another. */
extern const peer peer_yoke, peer_openblas, peer_blis;

/* A peer that is linked stands in a module of its own, so that two versions do not meet, and goes
 * by this name. */
#define PEER_MODULE __attribute__((visibility("default"))) const peer peer_of_module
extern PEER_MODULE;

#endif
