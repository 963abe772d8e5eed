/* SME's outer products give the bits of plain C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_test.h"

typedef struct shape {
    size_t m, n, k;
} shape;

static yoke_context *context;

/* y of random x and w on an engine; the caller frees it. The path has that name. */
static yoke_matrix multiply(const char *specification, const char *path, yoke_format format,
                            yoke_format x_format, shape s)
{
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_matrix x, w, y;
    yoke_timing timing = {0};
    yoke_error err = {0};
    assert_ok(yoke_engine_open(context, specification, &engine, &err), &err);
    assert_ok(yoke_matrix_create(x_format, s.m, s.k, &x, &err), &err);
    assert_ok(yoke_matrix_create(format, s.n, s.k, &w, &err), &err);
    assert_ok(yoke_matrix_create(YOKE_F32, s.m, s.n, &y, &err), &err);
    assert_ok(yoke_matrix_fill_random(&x, 1, &err), &err);
    assert_ok(yoke_matrix_fill_random(&w, 2, &err), &err);
    assert_ok(yoke_weight_prepare(engine, &w, &weight, NULL, &err), &err);
    assert_ok(yoke_weight_multiply(weight, &x, &y, NULL, &timing, &err), &err);
    assert_string_equal(timing.path, path);
    yoke_weight_free(weight);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_engine_free(engine);
    return y;
}

static void bits_are_those_of_plain_c(void **state)
{
    (void)state;
    static const shape shapes[] = {{4, 16, 1},   {5, 7, 33},    {16, 64, 32}, {17, 80, 65},
                                   {31, 130, 7}, {40, 33, 200}, {300, 50, 9}};
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t f = 0; f < 3; f++) {
            const shape s = shapes[i];
            yoke_matrix sme = multiply("cpu,isa=sme", "sme exact", formats[f], formats[2 - f], s);
            yoke_matrix plain =
                multiply("cpu,isa=portable", "portable exact", formats[f], formats[2 - f], s);
            if (memcmp(sme.data, plain.data, s.m * s.n * sizeof(float)) != 0)
                fail_msg("format %d, %zu x %zu x %zu: other bits", (int)formats[f], s.m, s.n, s.k);
            yoke_matrix_free(&sme);
            yoke_matrix_free(&plain);
        }
}

int main(void)
{
    yoke_error err = {0};
    yoke_engine *engine;
    if (yoke_context_create(NULL, &context, &err) != YOKE_OK)
        return 1;
    if (yoke_engine_open(context, "cpu,isa=sme", &engine, &err) != YOKE_OK) {
        printf("skipped: %s\n", err.text);
        yoke_context_free(context);
        return 77;
    }
    yoke_engine_free(engine);
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_those_of_plain_c)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    yoke_context_free(context);
    return failed;
}
