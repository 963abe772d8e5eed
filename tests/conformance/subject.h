/* The engine that a conformance test is about: each program runs all its tests once for every
 * specification on its command line. */
#ifndef CONFORMANCE_SUBJECT_H
#define CONFORMANCE_SUBJECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yoke/yoke.h"

typedef struct subject {
    const char *specification;
    yoke_context *context;
    yoke_engine *engine;
    const yoke_engine_facts *facts;
} subject;

extern subject tested;

/* Runs the tests for each of argv[1..]. What this machine cannot open is passed over, said so; with
 * none left the program is skipped. For main to return. */
int subject_run_all(int argc, char **argv, const struct CMUnitTest *tests, size_t count);

#define SUBJECT_MAIN(tests)                                                                        \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return subject_run_all(argc, argv, tests, sizeof(tests) / sizeof(tests)[0]);               \
    }

/* Opens the tested engine a second time with more options; NULL when it does not know them or
 * cannot have them here, which is printed. */
yoke_engine *subject_open_variant(const char *more_options);

/* Does it take weights of this format, with any values? Only what rounds to f16 may not. */
bool subject_takes(yoke_format format);

/* Prepares, multiplies, frees; any failure fails the test with its text. */
yoke_weight *prepare_on(yoke_engine *engine, const yoke_matrix *w);
void multiply_with(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y,
                   const yoke_multiply_options *options);
void multiply_once(const yoke_matrix *x, const yoke_matrix *w, yoke_matrix *y,
                   const yoke_multiply_options *options);

#endif
