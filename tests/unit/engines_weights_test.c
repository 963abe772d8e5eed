/* Several weights prepared with one call, on engines that have no way of their own for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_test.h"

enum { M = 3, K = 32, COUNT = 4 };
static const size_t outputs[COUNT] = {8, 1, 0, 40}; /* one is empty */

typedef struct several {
    yoke_context *context;
    yoke_engine *engine;
    yoke_matrix w[COUNT], x;
    yoke_weight *weights[COUNT];
    yoke_prepare_report reports[COUNT];
    yoke_error err;
} several;

static void open_several(several *s, const char *specification)
{
    memset(s, 0, sizeof *s);
    assert_ok(yoke_context_create(NULL, &s->context, &s->err), &s->err);
    assert_ok(yoke_engine_open(s->context, specification, &s->engine, &s->err), &s->err);
    assert_ok(yoke_matrix_create(YOKE_F32, M, K, &s->x, &s->err), &s->err);
    assert_ok(yoke_matrix_fill_random(&s->x, 1, &s->err), &s->err);
    for (size_t i = 0; i < COUNT; i++) {
        assert_ok(yoke_matrix_create(YOKE_F32, outputs[i], K, &s->w[i], &s->err), &s->err);
        assert_ok(yoke_matrix_fill_random(&s->w[i], 2 + i, &s->err), &s->err);
    }
}

static void close_several(several *s)
{
    for (size_t i = 0; i < COUNT; i++)
        yoke_matrix_free(&s->w[i]);
    yoke_matrix_free(&s->x);
    yoke_engine_free(s->engine);
    yoke_context_free(s->context);
}

static yoke_status prepare(several *s)
{
    return yoke_weights_prepare(s->engine, s->w, COUNT, s->weights, s->reports, &s->err);
}

static void assert_right(several *s, size_t i)
{
    const float *x = s->x.data, *w = s->w[i].data;
    float y_data[M * 40];
    yoke_matrix y = matrix_f32(y_data, M, outputs[i]);
    assert_ok(yoke_weight_multiply(s->weights[i], &s->x, &y, NULL, NULL, &s->err), &s->err);
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < outputs[i]; n++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < K; k++) {
                const double term = (double)x[m * K + k] * (double)w[n * K + k];
                sum += term;
                size += term < 0 ? -term : term;
            }
            const double error = (double)y_data[m * outputs[i] + n] - sum;
            assert_true((error < 0 ? -error : error) <= 1e-5 * size);
        }
}

static void each_is_the_weight_of_its_matrix(void **state)
{
    (void)state;
    const char *const engines[] = {"ref", "cpu"};
    for (size_t e = 0; e < 2; e++) {
        several s;
        open_several(&s, engines[e]);
        assert_ok(prepare(&s), &s.err);
        for (size_t i = COUNT; i-- > 0;) { /* the last first, and freed as they are done */
            assert_int_equal(yoke_weight_outputs(s.weights[i]), outputs[i]);
            assert_int_equal(s.reports[i].format, YOKE_F32);
            assert_right(&s, i);
            yoke_weight_free(s.weights[i]);
        }
        close_several(&s);
    }
}

static void the_matrix_at_fault_is_named_and_nothing_stays(void **state)
{
    (void)state;
    several s;
    open_several(&s, "fake,max_n=10");
    assert_int_equal(prepare(&s), YOKE_ERR_SHAPE);
    assert_says(&s.err, "w[3]: ");
    assert_says(&s.err, "w has 40 rows");
    for (size_t i = 0; i < COUNT; i++)
        assert_null(s.weights[i]);
    close_several(&s);
}

static void none_is_not_an_error_and_null_is(void **state)
{
    (void)state;
    several s;
    open_several(&s, "ref");
    assert_ok(yoke_weights_prepare(s.engine, s.w, 0, s.weights, NULL, &s.err), &s.err);
    assert_int_equal(yoke_weights_prepare(NULL, s.w, 1, s.weights, NULL, NULL), YOKE_ERR_USAGE);
    assert_int_equal(yoke_weights_prepare(s.engine, s.w, 1, NULL, NULL, NULL), YOKE_ERR_USAGE);
    close_several(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_the_weight_of_its_matrix),
        cmocka_unit_test(the_matrix_at_fault_is_named_and_nothing_stays),
        cmocka_unit_test(none_is_not_an_error_and_null_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
