/* The engine ane over the stand-in of its framework: what becomes of everything that the real one
 * was seen to do wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/engines_ane_bench.h"
#include "unit/engines_bench.h"

static void the_same_weight_is_compiled_once(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HELPED, "");
    ane_make(&b, YOKE_F16, 1, 32, 288);
    ane_run_right(&b);
    standins_switch("compile_fails");
    ane_run_right(&b);
    ane_finish(&b);
}

/* A fault while the weight is prepared: the line, and everything as it was. */
static void check_prepare_fails(const char *specification, const char *switches, yoke_status status,
                                const char *call, const char *words)
{
    static size_t k = 320; /* not compiled before */
    ane_bench b;
    ane_open(&b, specification, switches);
    ane_make(&b, YOKE_F16, 1, 32, k += 32);
    assert_int_equal(ane_run(&b), status);
    assert_says(&b.product.err, "engine ane");
    assert_says(&b.product.err, call);
    assert_says(&b.product.err, words);
    assert_null(strchr(b.product.err.text, '\n'));
    standins_switch("");
    ane_run_right(&b); /* the engine is none the worse for it */
    ane_finish(&b);
}

#define COMPILE  "compileWithQoS:options:error:"
#define LOAD     "loadWithQoS:options:error:"
#define EVALUATE "evaluateWithQoS:options:request:error:"

static void a_compiler_that_fails_is_reported(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "compile_fails", YOKE_ERR_ENGINE, COMPILE, "ANECCompile() FAILED");
    check_prepare_fails(HELPED, "compile_fails", YOKE_ERR_ENGINE, COMPILE, "ANECCompile() FAILED");
}

/* github.com/sbryngelson/ANEForge issue 149: one failure brings others in the same process. */
static void a_failure_does_not_spread_to_a_helper(void **state)
{
    (void)state;
    check_prepare_fails(HERE, "compile_fails", YOKE_ERR_ENGINE, COMPILE, "by a switch");
    check_prepare_fails(HERE, "failure_contaminates", YOKE_ERR_ENGINE, COMPILE, "as before");
    ane_bench b;
    ane_open(&b, HELPED, "failure_contaminates");
    ane_make(&b, YOKE_F16, 1, 32, 2048);
    ane_run_right(&b);
    ane_finish(&b);
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

/* Whoever has the same program removes the folder that both use. */
static void a_folder_that_is_gone_is_made_again(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE, "files_vanish=3");
    ane_make(&b, YOKE_F16, 1, 32, 1952);
    ane_run_right(&b);
    ane_finish(&b);
    check_prepare_fails(HERE, "files_vanish=99", YOKE_ERR_IO, COMPILE, "code 16)");
}

static void a_load_that_fails_once_is_tried_again(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE, "load_fails=1");
    ane_make(&b, YOKE_F16, 1, 32, 64);
    ane_run_right(&b);
    ane_finish(&b);
}

/* A system may keep apart what processes compiled, be it by the helper or long before. */
static void what_another_process_compiled_is_compiled_again_where_it_does_not_load(void **state)
{
    (void)state;
    const char *const switches[] = {"others_are_hidden", "others_do_not_load"};
    for (size_t i = 0; i < 2; i++) {
        ane_bench b;
        ane_open(&b, HELPED, "");
        ane_make(&b, YOKE_F16, 1, 32, 2112 + 32 * i);
        ane_run_right(&b);
        ane_finish(&b);
        const char *const specifications[] = {HERE, HELPED};
        for (size_t j = 0; j < 2; j++) {
            ane_open(&b, specifications[j], switches[i]);
            ane_make(&b, YOKE_F16, 1, 32 + 32 * j, 2112 + 32 * i);
            ane_run_right(&b);
            ane_finish(&b);
        }
    }
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

static void no_folder_for_temporary_files_is_reported(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE, "");
    ane_make(&b, YOKE_F16, 1, 32, 2080);
    setenv("TMPDIR", "/nonexistent", 1);
    assert_int_equal(ane_run(&b), YOKE_ERR_IO);
    assert_says(&b.product.err, "/nonexistent/");
    setenv("TMPDIR", standins_temporary, 1);
    ane_run_right(&b);
    ane_finish(&b);
}

/* A helper starts afresh each time, so that the limit of a process is no limit of ours. */
static void the_limit_of_compiles_does_not_count_in_helpers(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HELPED, "compiles=1");
    for (size_t n = 1; n <= 3; n++) {
        ane_make(&b, YOKE_F16, 1, 32 * n, 1024);
        ane_run_right(&b);
        apple_product_free(&b.product);
    }
    ane_make(&b, YOKE_F16, 1, 32, 32);
    ane_finish(&b);
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
    ane_bench b;
    ane_open(&b, HERE, switches);
    ane_make(&b, YOKE_F16, 1, 32, 64);
    assert_int_equal(ane_run(&b), YOKE_ERR_ENGINE);
    assert_says(&b.product.err, "engine ane");
    assert_says(&b.product.err, EVALUATE);
    assert_says(&b.product.err, words);
    assert_null(strchr(b.product.err.text, '\n'));
    standins_switch("");
    ane_run_right(&b);
    ane_finish(&b);
}

static void an_evaluation_that_fails_is_reported(void **state)
{
    (void)state;
    check_product_fails("evaluate_fails=2", "status=0x1d");
    check_product_fails("device_is_lost=2", "code 23)");
}

/* The driver's own deadline: as when ours passes, the engine is not used again. */
static void an_evaluation_that_the_driver_gives_up_is_a_timeout(void **state)
{
    (void)state;
    ane_bench b;
    ane_open(&b, HERE, "evaluate_times_out=2");
    ane_make(&b, YOKE_F16, 1, 32, 64);
    assert_int_equal(ane_run(&b), YOKE_ERR_TIMEOUT);
    assert_says(&b.product.err, EVALUATE);
    assert_says(&b.product.err, "code 3)");
    assert_int_equal(ane_run(&b), YOKE_ERR_ENGINE);
    assert_says(&b.product.err, "lost");
    ane_finish(&b);
}

static void check_code(const char *specification, const char *what, int code, yoke_status status)
{
    const bool compiling = strcmp(what, "compile_error") == 0;
    char switches[64], number[32];
    ane_bench b;
    snprintf(switches, sizeof switches, "%s=%d", what, code);
    snprintf(number, sizeof number, "code %d)", code);
    ane_open(&b, specification, switches);
    ane_make(&b, YOKE_F16, 1, 32, compiling ? 3072 : 64); /* the former is never compiled */
    if (ane_run(&b) != status)
        fail_msg("%s: %s, not %s", switches, yoke_status_name(b.product.err.status),
                 yoke_status_name(status));
    assert_says(&b.product.err, compiling ? COMPILE : EVALUATE);
    assert_says(&b.product.err, number);
    ane_finish(&b);
}

/* The codes of _ANEErrors, as decompiled. */
static void each_code_of_the_framework_has_its_status(void **state)
{
    (void)state;
    enum {
        CODES = 30,
        ENTITLEMENT = 1,
        TIMEOUT = 3,
        SIGNING = 7,
        ACCESS = 9,
        FILES = 16,
        OLD = 22
    };
    static const int in_helper[] = {ENTITLEMENT, TIMEOUT, 4, FILES, OLD};
    yoke_status statuses[CODES];
    for (int code = 1; code < CODES; code++)
        statuses[code] = YOKE_ERR_ENGINE;
    statuses[ENTITLEMENT] = statuses[SIGNING] = statuses[OLD] = YOKE_ERR_UNSUPPORTED;
    statuses[ACCESS] = statuses[FILES] = YOKE_ERR_IO;
    statuses[TIMEOUT] = YOKE_ERR_TIMEOUT;
    for (int code = 1; code < CODES; code++) {
        check_code(HERE, "compile_error", code, statuses[code]);
        check_code(HERE, "evaluate_error", code, statuses[code]);
    }
    for (size_t i = 0; i < sizeof in_helper / sizeof *in_helper; i++)
        check_code(HELPED, "compile_error", in_helper[i], statuses[in_helper[i]]);
}

static void close_hung(ane_bench *b)
{
    apple_product_free(&b->product);
    yoke_engine_free(b->engine);
    yoke_context_free(b->context);
    assert_string_not_equal(standins_live(), ""); /* the device may still use it */
    standins_switch("");
    assert_string_equal(standins_live_at_last(), "");
}

/* github.com/eiln/ane issue 7: the engine never becomes idle. */
static void an_evaluation_that_never_ends_is_given_up(void **state)
{
    (void)state;
    ane_bench b;
    yoke_weight *weight;
    ane_open(&b, HERE, "");
    ane_make(&b, YOKE_F16, 1, 32, 64);
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
    yoke_weight_free(weight);
    assert_string_equal(standins_left_behind(), "");
    close_hung(&b);
}

/* By which a weight is tried when it is prepared: at its deadline, or when a flag is set. */
static void a_first_evaluation_that_never_ends_is_given_up(void **state)
{
    (void)state;
    static const volatile bool stop = true;
    for (int stopped = 0; stopped < 2; stopped++) {
        ane_bench b;
        yoke_weight *weight;
        ane_open(&b, stopped ? HERE : HERE ",compile_s=1", "evaluate_hangs");
        yoke_engine_heed(b.engine, stopped ? &stop : NULL);
        ane_make(&b, YOKE_F16, 1, 32, 64);
        apple_product *p = &b.product;
        assert_int_equal(yoke_weight_prepare(b.engine, &p->w, &weight, NULL, &p->err),
                         stopped ? YOKE_ERR_INTERRUPTED : YOKE_ERR_TIMEOUT);
        assert_says(&p->err, "evaluateWithQoS:options:request:error:");
        assert_int_equal(yoke_weight_prepare(b.engine, &p->w, &weight, NULL, &p->err),
                         YOKE_ERR_ENGINE);
        assert_says(&p->err, "lost");
        assert_string_equal(standins_left_behind(), "");
        close_hung(&b);
    }
}

/* By which the engine's limit is measured. */
static void a_chain_that_never_ends_is_given_up(void **state)
{
    (void)state;
    volatile bool stop = false;
    const yoke_limit_request request = {
        .size = sizeof request, .limit = YOKE_LIMIT_COMPUTE, .duration_ns = 1};
    for (int stopped = 0; stopped < 2; stopped++) {
        ane_bench b;
        yoke_error err = {0};
        double per_second;
        ane_open(&b, stopped ? HERE ",depth=1" : HERE ",depth=1,compile_s=2", "");
        yoke_engine_heed(b.engine, stopped ? &stop : NULL);
        assert_ok(yoke_engine_limit(b.engine, &request, &per_second, &err), &err);
        standins_switch("evaluate_hangs");
        stop = stopped;
        assert_int_equal(yoke_engine_limit(b.engine, &request, &per_second, &err),
                         stopped ? YOKE_ERR_INTERRUPTED : YOKE_ERR_TIMEOUT);
        assert_says(&err, "engine ane: a chain of products");
        assert_int_equal(yoke_engine_limit(b.engine, &request, &per_second, &err), YOKE_ERR_ENGINE);
        assert_says(&err, "lost");
        yoke_engine_free(b.engine);
        yoke_context_free(b.context);
        standins_switch("");
        assert_string_equal(standins_live_at_last(), "");
        assert_string_equal(standins_left_behind(), "");
    }
}

static void a_raised_flag_ends_a_product_that_never_ends(void **state)
{
    (void)state;
    for (int how = YOKE_WAIT_BLOCK; how <= YOKE_WAIT_SLEEP_POLL; how++) {
        standins_switch("evaluate_hangs=3"); /* the first is prepare's */
        bench_expect_stop(HERE, (yoke_wait_how)how, EVALUATE ": stopped on request");
        assert_string_equal(standins_left_behind(), "");
        standins_switch("");
        assert_string_equal(standins_live_at_last(), "");
    }
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
    ane_bench b;
    ane_open(&b, HERE ",stats=1", "tells_time");
    ane_make(&b, YOKE_F16, 1, 32, 64);
    ane_run_right(&b);
    assert_int_equal(b.product.timing.device_end_ns - b.product.timing.device_begin_ns, 250000);
    standins_switch("mask_fails_load");
    ane_run_right(&b);
    ane_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_weight_is_compiled_once),
        cmocka_unit_test(a_compiler_that_fails_is_reported),
        cmocka_unit_test(a_failure_does_not_spread_to_a_helper),
        cmocka_unit_test(a_compiler_that_hangs_is_ended),
        cmocka_unit_test(a_compiler_that_is_killed_takes_nobody_with_it),
        cmocka_unit_test(a_refused_entitlement_is_a_reason),
        cmocka_unit_test(a_folder_that_is_gone_is_made_again),
        cmocka_unit_test(a_load_that_fails_once_is_tried_again),
        cmocka_unit_test(what_another_process_compiled_is_compiled_again_where_it_does_not_load),
        cmocka_unit_test(a_load_that_fails_is_reported),
        cmocka_unit_test(no_surface_is_no_memory),
        cmocka_unit_test(no_folder_for_temporary_files_is_reported),
        cmocka_unit_test(the_limit_of_compiles_does_not_count_in_helpers),
        cmocka_unit_test(a_process_out_of_compiles_says_so),
        cmocka_unit_test(too_many_loaded_programs_are_reported),
        cmocka_unit_test(an_evaluation_that_fails_is_reported),
        cmocka_unit_test(an_evaluation_that_the_driver_gives_up_is_a_timeout),
        cmocka_unit_test(each_code_of_the_framework_has_its_status),
        cmocka_unit_test(a_place_without_the_engine_is_a_reason),
        cmocka_unit_test(the_hardwares_time_is_asked_for_and_may_be_refused),
        cmocka_unit_test(an_evaluation_that_never_ends_is_given_up),
        cmocka_unit_test(a_first_evaluation_that_never_ends_is_given_up),
        cmocka_unit_test(a_chain_that_never_ends_is_given_up),
        cmocka_unit_test(a_raised_flag_ends_a_product_that_never_ends),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
