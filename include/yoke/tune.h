/* Tuning: measures the engines on a weight, and fills a profile that the solver splits by. */
#ifndef YOKE_TUNE_H
#define YOKE_TUNE_H

#include "yoke/split.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero means the default in brackets. */
typedef struct yoke_tune_options {
    double seconds; /* [50] the whole call, about */
    const size_t
        *m; /* [1, 8, 64, 512, as far as the time allows] rows of x to measure at, rising */
    size_t m_count;
    yoke_format x_format; /* [f32] f32, f16 or bf16 */
    yoke_precision precision;
    /* Told what begins, and how much of the time is spent (0 to 1); from the calling thread. */
    void (*progress)(void *arg, const char *what, double done);
    void *progress_arg;
    const volatile bool *stop; /* YOKE_ERR_INTERRUPTED once it is set */
} yoke_tune_options;

/* Measures each engine alone, over windows of w of several sizes and over M, in turns with the
 * others; then each beside each other one. Adds the curves and slowdowns to the profile.
 *
 * engines  at most YOKE_SPLIT_MAX_ENGINES, each with a specification of its own
 * w        n by k. Each engine prepares all of it; the windows wander over it, so that a weight
 *          larger than the caches is read from memory
 * options  NULL for the defaults. An M whose smallest window would take too long is left out
 *
 * Each engine's answer for each window size and M is checked before it is timed. An engine that
 * fails, or answers wrong, gets no curve (what an earlier tuning left is dropped); the others are
 * measured all the same, and the error then names it. What was measured stays in the profile
 * whatever is returned.
 * Errors: YOKE_ERR_INTERRUPTED, YOKE_ERR_CHECK (a wrong engine), those of the engines,
 * YOKE_ERR_USAGE, YOKE_ERR_SHAPE, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_tune(yoke_engine *const *engines, size_t count, const yoke_matrix *w,
                               const yoke_tune_options *options, yoke_profile *profile,
                               yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
