/* What is measured: products y = x * w^T by shape and format of the weight. */
#ifndef CPU_CASE_H
#define CPU_CASE_H

#include "peer.h"

typedef struct bench_case {
    yoke_format format; /* of w */
    size_t m, n, k;
} bench_case;

/* The cases measured when none is named: those that language models meet, K = 4096. */
extern const bench_case cases_default[];
extern const size_t cases_default_count;

/* "FORMAT:M", "FORMAT:MxN" or "FORMAT:MxNxK"; N and K are 4096 where not said. */
bool case_parse(const char *text, bench_case *out);

/* The matrices of a case, filled at random, and the check of its results. */
typedef struct case_data {
    yoke_matrix w, x, y;
    yoke_check *check;
    problem problem;
} case_data;

yoke_status case_make(const bench_case *c, case_data *out, yoke_error *err);
void case_free(case_data *data);

/* What a contender left in y. */
yoke_verdict case_judge(const case_data *data);

#endif
