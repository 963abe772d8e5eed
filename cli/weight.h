/* The weight that a verb works on: from a file, or random. */
#ifndef CLI_WEIGHT_H
#define CLI_WEIGHT_H

#include "yoke/bench.h"

typedef struct weight_request {
    const char *path, *tensor; /* NULL for a random one; the largest that can be read */
    size_t n, k;               /* of a random one */
    bool has_shape;            /* n and k were asked for */
    yoke_format format;        /* YOKE_FORMAT_NONE: as it comes, f16 for a random one */
    uint64_t seed;
} weight_request;

/* Reads "NxK". */
bool weight_parse_shape(const char *text, weight_request *request);

/* The word behind the options, FILE; refuses what does not go together. CLI_GO_ON, or what
 * cli_usage returns. */
int weight_take_words(int argc, char **argv, weight_request *request);

/* Makes it, with as many threads as the host (which may be NULL) is worth; stops when cli_stopped
 * is set. A random one that memory would not hold beside its packed form is refused.
 * Errors: those of yoke_artefact_open and yoke_artefact_random, YOKE_ERR_UNSUPPORTED. */
yoke_status weight_make(const char *verb, const weight_request *request, const yoke_host *host,
                        yoke_artefact **artefact, yoke_error *err);

#endif
