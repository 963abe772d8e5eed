/* The peers that are here. */
#ifndef CPU_ROSTER_H
#define CPU_ROSTER_H

#include "contest.h"

typedef struct roster {
    const peer *peers[PEERS_MAX]; /* yoke first */
    char versions[PEERS_MAX][64];
    size_t count;
    size_t threads; /* that each was told to use */
} roster;

/* Opens what is found of yoke, OpenBLAS, BLIS and the modules of `modules`, paths with ':' between.
 * Their threads are told by the environment, which must be read by none of them before. */
yoke_status roster_open(const char *modules, roster *out, yoke_error *err);

#endif
