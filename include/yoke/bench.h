/* The bench: what each engine can really do with a weight, as a record. */
#ifndef YOKE_BENCH_H
#define YOKE_BENCH_H

#include "yoke/record.h"
#include "yoke/yoke.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weight that is measured (opaque). */
typedef struct yoke_artefact yoke_artefact;

/* What making an artefact takes. Zero means default. */
typedef struct yoke_artefact_options {
    yoke_format format; /* [as stored; f16 for a random one] converted to it when it differs */
    size_t threads;     /* to fill or convert with [1] */
    const volatile bool *stop; /* YOKE_ERR_INTERRUPTED once it is set */
} yoke_artefact_options;

/* Makes a random weight, n outputs by k inputs; the values depend on the seed, the shape and the
 * format alone. options may be NULL. Free with yoke_artefact_free.
 * Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED (no random values in that format), YOKE_ERR_MEMORY,
 * YOKE_ERR_INTERRUPTED. */
YOKE_API yoke_status yoke_artefact_random(size_t n, size_t k, uint64_t seed,
                                          const yoke_artefact_options *options,
                                          yoke_artefact **artefact, yoke_error *err);

/* Opens a weight file; tensor names the matrix, NULL takes the largest readable one. options may be
 * NULL. Errors: those of yoke_file_open and yoke_file_matrix; YOKE_ERR_NOT_FOUND (no such tensor,
 * or none that can be read), YOKE_ERR_SHAPE (it is empty), YOKE_ERR_UNSUPPORTED (the conversion),
 * YOKE_ERR_INTERRUPTED. */
YOKE_API yoke_status yoke_artefact_open(const char *path, const char *tensor,
                                        const yoke_artefact_options *options,
                                        yoke_artefact **artefact, yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_artefact_free(yoke_artefact *artefact);

/* The weight, and what identifies it. Owned by the artefact. */
YOKE_API const yoke_matrix *yoke_artefact_matrix(const yoke_artefact *artefact);
YOKE_API const yoke_identity *yoke_artefact_identity(const yoke_artefact *artefact);

/* The suites, as bits. */
typedef enum yoke_bench_suite {
    YOKE_BENCH_READ = 1 << 0,       /* weight-read bandwidth at M = 1, by a fit over sizes */
    YOKE_BENCH_COMPUTE = 1 << 1,    /* M from 1 to 2048, against the register-only peak; odd K */
    YOKE_BENCH_DISPATCH = 1 << 2,   /* a tiny product, blocking against polling */
    YOKE_BENCH_WAKE = 1 << 3,       /* what blocking adds to a short task; no engine takes part */
    YOKE_BENCH_ALL = 15,            /* of the above: what there is to say of a single engine */
    YOKE_BENCH_CONTENTION = 1 << 4, /* what each keeps of its rate beside each other one */
    YOKE_BENCH_SPLIT = 1 << 5,      /* one product shared by all, against the best single one */
    YOKE_BENCH_ANE = 1 << 6         /* what only the Neural Engine's sizes and chains show */
} yoke_bench_suite;

/* "read", "compute", "dispatch", "wake", "contention", "split", "ane"; "unknown suite" for anything
 * but one bit. Static. */
YOKE_API const char *yoke_bench_suite_name(yoke_bench_suite suite);

/* Zero means the default in brackets. */
typedef struct yoke_bench_options {
    unsigned suites;             /* [YOKE_BENCH_ALL] */
    double seconds;              /* of measuring, for each engine, about [90] */
    yoke_precision precision;    /* [full] */
    yoke_format x_format;        /* [f32] f32, f16 or bf16 */
    const char *const *together; /* [those of the run] engines of contention and split */
    size_t together_count;
    size_t cache_bytes; /* of the last-level caches [as the host says] */
    const volatile bool *stop;
    void (*progress)(void *arg, const char *what); /* told what begins; from the calling thread */
    void *progress_arg;
    size_t ane_side; /* [1024, the most] of the suite ane's weights: all shrink with it */
} yoke_bench_options;

/* Whether figures measured here would be this machine's: yoke_bench_run asks too, but only once
 * there is a weight. host may be NULL: not known.
 * Errors: YOKE_ERR_UNSUPPORTED: no, this process is translated. Thread-safe. */
YOKE_API yoke_status yoke_bench_check_host(const yoke_host *host, yoke_error *err);

/* Runs the suites on each engine in turn, and adds rows, engines and notes to the record.
 *
 * specifications  engines, as yoke_engine_open takes them
 *
 * An engine that fails, or answers wrong, leaves FAILED rows in the record (yoke_record_failed);
 * that is not an error. Beside the artefact and its prepared form, 64 MiB are used at most;
 * contention holds the prepared forms of all engines at once, split two or three of each, of a part
 * of four times the caches. A split over a single engine is a note, and so is the suite of
 * the Neural Engine without one.
 * Errors: YOKE_ERR_USAGE (options; contention of a single engine), those of yoke_engine_open and
 * yoke_bench_check_host, YOKE_ERR_INTERRUPTED, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_bench_run(yoke_context *context, const char *const *specifications,
                                    size_t count, const yoke_artefact *artefact,
                                    const yoke_bench_options *options, yoke_record *record,
                                    yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
