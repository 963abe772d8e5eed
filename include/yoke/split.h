/* The split: how one product is shared among several engines. Profiles hold what was measured, the
 * solver turns them into windows; tune.h makes profiles, plan.h computes by them.
 */
#ifndef YOKE_SPLIT_H
#define YOKE_SPLIT_H

#include "yoke/yoke.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YOKE_SPLIT_MAX_ENGINES 8
#define YOKE_CURVE_MAX_M       32 /* different M of one curve */
#define YOKE_CURVE_MAX_N       32 /* window sizes at each M */

/* ---- Profiles: what was measured on this machine ---- */

/* Curves and contention of one machine (opaque). A curve is an engine's measured time over M and
 * window size for one weight format, K and x precision. Thread-safe for reading; one writer at a
 * time, and no reader then. */
typedef struct yoke_profile yoke_profile;

/* An empty profile for this machine. Errors: YOKE_ERR_MEMORY, YOKE_ERR_UNSUPPORTED (the machine
 * cannot be read). */
YOKE_API yoke_status yoke_profile_create(yoke_profile **profile, yoke_error *err);

/* Reads a profile. path NULL: see yoke_profile_default_path. A rate never travels: the file of
 * another machine, or of another version of yoke, is refused.
 * Errors: YOKE_ERR_NOT_FOUND (no such file), YOKE_ERR_FORMAT (names the field),
 * YOKE_ERR_UNSUPPORTED (another format version, yoke or machine: says which), YOKE_ERR_IO,
 * YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_profile_load(const char *path, yoke_profile **profile, yoke_error *err);

/* Writes it, whole or not at all. path as above; folders are made. Errors: YOKE_ERR_IO,
 * YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_profile_save(const yoke_profile *profile, const char *path,
                                       yoke_error *err);

/* The path that NULL stands for, into out: the user's cache folder ($XDG_CACHE_HOME or ~/.cache, on
 * macOS ~/Library/Caches) /yoke/profile-<host>.json. Errors: YOKE_ERR_IO (no home folder),
 * YOKE_ERR_USAGE (out is too small), YOKE_ERR_MEMORY, YOKE_ERR_UNSUPPORTED (the machine). */
YOKE_API yoke_status yoke_profile_default_path(char *out, size_t out_bytes, yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_profile_free(yoke_profile *profile);

/* One point of a curve. */
typedef struct yoke_curve_point {
    size_t m, n;      /* rows of x, outputs of the window; >= 1 */
    double median_ns; /* of count samples */
    double mad_ns;    /* their median absolute deviation; 0 when not known */
    size_t count;
} yoke_curve_point;

/* What a curve belongs to. */
typedef struct yoke_curve_key {
    const char *engine;      /* the specification it was opened with */
    const char *description; /* as opened (yoke_engine_info), which names ISA, driver and version;
                              * NULL or "": not compared */
    yoke_format format;      /* of the weight */
    size_t k;
    yoke_format x_format; /* 0 means f32 */
    yoke_precision precision;
} yoke_curve_key;

/* Adds a measured point to a curve (made when it is new); a point of the same (m, n) is replaced.
 * When the engine is described otherwise than before, all that was measured of it and with it is
 * dropped first. This is also how tests and simulations make curves. No text is kept by reference.
 * Errors: YOKE_ERR_USAGE (not finite, not positive, too many sizes), YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_profile_add(yoke_profile *profile, const yoke_curve_key *key,
                                      const yoke_curve_point *point, yoke_error *err);

/* Sets how much longer the engine of `key` takes at m rows while `other` (a specification) runs
 * too: 1 is undisturbed. One of the same m and other is replaced. Errors: YOKE_ERR_NOT_FOUND (no
 * curve to add it to), YOKE_ERR_USAGE, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_profile_add_contention(yoke_profile *profile, const yoke_curve_key *key,
                                                 size_t m, const char *other, double slowdown,
                                                 yoke_error *err);

/* Predicted time of a window of n outputs at m rows, undisturbed, in ns. n == 0 gives the fixed
 * cost of a call.
 *   over n  piecewise linear (times that fall as n grows are first pooled into their mean); below
 *           the smallest n the first line goes on to the fixed cost, at least 0; beyond the largest
 *           n the last rising line goes on
 *   over m  linear between measured M; below the smallest M its time, as fewer rows need not take
 *           less; beyond the largest M in proportion
 * Errors: YOKE_ERR_NOT_FOUND (no curve: names it), YOKE_ERR_USAGE. */
YOKE_API yoke_status yoke_profile_predict(const yoke_profile *profile, const yoke_curve_key *key,
                                          size_t m, size_t n, double *ns, yoke_error *err);

/* The predicted slowdown by one other engine at m rows, at least 1: linear between measured m, the
 * nearest one's beyond; 1 where none was measured. */
YOKE_API double yoke_profile_contention(const yoke_profile *profile, const yoke_curve_key *key,
                                        size_t m, const char *other);

/* Drops a curve that stray measurements contradict; the next tune measures it again. */
YOKE_API void yoke_profile_drop(yoke_profile *profile, const yoke_curve_key *key);

/* A slowdown, as it was added. */
typedef struct yoke_contention {
    size_t m;
    const char *other;
    double slowdown;
} yoke_contention;

/* What a profile holds, in a fixed order. False past the end. Texts belong to the profile until it
 * is next changed. */
YOKE_API bool yoke_profile_curve_at(const yoke_profile *profile, size_t index, yoke_curve_key *key);
YOKE_API bool yoke_profile_point_at(const yoke_profile *profile, const yoke_curve_key *key,
                                    size_t index, yoke_curve_point *point);
YOKE_API bool yoke_profile_contention_at(const yoke_profile *profile, const yoke_curve_key *key,
                                         size_t index, yoke_contention *contention);

/* ---- The solver: pure arithmetic on curves ---- */

typedef enum yoke_axis {
    YOKE_AXIS_AUTO = 0,
    YOKE_AXIS_N, /* windows of outputs: each engine holds a part of w */
    YOKE_AXIS_M  /* windows of rows of x and y: each engine holds all of w */
} yoke_axis;

/* A window of one engine. */
typedef struct yoke_window {
    size_t engine;       /* index into the engines given */
    size_t begin, count; /* along the axis */
    double predicted_ns; /* contended, with fixed cost */
} yoke_window;

typedef struct yoke_solution {
    yoke_axis axis;      /* N or M */
    size_t window_count; /* engines with a share, in order of begin; 1: no split */
    yoke_window windows[YOKE_SPLIT_MAX_ENGINES];
    double predicted_ns;   /* slowest window, and the joining cost when there are two or more */
    double best_single_ns; /* of the fastest engine alone, whatever part it holds; infinite when the
                            * largest sizes allow none */
    size_t best_single;    /* its index */
    double ideal_ns;       /* work over the sum of the contended rates of the engines used: no fixed
                            * cost, no granule, no joining */
} yoke_solution;

/* One engine as the solver sees it. */
typedef struct yoke_contender {
    yoke_curve_key key;
    size_t granule_m, granule_n; /* 0 means 1 */
    size_t max_m, max_n;         /* largest window; 0 means any */
    size_t begin_min, end_max;   /* along N, what it holds; end_max 0: to the end */
} yoke_contender;

/* Zero means the default in brackets; negative means none. */
typedef struct yoke_solve_options {
    yoke_axis axis; /* [AUTO] the better one; N when they are equal */
    double join_ns; /* [3000] cost of joining two or more engines */
    double noise;   /* [0.02] a split must win by more than this fraction */
} yoke_solve_options;

/* The windows that minimise the time of the slowest, over every subset of the contenders and each
 * one alone. Windows follow each other in the order of the contenders; borders lie on common
 * multiples of the granules, and the last window takes the ragged end. Exact in whole granules for
 * up to YOKE_SPLIT_MAX_ENGINES. The split is taken only when it is predicted to beat the best
 * single engine that holds all of w by more than `noise`.
 *
 * Slowdowns of more than two engines multiply those of the pairs: an approximation. Along M a
 * window of more rows is never predicted to take less time, slowdowns are those at m, and only
 * engines that hold all of w take part. options may be NULL. Allocates nothing.
 *
 * Errors: YOKE_ERR_NOT_FOUND (a contender without a curve: named), YOKE_ERR_USAGE, YOKE_ERR_SHAPE
 * (m or n is 0, or no engines may take it). Thread-safe. */
YOKE_API yoke_status yoke_solve(const yoke_profile *profile, const yoke_contender *contenders,
                                size_t count, size_t m, size_t n, const yoke_solve_options *options,
                                yoke_solution *solution, yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
