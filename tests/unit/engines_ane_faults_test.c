/* The engine ane over the stand-in of its framework: right values, and what becomes of everything
 * that the real one was seen to do wrong. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "standin/apple/standins.h"
#include "unit/engines_apple_product.h"
#include "yoke/file.h"

#define HERE    "ane,helper=none"
#define HELPED  "ane,helper=" ANE_HELPER
#define F16_ULP (1.0 / 1024)

/* An engine over stand-ins that behave so. */
typedef struct bench {
    yoke_context *context;
    yoke_engine *engine;
    apple_product product;
} bench;

static void open_with(bench *b, const char *specification, const char *switches)
{
    yoke_error err = {0};
    standins_switch(switches);
    assert_ok(yoke_context_create(NULL, &b->context, &err), &err);
    assert_ok(yoke_engine_open(b->context, specification, &b->engine, &err), &err);
}

/* Nothing is left: no objects, surfaces, locks or programs, no files, no processes. */
static void finish(bench *b)
{
    apple_product_free(&b->product);
    yoke_engine_free(b->engine);
    yoke_context_free(b->context);
    assert_string_equal(standins_live(), "");
    assert_string_equal(standins_left_behind(), "");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    standins_switch("");
}

/* A product of f32 x and y with w of that format. The stand-in has a memory for what it compiled,
 * so tests that must compile take a size of their own. */
static void make(bench *b, yoke_format w, size_t m, size_t n, size_t k)
{
    apple_product_make(&b->product, w, YOKE_F32, YOKE_F32, m, n, k);
}

/* x and w are rounded to fp16, each product and the result as well: half a unit each time. */
static void assert_right(const bench *b)
{
    const yoke_matrix *x = &b->product.x, *w = &b->product.w, *y = &b->product.y;
    float *xs = apple_floats(x), *ws = apple_floats(w);
    for (size_t m = 0; m < y->rows; m++)
        for (size_t n = 0; n < y->cols; n++) {
            double sum = 0, magnitude = 0;
            for (size_t k = 0; k < x->cols; k++) {
                const double term = (double)xs[m * x->cols + k] * (double)ws[n * w->cols + k];
                sum += term;
                magnitude += fabs(term);
            }
            const double error = fabs(apple_value(y, m, n) - sum);
            if (!(error <= F16_ULP / 2 * (3 * magnitude + fabs(sum)) + 1e-5))
                fail_msg("y[%zu][%zu] is %g, not %g", m, n, apple_value(y, m, n), sum);
        }
    free(xs);
    free(ws);
}

static yoke_status run(bench *b, uint64_t deadline_ns)
{
    const yoke_multiply_options options = {.deadline_ns = deadline_ns};
    return apple_product_run(&b->product, b->engine, &options);
}

static void run_right(bench *b)
{
    assert_ok(run(b, 0), &b->product.err);
    assert_right(b);
}

static void products_of_all_shapes_are_right(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {{1, 1, 1},    {1, 16, 31},   {3, 17, 32},    {31, 33, 33},
                                       {64, 64, 64}, {65, 40, 120}, {130, 96, 257}, {2, 300, 387}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        bench b;
        open_with(&b, HERE, "");
        make(&b, YOKE_F16, shapes[i][0], shapes[i][1], shapes[i][2]);
        run_right(&b);
        finish(&b);
    }
}

static void weights_of_all_forms_are_right(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F16,  YOKE_INT8, YOKE_INT4, YOKE_LUT1,
                                          YOKE_LUT2, YOKE_LUT4, YOKE_LUT6, YOKE_LUT8};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        bench b;
        open_with(&b, HERE, "");
        make(&b, formats[i], 5, 64, 96);
        run_right(&b);
        finish(&b);
    }
}

static void a_weight_that_is_an_input_gives_the_same(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HERE ",weights=surface", "");
    make(&b, YOKE_F16, 7, 50, 70);
    run_right(&b);
    finish(&b);
}

static void surfaces_may_have_to_be_of_one_size(void **state)
{
    (void)state;
    static const char *const forms[] = {HERE ",weights=surface", HERE ",parts=4,axis=64"};
    for (size_t i = 0; i < 2; i++) {
        bench b;
        open_with(&b, forms[i], "equal_surfaces");
        make(&b, YOKE_F16, 7, 200, 52);
        run_right(&b);
        finish(&b);
    }
}

/* github.com/ncdrone/rustane issue 13: 16384 compiles, 17920 does not. */
static void axes_beyond_the_chips_limit_are_cut(void **state)
{
    (void)state;
    static const size_t shapes[][2] = {{16416, 32}, {32, 17920}};
    for (size_t i = 0; i < 2; i++) {
        bench b;
        open_with(&b, HERE, "arch=h13g");
        make(&b, YOKE_F16, 1, shapes[i][0], shapes[i][1]);
        run_right(&b);
        finish(&b);
    }
}

static void programs_beyond_the_systems_size_are_cut(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HERE ",program_mib=1", "program_bytes=1200000");
    make(&b, YOKE_F16, 1, 1024, 1056);
    run_right(&b);
    finish(&b);
}

/* github.com/sbryngelson/ANEForge issue 115: 33 times 1000 must not become inf unnoticed; and on
 * an M3 a sum that passes 2^15 on the way comes out as 0. */
static void sums_beyond_two_to_the_15th_are_right(void **state)
{
    (void)state;
    static const char *const chips[] = {"arch=h13g", "arch=h15g", "arch=h16g"};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 32; k <= 66; k += k == 32 ? 1 : 33) {
            bench b;
            open_with(&b, HERE, chips[i]);
            make(&b, YOKE_F32, 2, 32, k);
            for (size_t e = 0; e < 32 * k; e++)
                ((float *)b.product.w.data)[e] = 1;
            for (size_t e = 0; e < 2 * k; e++)
                ((float *)b.product.x.data)[e] = e < k ? 1000 : e % 2 ? 30000 : -30000;
            run_right(&b);
            finish(&b);
        }
}

/* Without the guard the device's own answer comes back, and the facts say from where on. */
static void without_the_guard_they_are_infinite_as_the_facts_say(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HERE ",guard=0", "");
    make(&b, YOKE_F32, 1, 32, 64);
    for (size_t e = 0; e < 32 * 64; e++)
        ((float *)b.product.w.data)[e] = e % 64 < 33 ? 4 : 0;
    for (size_t e = 0; e < 64; e++)
        ((float *)b.product.x.data)[e] = 250;
    assert_true(yoke_engine_describe(b.engine)->facts.saturation == 32768);
    assert_ok(run(&b, 0), &b.product.err);
    assert_true(isinf(apple_value(&b.product.y, 0, 0)));
    finish(&b);
}

static void a_system_that_knows_the_older_spelling_only_gets_it(void **state)
{
    (void)state;
    static const char *const engines[] = {HERE, HELPED, HERE ",weights=surface"};
    for (size_t i = 0; i < 3; i++) {
        bench b;
        open_with(&b, engines[i], "old_spelling_only");
        make(&b, YOKE_F16, 2, 48, 128 + 32 * i);
        run_right(&b);
        finish(&b);
    }
}

/* What the compiler writes is a bundle like those of other tools: our reader finds the weight. */
static void what_is_compiled_reads_back_as_a_bundle(void **state)
{
    (void)state;
    char switches[256], folder[128];
    bench b;
    yoke_file *file;
    snprintf(folder, sizeof folder, "%s/kept", standins_home);
    snprintf(switches, sizeof switches, "keep=%s", folder);
    open_with(&b, HERE, switches);
    make(&b, YOKE_F16, 1, 64, 224);
    run_right(&b);
    assert_ok(yoke_file_open(folder, &file, &b.product.err), &b.product.err);
    assert_int_equal(yoke_file_tensor_count(file), 1);
    yoke_matrix read;
    assert_ok(yoke_file_matrix(file, yoke_file_tensor(file, 0), &read, NULL, &b.product.err),
              &b.product.err);
    assert_int_equal(read.format, YOKE_F16);
    assert_int_equal(read.rows, 64);
    assert_int_equal(read.cols, 224);
    for (size_t n = 0; n < 64; n++)
        for (size_t k = 0; k < 224; k += 13)
            assert_true(apple_value(&read, n, k) == apple_value(&b.product.w, n, k));
    yoke_file_free(file);
    finish(&b);
}

static void the_same_weight_is_compiled_once(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HELPED, "");
    make(&b, YOKE_F16, 1, 32, 288);
    run_right(&b);
    standins_switch("compile_fails");
    run_right(&b);
    finish(&b);
}

/* A fault while the weight is prepared: the line, and everything as it was. */
static void check_prepare_fails(const char *specification, const char *switches, yoke_status status,
                                const char *call, const char *words)
{
    static size_t k = 320; /* not compiled before */
    bench b;
    open_with(&b, specification, switches);
    make(&b, YOKE_F16, 1, 32, k += 32);
    assert_int_equal(run(&b, 0), status);
    assert_says(&b.product.err, "engine ane");
    assert_says(&b.product.err, call);
    assert_says(&b.product.err, words);
    assert_null(strchr(b.product.err.text, '\n'));
    standins_switch("");
    run_right(&b); /* the engine is none the worse for it */
    finish(&b);
}

#define COMPILE "compileWithQoS:options:error:"
#define LOAD    "loadWithQoS:options:error:"

static void a_compiler_that_fails_is_reported(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "compile_fails", YOKE_ERR_ENGINE, COMPILE, "ANECCompile() FAILED");
    check_prepare_fails(HELPED, "compile_fails", YOKE_ERR_ENGINE, COMPILE, "ANECCompile() FAILED");
}

/* github.com/soniqo/speech-swift issue 464 and others: it hangs, for minutes or for ever. */
static void a_compiler_that_hangs_is_ended(void **state)
{
    (void)state;
    check_prepare_fails(HELPED ",compile_s=1", "compile_hangs", YOKE_ERR_TIMEOUT, COMPILE,
                        "more than 1 s");
}

/* github.com/apple/coremltools issue 2758: the process is killed. */
static void a_compiler_that_is_killed_takes_nobody_with_it(void **state)
{
    (void)state;
    check_prepare_fails(HELPED, "compile_is_killed", YOKE_ERR_ENGINE, "compiles",
                        "killed by signal 9");
}

static void a_refused_entitlement_is_a_reason(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "no_entitlement", YOKE_ERR_UNSUPPORTED, COMPILE, "code 1)");
    check_prepare_fails(HELPED, "no_entitlement", YOKE_ERR_UNSUPPORTED, COMPILE, "code 1)");
}

static void a_load_that_fails_once_is_tried_again(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HERE, "load_fails=1");
    make(&b, YOKE_F16, 1, 32, 64);
    run_right(&b);
    finish(&b);
}

static void a_load_that_fails_is_reported(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "load_fails=9", YOKE_ERR_ENGINE, LOAD, "code 6)");
}

static void no_surface_is_no_memory(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "surface_fails", YOKE_ERR_MEMORY, "IOSurface", "");
}

/* A helper starts afresh each time, so that the limit of a process is no limit of ours. */
static void the_limit_of_compiles_does_not_count_in_helpers(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HELPED, "compiles=1");
    for (size_t n = 1; n <= 3; n++) {
        make(&b, YOKE_F16, 1, 32 * n, 1024);
        run_right(&b);
        apple_product_free(&b.product);
    }
    make(&b, YOKE_F16, 1, 32, 32);
    finish(&b);
}

/* github.com/mechramc/Orion: the 120th compile of a process fails. */
static void a_process_out_of_compiles_says_so(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "compiles=0", YOKE_ERR_ENGINE, COMPILE, "ANECCompile() FAILED");
}

static void too_many_loaded_programs_are_reported(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "programs=0", YOKE_ERR_ENGINE, LOAD, "Program load error");
}

/* A fault of the product after the first evaluation, which is prepare's. */
static void check_product_fails(const char *switches, const char *words)
{
    bench b;
    open_with(&b, HERE, switches);
    make(&b, YOKE_F16, 1, 32, 64);
    assert_int_equal(run(&b, 0), YOKE_ERR_ENGINE);
    assert_says(&b.product.err, "engine ane");
    assert_says(&b.product.err, "evaluateWithQoS:options:request:error:");
    assert_says(&b.product.err, words);
    assert_null(strchr(b.product.err.text, '\n'));
    standins_switch("");
    run_right(&b);
    finish(&b);
}

static void an_evaluation_that_fails_is_reported(void **state)
{
    (void)state;
    check_product_fails("evaluate_fails=2", "status=0x1d");
    check_product_fails("evaluate_times_out=2", "code 3)");
    check_product_fails("device_is_lost=2", "code 23)");
}

/* github.com/eiln/ane issue 7: the engine never becomes idle. */
static void an_evaluation_that_never_ends_is_given_up(void **state)
{
    (void)state;
    bench b;
    yoke_weight *weight;
    open_with(&b, HERE, "");
    make(&b, YOKE_F16, 1, 32, 64);
    const yoke_multiply_options soon = {.deadline_ns = 20000000};
    apple_product *p = &b.product;
    assert_ok(yoke_weight_prepare(b.engine, &p->w, &weight, NULL, &p->err), &p->err);
    standins_switch("evaluate_hangs");
    assert_int_equal(yoke_weight_multiply(weight, &p->x, &p->y, &soon, NULL, &p->err),
                     YOKE_ERR_TIMEOUT);
    assert_says(&p->err, "ane");
    assert_int_equal(yoke_weight_multiply(weight, &p->x, &p->y, NULL, NULL, &p->err),
                     YOKE_ERR_ENGINE);
    assert_says(&p->err, "lost");
    standins_switch("");
    yoke_weight_free(weight);
    apple_product_free(p);
    yoke_engine_free(b.engine);
    yoke_context_free(b.context);
}

static void a_place_without_the_engine_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *switches, *words;
    } places[] = {{"vm", "virtual machine"}, {"no_ane", "no Neural Engine"}};
    for (size_t i = 0; i < 2; i++) {
        yoke_context *context;
        yoke_engine *engine;
        yoke_error err = {0};
        standins_switch(places[i].switches);
        assert_ok(yoke_context_create(NULL, &context, &err), &err);
        assert_int_equal(yoke_engine_open(context, HERE, &engine, &err), YOKE_ERR_UNSUPPORTED);
        assert_says(&err, "engine ane");
        assert_says(&err, places[i].words);
        assert_ok(yoke_engine_open(context, "ref", &engine, &err), &err);
        yoke_engine_free(engine);
        yoke_context_free(context);
        standins_switch("");
    }
}

/* The time is the hardware's where it is told, and the driver may refuse the question. */
static void the_hardwares_time_is_asked_for_and_may_be_refused(void **state)
{
    (void)state;
    bench b;
    open_with(&b, HERE ",stats=1", "tells_time");
    make(&b, YOKE_F16, 1, 32, 64);
    run_right(&b);
    assert_int_equal(b.product.timing.device_end_ns - b.product.timing.device_begin_ns, 250000);
    standins_switch("mask_fails_load");
    run_right(&b);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_all_shapes_are_right),
        cmocka_unit_test(weights_of_all_forms_are_right),
        cmocka_unit_test(a_weight_that_is_an_input_gives_the_same),
        cmocka_unit_test(surfaces_may_have_to_be_of_one_size),
        cmocka_unit_test(axes_beyond_the_chips_limit_are_cut),
        cmocka_unit_test(programs_beyond_the_systems_size_are_cut),
        cmocka_unit_test(sums_beyond_two_to_the_15th_are_right),
        cmocka_unit_test(without_the_guard_they_are_infinite_as_the_facts_say),
        cmocka_unit_test(a_system_that_knows_the_older_spelling_only_gets_it),
        cmocka_unit_test(what_is_compiled_reads_back_as_a_bundle),
        cmocka_unit_test(the_same_weight_is_compiled_once),
        cmocka_unit_test(a_compiler_that_fails_is_reported),
        cmocka_unit_test(a_compiler_that_hangs_is_ended),
        cmocka_unit_test(a_compiler_that_is_killed_takes_nobody_with_it),
        cmocka_unit_test(a_refused_entitlement_is_a_reason),
        cmocka_unit_test(a_load_that_fails_once_is_tried_again),
        cmocka_unit_test(a_load_that_fails_is_reported),
        cmocka_unit_test(no_surface_is_no_memory),
        cmocka_unit_test(the_limit_of_compiles_does_not_count_in_helpers),
        cmocka_unit_test(a_process_out_of_compiles_says_so),
        cmocka_unit_test(too_many_loaded_programs_are_reported),
        cmocka_unit_test(an_evaluation_that_fails_is_reported),
        cmocka_unit_test(a_place_without_the_engine_is_a_reason),
        cmocka_unit_test(the_hardwares_time_is_asked_for_and_may_be_refused),
        cmocka_unit_test(an_evaluation_that_never_ends_is_given_up), /* its objects stay */
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
