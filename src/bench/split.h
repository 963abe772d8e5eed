/* The split's suite from the inside: one M of it. */
#ifndef BENCH_SPLIT_H
#define BENCH_SPLIT_H

#include "bench/product.h"
#include "yoke/plan.h"

/* One engine, alone. */
typedef struct split_single {
    bench_engine engine;
    bench_product product;
    yoke_record_row *row;
} split_single;

/* The split, at one M. */
typedef struct split {
    bench *b;
    size_t m;
    split_single *singles; /* one an engine */
    size_t count;
    yoke_engine *usable[YOKE_SPLIT_MAX_ENGINES]; /* those the plan is made of */
    split_single *of[YOKE_SPLIT_MAX_ENGINES];    /*   and what they do alone */
    size_t usable_count;
    yoke_matrix w, x, y;
    yoke_check *check;
    yoke_profile *profile;
    yoke_plan *plan;
    yoke_record_row *row;
    yoke_series series;
    yoke_run run; /* the last one */
    double last_ns;
    yoke_error failure;
} split;

/* Fills the rows from what was measured, and adds one for each window. */
yoke_status split_report(split *s, yoke_error *err);

#endif
