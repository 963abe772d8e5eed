/* Plans: one product on several engines at once, checked, and never wrong because one of them is.
 *
 *     yoke_plan *plan;  yoke_plan_create(engines, 2, &w, profile, NULL, &plan, &err);
 *     yoke_matmul(plan, &x, &y, NULL, NULL, &err);
 */
#ifndef YOKE_PLAN_H
#define YOKE_PLAN_H

#include "yoke/split.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Windows of one weight, prepared on several engines (opaque). */
typedef struct yoke_plan yoke_plan;

/* Zero means the default in brackets. */
typedef struct yoke_plan_options {
    size_t m;             /* [1] the M that windows are prepared for */
    yoke_format x_format; /* [f32] of the curves used; any product may have another */
    yoke_precision precision;
    double tolerance; /* [any] largest error the caller accepts, relative to sum |w||x|. An engine
                       * that cannot promise it gets no share: one whose sums may lose more
                       * (k + 2 roundings of its type), that saturates, or that quantises x */
    double slack;     /* [0.0625] how far a border may move without preparing again, as a fraction
                       * of N; negative: not at all */
    bool fixed;       /* never move a border */
    bool check_every; /* check every product, not just the first ones */
    uint64_t deadline_ns; /* [20 times what is expected, at least 2 s] an engine that takes longer
                           * is lost */
    yoke_solve_options solve;
} yoke_plan_options;

/* Chooses windows, in the order of the engines, and prepares them. An engine without a curve in
 * `profile` (which may be NULL, and may go away) is first measured, in brief, on w itself.
 *
 * engines  each with a specification of its own, alive until yoke_plan_free
 * w        n by k, alive until yoke_plan_free: windows that are prepared anew read it again
 * options  NULL for the defaults
 *
 * Of the engines that compute on the calling thread (facts.computes_on_caller) a product uses one
 * at most: the caller works on its window while the others do theirs.
 *
 * Errors: YOKE_ERR_USAGE, YOKE_ERR_SHAPE, YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (none left: the last
 * one's reason), YOKE_ERR_UNSUPPORTED (no engine can promise the tolerance). */
YOKE_API yoke_status yoke_plan_create(yoke_engine *const *engines, size_t count,
                                      const yoke_matrix *w, const yoke_profile *profile,
                                      const yoke_plan_options *options, yoke_plan **plan,
                                      yoke_error *err);

/* No product is under way. Takes NULL. */
YOKE_API void yoke_plan_free(yoke_plan *plan);

/* The windows that a product of m rows would take now, and what is predicted for it. Thread-safe.
 * Errors: YOKE_ERR_USAGE, YOKE_ERR_SHAPE (m is 0, or too large for every engine), YOKE_ERR_ENGINE
 * (none left). */
YOKE_API yoke_status yoke_plan_describe(yoke_plan *plan, size_t m, yoke_solution *solution,
                                        yoke_error *err);

/* Bytes the plan holds beyond w: prepared windows, overlaps, checks. Thread-safe. */
YOKE_API uint64_t yoke_plan_bytes(yoke_plan *plan);

/* What one engine did in one product. */
typedef struct yoke_run_part {
    size_t engine;       /* index into the plan's engines */
    size_t begin, count; /* along the axis */
    yoke_timing timing;  /* all 0 when it failed */
    double predicted_ns;
    yoke_verdict verdict; /* of its window; UNCHECKED when it was not checked */
    yoke_status failed;   /* YOKE_OK, or why its window was computed again by `redone_by` */
    size_t redone_by;
} yoke_run_part;

/* The report on one product. Zeroed by the call. */
typedef struct yoke_run {
    yoke_axis axis;
    size_t part_count;
    yoke_run_part parts[YOKE_SPLIT_MAX_ENGINES];
    uint64_t begin_ns, end_ns;
    double predicted_ns, best_single_ns, ideal_ns; /* as in yoke_solution */
    uint64_t copied_bytes;                         /* of x and y, by engines and for beta */
    bool border_moved;    /* the next product of this M takes other windows */
    uint32_t quarantined; /* bit i: engine i failed and is out for the rest of the plan's life */
    char note[160];       /* "" or one line: what went wrong and what was done */
} yoke_run;

/* Zero means default: y = x * w^T. */
typedef struct yoke_matmul_options {
    bool scaled; /* use alpha and beta; else 1 and 0 */
    float alpha, beta;
    bool pin_path; /* a row's bits do not depend on the other rows of x */
    bool check;    /* check this product's windows */
} yoke_matmul_options;

/* y = alpha * x * w^T + beta * y, by the plan's engines.
 *
 * x        m by k, row-major, any row stride; f32, f16 or bf16
 * y        m by n, the same; never read when beta == 0; does not overlap x
 * options  NULL for the defaults
 * run      if not NULL: who computed which window, when, and what was checked
 *
 * Blocks until y is complete. Safe from several threads on one plan with different y.
 *
 * The first product of each M (in steps, beyond 64) on each prepared window is checked; where alpha
 * or beta is used, by an unscaled product of its own. An engine that fails, hangs or gives a wrong
 * answer is not an error: it is quarantined, its window is computed by another, checked, and *run
 * says so.
 *
 * What engines take moves the borders: the median of the last five products of an M decides, when
 * at least 2 % are to be won. Beyond the slack it takes 10 %, as windows are prepared anew; so are
 * they at the first product of an M whose best windows would be that much faster. Products that run
 * at the same time on one plan move no border.
 *
 * Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED (a format), YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (no
 * engine left; y undefined). */
YOKE_API yoke_status yoke_matmul(yoke_plan *plan, const yoke_matrix *x, yoke_matrix *y,
                                 const yoke_matmul_options *options, yoke_run *run,
                                 yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
