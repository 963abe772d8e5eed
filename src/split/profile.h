/* A profile, as the library keeps it. */
#ifndef SPLIT_PROFILE_H
#define SPLIT_PROFILE_H

#include <stdint.h>

#include "split/curve.h"

/* What makes a machine another one: rates measured on it are worth nothing elsewhere. */
typedef struct profile_host {
    char cpu[128];
    char machine[128];
    size_t cores;
    size_t memory_gib; /* rounded up: kernels keep varying bits for themselves */
} profile_host;

typedef struct profile_engine {
    char *name;        /* specification */
    char *description; /* "" when not known */
} profile_engine;

typedef struct profile_contention {
    size_t m, other; /* other: index of an engine */
    double slowdown;
} profile_contention;

typedef struct profile_curve {
    size_t engine; /* index */
    yoke_format format, x_format;
    size_t k;
    yoke_precision precision;
    curve curve;
    profile_contention *contentions; /* by other, then by rising m */
    size_t contention_count;
} profile_curve;

struct yoke_profile {
    profile_host host;
    profile_engine *engines;
    size_t engine_count;
    profile_curve *curves;
    size_t curve_count;
};

#define PROFILE_LONGEST_NS 1e18 /* 31 years: times and sizes multiplied stay far from infinity */

/* A size that JSON and doubles hold too. */
static inline bool profile_plausible_size(size_t size)
{
    return size > 0 && size <= PTRDIFF_MAX;
}

/* This machine. Errors: YOKE_ERR_MEMORY, YOKE_ERR_UNSUPPORTED. */
yoke_status profile_host_read(profile_host *host, yoke_error *err);

/* The key's curve; NULL with YOKE_ERR_NOT_FOUND or YOKE_ERR_USAGE in *status when there is none. */
const profile_curve *profile_find(const yoke_profile *profile, const yoke_curve_key *key,
                                  yoke_status *status, yoke_error *err);

/* The index of an engine, made when it is new. Errors: YOKE_ERR_MEMORY. */
yoke_status profile_engine_of(yoke_profile *profile, const char *name, size_t *index,
                              yoke_error *err);

yoke_status profile_no_memory(const char *engine, yoke_error *err);

/* Forgets what a curve's engine was measured beside that other one. */
void profile_drop_contentions(profile_curve *entry, size_t other);

/* The slowdown of a curve's engine at m rows by an engine of that name, at least 1. */
double profile_contention_of(const yoke_profile *profile, const profile_curve *found, size_t m,
                             const char *other);

#endif
