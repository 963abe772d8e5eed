#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_bench.h"

static void it_takes_every_readable_format_without_a_table_as_stored(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, "ref");
    const yoke_engine_facts *facts = &yoke_engine_describe(b.engine)->facts;
    for (unsigned f = 0; f < YOKE_FORMAT_COUNT; f++)
        assert_int_equal(facts->native_formats >> f & 1u,
                         yoke_format_get((yoke_format)f)->readable &&
                             yoke_format_get((yoke_format)f)->table_bytes == 0);
    assert_int_equal(facts->accumulate, YOKE_F64);
    bench_close(&b);
}

static float sum_with(const char *specification, const float *x, size_t k)
{
    yoke_context *context;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_error err = {0};
    float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, result = 0;
    const yoke_matrix w = matrix_f32(ones, 1, k), view = matrix_f32((float *)x, 1, k);
    yoke_matrix y = matrix_f32(&result, 1, 1);
    assert_ok(yoke_context_create(NULL, &context, &err), &err);
    assert_ok(yoke_engine_open(context, specification, &engine, &err), &err);
    assert_ok(yoke_weight_prepare(engine, &w, &weight, NULL, &err), &err);
    assert_ok(yoke_weight_multiply(weight, &view, &y, NULL, NULL, &err), &err);
    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
    return result;
}

/* 2^24 + 1 is no f32 value: in f32 each 1 is lost, in f64 the three survive (and the sum, 2^24 + 3,
 * rounds to the even 2^24 + 4). */
static void sums_are_kept_in_the_type_asked_for(void **state)
{
    (void)state;
    const float x[] = {16777216, 1, 1, 1};
    assert_true(sum_with("ref", x, 4) == 16777220);
    assert_true(sum_with("ref,accumulate=f64", x, 4) == 16777220);
    assert_true(sum_with("ref,accumulate=f32", x, 4) == 16777216);
}

static void other_accumulators_and_devices_are_refused(void **state)
{
    (void)state;
    yoke_context *context;
    yoke_engine *engine;
    yoke_error err = {0};
    assert_ok(yoke_context_create(NULL, &context, &err), &err);
    assert_int_equal(yoke_engine_open(context, "ref,accumulate=f16", &engine, &err),
                     YOKE_ERR_USAGE);
    assert_says(&err, "accumulate=f16");
    assert_int_equal(yoke_engine_open(context, "ref:0", &engine, &err), YOKE_ERR_NOT_FOUND);
    yoke_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_every_readable_format_without_a_table_as_stored),
        cmocka_unit_test(sums_are_kept_in_the_type_asked_for),
        cmocka_unit_test(other_accumulators_and_devices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
