/* Splits over the CPU's reference and an engine of a Mac, over the stand-ins of its frameworks, go
 * on without the latter when it fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/split_standins.h"

#define PATIENCE_NS 10000000000u

enum { N = 64, K = 96, M = 32, REF = 0, MAC = 1 };

static const struct {
    const char *specification, *fault, *says;
} engines[] = {
    {"metal", "metal_lost_at=1", "Device Removed"},
    {"coreml,round=1,rows=16", "coreml_dies", "Unable to compute"},
};

static void each_does_its_part_beside_the_cpu(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bench b;
        open_beside_ref(&b, engines[i / 2].specification, M, N, K,
                        i % 2 ? YOKE_AXIS_M : YOKE_AXIS_N, PATIENCE_NS);
        multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 2);
        assert_int_equal(part_of(&b, MAC)->failed, YOKE_OK);
        assert_int_equal(b.run.quarantined, 0);
        finish(&b);
    }
}

static void a_lost_one_is_made_good_and_left_out(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bench b;
        open_beside_ref(&b, engines[i].specification, M, N, K, YOKE_AXIS_M, PATIENCE_NS);
        multiply_right(&b, M);
        standins_switch(engines[i].fault);
        multiply_right(&b, M);
        assert_int_equal(part_of(&b, MAC)->failed, YOKE_ERR_ENGINE);
        assert_int_equal(part_of(&b, MAC)->redone_by, REF);
        assert_int_equal(b.run.quarantined, 1u << MAC);
        assert_non_null(strstr(b.run.note, engines[i].says));
        multiply_right(&b, M);
        assert_int_equal(b.run.part_count, 1);
        finish(&b);
    }
}

static void wrong_results_are_found(void **state)
{
    (void)state;
    bench b;
    open_beside_ref(&b, "metal", M, N, K, YOKE_AXIS_M, PATIENCE_NS);
    standins_switch("mps_adds=1");
    multiply_right(&b, M);
    assert_int_equal(part_of(&b, MAC)->failed, YOKE_ERR_CHECK);
    assert_int_equal(b.run.quarantined, 1u << MAC);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_its_part_beside_the_cpu),
        cmocka_unit_test(a_lost_one_is_made_good_and_left_out),
        cmocka_unit_test(wrong_results_are_found),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
