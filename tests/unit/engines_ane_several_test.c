/* Many weights in few programs of the Neural Engine, over the stand-ins: what each gives, how many
 * programs that takes, and what is done where such programs are refused. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "standin/apple/ane/control.h"
#include "unit/engines_ane_bench.h"

#define LOADED "loaded program"

enum { MOST = 130 };

/* Weights that are prepared with one call. */
typedef struct several {
    ane_bench b;
    size_t count;
    apple_product products[MOST];
    yoke_matrix w[MOST];
    yoke_weight *weights[MOST];
    yoke_prepare_report reports[MOST];
    yoke_error err;
} several;

static several s;

static void open_several(const char *specification, const char *switches)
{
    memset(&s, 0, sizeof s);
    ane_open(&s.b, specification, switches);
}

/* What was compiled before is not compiled again, so that each weight has values of its own. */
static void add(yoke_format format, size_t m, size_t n, size_t k)
{
    static uint64_t seed = 1;
    apple_product *p = &s.products[s.count];
    apple_product_make(p, format, YOKE_F32, YOKE_F32, m, n, k);
    assert_ok(yoke_matrix_fill_random(&p->w, seed++, &p->err), &p->err);
    s.w[s.count++] = p->w;
}

static yoke_status prepare(void)
{
    return yoke_weights_prepare(s.b.engine, s.w, s.count, s.weights, s.reports, &s.err);
}

static unsigned long long compiles(void)
{
    unsigned long long (*count)(void) = NULL;
    assert_true(standins_find("standin_ane_compiles", &count));
    return count();
}

static size_t programs(void)
{
    size_t (*count)(const char *) = NULL;
    assert_true(standins_find("standin_live_objects", &count));
    return count(LOADED);
}

static void assert_right(size_t i)
{
    s.b.product = s.products[i];
    assert_ok(
        yoke_weight_multiply(s.weights[i], &s.b.product.x, &s.b.product.y, NULL, NULL, &s.err),
        &s.err);
    ane_assert_right(&s.b);
}

static void assert_all_right(void)
{
    for (size_t i = 0; i < s.count; i++)
        assert_right(i);
}

static void free_weight(size_t i)
{
    yoke_weight_free(s.weights[i]);
    s.weights[i] = NULL;
}

static void close_several(void)
{
    for (size_t i = 0; i < s.count; i++) {
        free_weight(i);
        apple_product_free(&s.products[i]);
    }
    s.b.product = (apple_product){.x = {.data = NULL}};
    ane_finish(&s.b);
}

static void many_weights_are_one_compilation(void **state)
{
    (void)state;
    open_several(HERE, "");
    for (size_t i = 0; i < 40; i++)
        add(YOKE_F16, 1 + i % 3, 32 + 8 * (i % 4), 32 + 16 * (i % 3));
    const unsigned long long before = compiles();
    assert_ok(prepare(), &s.err);
    assert_int_equal(compiles() - before, 1);
    assert_int_equal(programs(), 1);
    assert_string_equal(s.reports[7].layout, "1 procedure of shared programs");
    assert_int_equal(s.reports[7].format, YOKE_F16);
    assert_true(s.reports[7].prepared_bytes >= 2 * s.w[7].rows * s.w[7].cols);
    assert_all_right();
    close_several();
}

/* 112 in a program. One by one the process would be out of compilations, and out of programs. */
static void more_weights_than_a_process_can_compile_are_prepared(void **state)
{
    (void)state;
    open_several(HERE, "");
    for (size_t i = 0; i < MOST; i++)
        add(YOKE_F16, 1, 32, 32);
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 2);
    assert_all_right();
    close_several();
}

static void formats_and_parts_go_together(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_F16,  YOKE_INT8, YOKE_LUT4, YOKE_INT4,
                                   YOKE_LUT6, YOKE_LUT3, YOKE_LUT1};
    open_several(HERE ",axis=64,parts=2,rows=32/96", "");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        add(formats[i], 1 + 20 * i, 200, 152);
    const unsigned long long before = compiles();
    assert_ok(prepare(), &s.err);
    assert_int_equal(compiles() - before, 2); /* for 32 rows and for 96 */
    for (size_t i = 0; i < s.count; i++)
        assert_int_equal(s.reports[i].format, formats[i]);
    assert_all_right();
    close_several();
}

static void a_palette_for_all_rows_goes_with_palettes_for_some(void **state)
{
    (void)state;
    open_several(HERE, "");
    add(YOKE_LUT4, 2, 128, 64);
    add(YOKE_LUT4, 2, 48, 64);
    s.w[0].table_rows = s.products[0].w.table_rows = 64;
    s.w[1].table_rows = s.products[1].w.table_rows = 0;
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 1);
    assert_all_right();
    close_several();
}

static void weights_on_surfaces_share_programs_too(void **state)
{
    (void)state;
    open_several(HERE ",weights=surface", "");
    for (size_t i = 0; i < 5; i++)
        add(YOKE_F16, 3, 40 + 8 * i, 64);
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 1);
    assert_string_equal(s.reports[4].layout, "1 procedure of shared programs, w on a surface");
    assert_all_right();
    close_several();
}

static void programs_stay_within_their_limits(void **state)
{
    (void)state;
    const struct {
        const char *specification;
        size_t n, k, programs;
    } limits[] = {{HERE ",procedures=3", 32, 32, 4},
                  {HERE ",procedures=1", 32, 32, 10},
                  {HERE ",program_mib=1,rows=32", 192, 512, 2}}; /* 10 times 192 KiB */
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        open_several(limits[i].specification, "");
        for (size_t w = 0; w < 10; w++)
            add(YOKE_F16, 1, limits[i].n, limits[i].k);
        assert_ok(prepare(), &s.err);
        assert_int_equal(programs(), limits[i].programs);
        assert_right(9);
        close_several();
    }
}

/* 15 outputs each, and a program has indices for 255. */
static void a_program_has_no_more_outputs_than_indices(void **state)
{
    (void)state;
    open_several(HERE ",axis=64,parts=15", "own_symbols");
    for (size_t i = 0; i < 18; i++)
        add(YOKE_F16, 1, 960, 32);
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 2);
    assert_right(16);
    assert_right(17);
    close_several();
}

static void weights_are_freed_in_any_order(void **state)
{
    (void)state;
    open_several(HERE, "");
    for (size_t i = 0; i < 4; i++)
        add(YOKE_F16, 2, 40, 96);
    assert_ok(prepare(), &s.err);
    free_weight(0);
    free_weight(3);
    assert_right(1);
    assert_right(2);
    free_weight(1);
    assert_int_equal(programs(), 1);
    assert_string_not_equal(standins_left_behind(), "");
    assert_right(2);
    free_weight(2);
    assert_int_equal(programs(), 0);
    assert_string_equal(standins_left_behind(), "");
    close_several();
}

static void *multiply_and_free(void *arg)
{
    const size_t i = *(const size_t *)arg;
    apple_product *p = &s.products[i];
    yoke_status status = yoke_weight_multiply(s.weights[i], &p->x, &p->y, NULL, NULL, &p->err);
    free_weight(i);
    p->err.status = status;
    return NULL;
}

static void threads_use_and_free_weights_of_one_program(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    size_t indices[THREADS];
    open_several(HERE, "");
    for (size_t i = 0; i < THREADS; i++)
        add(YOKE_F16, 2, 40, 96);
    assert_ok(prepare(), &s.err);
    for (size_t i = 0; i < THREADS; i++) {
        indices[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, multiply_and_free, &indices[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        s.b.product = s.products[i];
        assert_int_equal(s.b.product.err.status, YOKE_OK);
        ane_assert_right(&s.b);
    }
    assert_int_equal(programs(), 0);
    close_several();
}

/* Of two weights whose program may still be used until the device goes on. */
static void close_hung(void)
{
    yoke_engine_free(s.b.engine);
    yoke_context_free(s.b.context);
    assert_int_equal(programs(), 1);
    standins_switch("");
    assert_string_equal(standins_live_at_last(), "");
    apple_product_free(&s.products[0]);
    apple_product_free(&s.products[1]);
}

/* A product that never ends keeps its program in memory, but not on disk. */
static void after_a_hang_the_last_weight_takes_the_files_along(void **state)
{
    (void)state;
    open_several(HERE, "");
    add(YOKE_F16, 2, 40, 128);
    add(YOKE_F16, 2, 40, 128);
    assert_ok(prepare(), &s.err);
    const yoke_multiply_options soon = {.deadline_ns = 20000000};
    apple_product *p = &s.products[0];
    standins_switch("evaluate_hangs");
    assert_int_equal(yoke_weight_multiply(s.weights[0], &p->x, &p->y, &soon, NULL, &s.err),
                     YOKE_ERR_TIMEOUT);
    free_weight(0);
    assert_string_not_equal(standins_left_behind(), "");
    free_weight(1);
    assert_string_equal(standins_left_behind(), "");
    close_hung();
}

static void a_hang_while_they_are_prepared_leaves_no_files(void **state)
{
    (void)state;
    open_several(HERE ",compile_s=1", "evaluate_hangs");
    add(YOKE_F16, 2, 40, 128);
    add(YOKE_F16, 2, 40, 128);
    assert_int_equal(prepare(), YOKE_ERR_ENGINE);
    assert_says(&s.err, "lost: an earlier call to it was given up");
    assert_string_equal(standins_left_behind(), "");
    close_hung();
}

static void windows_of_a_shared_programs_weights_are_computed(void **state)
{
    (void)state;
    open_several(HERE ",axis=64", "");
    add(YOKE_F16, 3, 96, 64);
    add(YOKE_F16, 3, 192, 64);
    assert_ok(prepare(), &s.err);
    apple_product *p = &s.products[1];
    const yoke_multiply_options window = {.n_begin = 96, .n_count = 64};
    yoke_matrix y;
    assert_ok(yoke_matrix_create(YOKE_F32, 3, 64, &y, &s.err), &s.err);
    assert_ok(yoke_weight_multiply(s.weights[1], &p->x, &y, &window, NULL, &s.err), &s.err);
    assert_right(1);
    for (size_t m = 0; m < 3; m++)
        for (size_t n = 0; n < 64; n++)
            assert_true(apple_value(&y, m, n) == apple_value(&p->y, m, 96 + n));
    yoke_matrix_free(&y);
    close_several();
}

static void one_that_cannot_be_prepared_is_named_and_nothing_stays(void **state)
{
    (void)state;
    open_several(HERE, "");
    for (size_t i = 0; i < 5; i++)
        add(i == 3 ? YOKE_F32 : YOKE_F16, 1, 32, 64);
    assert_int_equal(prepare(), YOKE_ERR_UNSUPPORTED);
    assert_says(&s.err, "w[3]: ");
    assert_says(&s.err, "round=1");
    for (size_t i = 0; i < s.count; i++)
        assert_null(s.weights[i]);
    assert_int_equal(programs(), 0);
    assert_string_equal(standins_left_behind(), "");
    close_several();
}

/* Not the one at which the process is out of compilations. */
static void one_of_more_than_a_process_can_compile_is_named(void **state)
{
    (void)state;
    const char *const options[] = {HERE, HERE ",weights=surface"};
    for (size_t i = 0; i < 2; i++) {
        open_several(options[i], "");
        for (size_t w = 0; w < MOST; w++)
            add(YOKE_F16, 1, 32, 32);
        ((uint16_t *)s.w[MOST - 1].data)[7] = 0x7c00; /* infinity */
        assert_int_equal(prepare(), YOKE_ERR_UNSUPPORTED);
        assert_says(&s.err, "w[129]: ");
        assert_says(&s.err, "inf");
        assert_int_equal(programs(), 0);
        close_several();
    }
}

/* Whatever it is that is refused or fails, weights are prepared one by one then. */
static void where_shared_programs_do_not_work_each_weight_has_its_own(void **state)
{
    (void)state;
    const char *const switches[] = {"functions=1", "load_fails=2"};
    for (size_t i = 0; i < 2; i++) {
        open_several(HERE, switches[i]);
        for (size_t w = 0; w < 3; w++)
            add(YOKE_F16, 2, 48, 80);
        assert_ok(prepare(), &s.err);
        assert_int_equal(programs(), 3);
        assert_string_equal(s.reports[2].layout, "1 program");
        assert_all_right();
        close_several();
    }
}

static void where_nothing_works_the_first_is_named(void **state)
{
    (void)state;
    open_several(HERE, "evaluate_fails");
    add(YOKE_F16, 2, 48, 112);
    add(YOKE_F16, 2, 48, 112);
    assert_int_equal(prepare(), YOKE_ERR_ENGINE);
    assert_says(&s.err, "w[0]: engine ane: evaluateWithQoS");
    assert_string_equal(standins_left_behind(), "");
    close_several();
}

static void where_compressed_weights_are_refused_they_share_programs_as_f16(void **state)
{
    (void)state;
    open_several(HERE, "no_compressed_weights");
    add(YOKE_INT8, 2, 48, 64);
    add(YOKE_F16, 2, 40, 64);
    add(YOKE_LUT4, 2, 64, 96);
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 1);
    assert_int_equal(s.reports[0].format, YOKE_F16);
    assert_int_equal(s.reports[2].format, YOKE_F16);
    assert_all_right();
    close_several();
}

static void the_older_spelling_takes_several_functions(void **state)
{
    (void)state;
    open_several(HERE, "old_spelling_only");
    add(YOKE_F16, 2, 48, 64);
    add(YOKE_INT8, 2, 40, 64);
    assert_ok(prepare(), &s.err);
    assert_int_equal(programs(), 1);
    assert_all_right();
    close_several();
}

/* How a system numbers procedures and symbols is read from the program's attributes. */
static void procedures_are_found_however_they_are_numbered(void **state)
{
    (void)state;
    const char *const switches[] = {"own_symbols", "procedures_backwards",
                                    "own_symbols,procedures_backwards"};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        open_several(HERE ",axis=64", switches[i]);
        add(YOKE_F16, 2, 48, 64);
        add(YOKE_F16, 2, 200, 64);
        add(YOKE_INT8, 2, 96, 64);
        assert_ok(prepare(), &s.err);
        assert_int_equal(programs(), 1);
        assert_all_right();
        close_several();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_weights_are_one_compilation),
        cmocka_unit_test(more_weights_than_a_process_can_compile_are_prepared),
        cmocka_unit_test(formats_and_parts_go_together),
        cmocka_unit_test(a_palette_for_all_rows_goes_with_palettes_for_some),
        cmocka_unit_test(weights_on_surfaces_share_programs_too),
        cmocka_unit_test(programs_stay_within_their_limits),
        cmocka_unit_test(a_program_has_no_more_outputs_than_indices),
        cmocka_unit_test(weights_are_freed_in_any_order),
        cmocka_unit_test(threads_use_and_free_weights_of_one_program),
        cmocka_unit_test(after_a_hang_the_last_weight_takes_the_files_along),
        cmocka_unit_test(a_hang_while_they_are_prepared_leaves_no_files),
        cmocka_unit_test(windows_of_a_shared_programs_weights_are_computed),
        cmocka_unit_test(one_that_cannot_be_prepared_is_named_and_nothing_stays),
        cmocka_unit_test(one_of_more_than_a_process_can_compile_is_named),
        cmocka_unit_test(where_shared_programs_do_not_work_each_weight_has_its_own),
        cmocka_unit_test(where_nothing_works_the_first_is_named),
        cmocka_unit_test(where_compressed_weights_are_refused_they_share_programs_as_f16),
        cmocka_unit_test(the_older_spelling_takes_several_functions),
        cmocka_unit_test(procedures_are_found_however_they_are_numbered),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
