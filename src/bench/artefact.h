/* An artefact from the inside. */
#ifndef BENCH_ARTEFACT_H
#define BENCH_ARTEFACT_H

#include "yoke/bench.h"

struct yoke_artefact {
    yoke_matrix matrix;
    yoke_matrix owned; /* made or converted; its data is NULL when the matrix is the file's own */
    yoke_file *file;   /* NULL for a random one */
    yoke_identity identity;
};

/* Fills what identifies the artefact beside its origin: shape, bytes, hash, pages of zeros.
 * The hash covers the file's beginning (when there is a file) and pages spread over the weight. */
void artefact_identify(yoke_artefact *artefact);

#endif
