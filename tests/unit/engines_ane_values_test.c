/* The engine ane over the stand-in of its framework gives right values, within the limits of the
 * real one: of size, of range, of spelling. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_ane_bench.h"
#include "yoke/file.h"

static void products_of_all_shapes_are_right(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{1, 1, 1},    {1, 16, 31},   {3, 17, 32},    {31, 33, 33},
                                       {64, 64, 64}, {65, 40, 120}, {130, 96, 257}, {2, 300, 387}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        ane_bench b;
        ane_open(&b, HERE, "");
        ane_make(&b, YOKE_F16, shapes[i][0], shapes[i][1], shapes[i][2]);
        ane_run_right(&b);
        ane_finish(&b);
    }
}

static void weights_of_all_forms_are_right(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F16,  YOKE_INT8, YOKE_INT4, YOKE_LUT1,
                                          YOKE_LUT2, YOKE_LUT4, YOKE_LUT6, YOKE_LUT8};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        ane_bench b;
        ane_open(&b, HERE, "");
        ane_make(&b, formats[i], 5, 64, 96);
        ane_run_right(&b);
        ane_finish(&b);
    }
}

/* One product of several that share an engine and a weight, each with an x and a y of its own. */
typedef struct caller {
    yoke_weight *weight;
    ane_bench own;
    yoke_status status;
} caller;

static void *call(void *argument)
{
    caller *c = argument;
    apple_product *p = &c->own.product;
    for (int i = 0; i < 4 && c->status == YOKE_OK; i++)
        c->status = yoke_weight_multiply(c->weight, &p->x, &p->y, NULL, NULL, &p->err);
    return NULL;
}

static void several_threads_share_an_engine(void **state)
{
    (void)state;
    enum { CALLERS = 4 };
    pthread_t threads[CALLERS];
    caller callers[CALLERS] = {{0}};
    yoke_weight *weight;
    ane_bench b;
    ane_open(&b, HERE, "");
    ane_make(&b, YOKE_F16, 1, 64, 96);
    assert_ok(yoke_weight_prepare(b.engine, &b.product.w, &weight, NULL, &b.product.err),
              &b.product.err);
    for (size_t i = 0; i < CALLERS; i++) {
        callers[i].weight = weight;
        ane_make(&callers[i].own, YOKE_F16, i + 1, 64, 96);
        assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (size_t i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_ok(callers[i].status, &callers[i].own.product.err);
        ane_assert_right(&callers[i].own);
        apple_product_free(&callers[i].own.product);
    }
    yoke_weight_free(weight);
    ane_finish(&b);
}

static void a_weight_that_is_an_input_gives_the_same(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE ",weights=surface", "");
    ane_make(&b, YOKE_F16, 7, 50, 70);
    ane_run_right(&b);
    ane_finish(&b);
}

static void surfaces_may_have_to_be_of_one_size(void **state)
{
    (void)state;
    static const char *const forms[] = {HERE ",weights=surface", HERE ",parts=4,axis=64"};
    for (size_t i = 0; i < 2; i++) {
        ane_bench b;
        ane_open(&b, forms[i], "equal_surfaces");
        ane_make(&b, YOKE_F16, 7, 200, 52);
        ane_run_right(&b);
        ane_finish(&b);
    }
}

/* github.com/ncdrone/rustane issue 13: 16384 compiles, 17920 does not. */
static void axes_beyond_the_chips_limit_are_cut(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{16416, 32}, {32, 17920}};
    for (size_t i = 0; i < 2; i++) {
        ane_bench b;
        ane_open(&b, HERE, "arch=h13g");
        ane_make(&b, YOKE_F16, 1, shapes[i][0], shapes[i][1]);
        ane_run_right(&b);
        ane_finish(&b);
    }
}

static void programs_beyond_the_systems_size_are_cut(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE ",program_mib=1", "program_bytes=1200000");
    ane_make(&b, YOKE_F16, 1, 1024, 1056);
    ane_run_right(&b);
    ane_finish(&b);
}

/* github.com/sbryngelson/ANEForge issue 115: 33 times 1000 must not become inf unnoticed; and on
 * an M3 a sum that passes 2^15 on the way comes out as 0. */
static void sums_beyond_two_to_the_15th_are_right(void **state)
{
    (void)state;
    static const char *const chips[] = {"arch=h13g", "arch=h15g", "arch=h16g"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 32; k <= 66; k += k == 32 ? 1 : 33) {
            ane_bench b;
            ane_open(&b, HERE, chips[i]);
            ane_make(&b, YOKE_F32, 2, 32, k);
            for (size_t e = 0; e < 32 * k; e++)
                ((float *)b.product.w.data)[e] = 1;
            for (size_t e = 0; e < 2 * k; e++)
                ((float *)b.product.x.data)[e] = e < k ? 1000 : e % 2 ? 30000 : -30000;
            ane_run_right(&b);
            ane_finish(&b);
        }
}

/* Without the guard the device's own answer comes back, and the facts say from where on. */
static void without_the_guard_they_are_infinite_as_the_facts_say(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE ",guard=0", "");
    ane_make(&b, YOKE_F32, 1, 32, 64);
    for (size_t e = 0; e < 32 * 64; e++)
        ((float *)b.product.w.data)[e] = e % 64 < 33 ? 4 : 0;
    for (size_t e = 0; e < 64; e++)
        ((float *)b.product.x.data)[e] = 250;
    assert_true(yoke_engine_describe(b.engine)->facts.saturation == 32768);
    assert_ok(ane_run(&b), &b.product.err);
    assert_true(isinf(apple_value(&b.product.y, 0, 0)));
    ane_finish(&b);
}

static void a_system_that_knows_the_older_spelling_only_gets_it(void **state)
{
    (void)state;
    static const char *const engines[] = {HERE, HELPED, HERE ",weights=surface"};
    for (size_t i = 0; i < 3; i++) {
        ane_bench b;
        ane_open(&b, engines[i], "old_spelling_only");
        ane_make(&b, YOKE_F16, 2, 48, 128 + 32 * i);
        ane_run_right(&b);
        ane_finish(&b);
    }
}

/* What the compiler gets is a bundle like those of other tools: our reader finds the weight. */
static void check_reads_back(yoke_format format)
{
    char switches[256], folder[128];
    ane_bench b;
    yoke_file *file;
    yoke_matrix read;
    yoke_error *err = &b.product.err;
    snprintf(folder, sizeof folder, "%s/kept%d", standins_home, (int)format);
    snprintf(switches, sizeof switches, "keep=%s", folder);
    ane_open(&b, HERE, switches);
    ane_make(&b, format, 1, 64, 224);
    ane_run_right(&b);
    assert_ok(yoke_file_open(folder, &file, err), err);
    assert_int_equal(yoke_file_tensor_count(file), 1);
    assert_ok(yoke_file_matrix(file, yoke_file_tensor(file, 0), &read, NULL, err), err);
    assert_int_equal(read.format, format);
    assert_int_equal(read.rows, 64);
    assert_int_equal(read.cols, 224);
    for (size_t n = 0; n < 64; n++)
        for (size_t k = 0; k < 224; k += 13)
            assert_true(apple_value(&read, n, k) == apple_value(&b.product.w, n, k));
    yoke_file_free(file);
    ane_finish(&b);
}

static void what_is_compiled_reads_back_as_a_bundle(void **state)
{
    (void)state;
    check_reads_back(YOKE_F16);
    check_reads_back(YOKE_LUT4);
    check_reads_back(YOKE_LUT6);
}

/* github.com/kasper0406/stablehlo-coreml pull request 110: compressed weights are not for every
 * chip. */
static void compressed_weights_that_are_refused_become_f16(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_INT8, YOKE_LUT4};
    for (size_t i = 0; i < 2; i++) {
        ane_bench b;
        ane_open(&b, HERE, "no_compressed_weights");
        ane_make(&b, formats[i], 3, 64, 256);
        ane_run_right(&b);
        assert_int_equal(b.product.report.format, YOKE_F16);
        ane_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_all_shapes_are_right),
        cmocka_unit_test(weights_of_all_forms_are_right),
        cmocka_unit_test(several_threads_share_an_engine),
        cmocka_unit_test(a_weight_that_is_an_input_gives_the_same),
        cmocka_unit_test(surfaces_may_have_to_be_of_one_size),
        cmocka_unit_test(axes_beyond_the_chips_limit_are_cut),
        cmocka_unit_test(programs_beyond_the_systems_size_are_cut),
        cmocka_unit_test(sums_beyond_two_to_the_15th_are_right),
        cmocka_unit_test(without_the_guard_they_are_infinite_as_the_facts_say),
        cmocka_unit_test(a_system_that_knows_the_older_spelling_only_gets_it),
        cmocka_unit_test(what_is_compiled_reads_back_as_a_bundle),
        cmocka_unit_test(compressed_weights_that_are_refused_become_f16),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
