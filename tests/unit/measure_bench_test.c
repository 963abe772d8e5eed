/* The suites over the fake engine, whose speed and faults are scripted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "measure/wander.h"
#include "unit/measure_bench.h"
#include "unit/measure_near.h"

static const size_t no_cache = 1; /* byte: every size lies beyond it */

static yoke_record *run(const char *engine, unsigned suites, double seconds, size_t cache_bytes)
{
    yoke_bench_options options = {.suites = suites, .seconds = seconds, .cache_bytes = cache_bytes};
    return run_engines(&engine, 1, &options);
}

static bool has_note(const yoke_record *record, const char *part)
{
    for (size_t i = 0; i < record->notes.count; i++)
        if (strstr(record->notes.texts[i], part))
            return true;
    return false;
}

static void windows_wander_over_the_whole_weight(void **state)
{
    (void)state;
    const size_t outputs = 1000, granule = 16;
    for (size_t wanted = 1; wanted <= 1200; wanted += 37) {
        size_t window = wander_size(outputs, wanted, granule), last = outputs;
        assert_true(window == outputs || window % granule == 0);
        for (size_t run = 0; run < 100; run++) {
            size_t begin = wander_begin(outputs, window, granule, run);
            assert_int_equal(begin % granule, 0);
            assert_true(begin + window <= outputs);
            assert_true(window > outputs - granule || begin != last);
            last = begin;
        }
    }
    /* A quarter at a time: four runs see everything once. */
    for (size_t run = 0; run < 4; run++)
        assert_int_equal(wander_begin(1024, 256, 16, run), 256 * run);
}

static bool near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance;
}

/* The simulated times are far above what a busy machine adds, most of the time: a few tries make it
 * certain. */
enum { TRIES = 6 };

static void check_read_rows(const yoke_record *record)
{
    assert_int_equal(yoke_record_failed(record), 0);
    assert_int_equal(record->row_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const yoke_record_row *row = record->rows[i];
        assert_string_equal(row->check, "right");
        assert_int_equal(row->m, 1);
        assert_int_equal(row->n, N / 4 * (i + 1));
        assert_int_equal(row->bytes, row->n * K * 2);
        assert_false(row->cached);
        assert_near(row->limit_gbps, 0.0005, 1e-9); /* the fake's own word */
        assert_near(row->fraction_of_limit, row->slope_gbps / row->limit_gbps, 1e-12);
        assert_near(row->naive_gbps, (double)row->bytes / row->time.median, 1e-12);
        assert_true(row->naive_gbps < 0.0005); /* it takes the fixed cost for bytes */
        assert_true(row->samples.count > 0 && row->limit_samples.count > 0);
    }
}

/* 32 kB at 0.5 MB/s take 64 ms, and each call 20 ms. */
static void read_recovers_the_scripted_bandwidth_and_fixed_cost(void **state)
{
    (void)state;
    bool recovered = false;
    for (int try = 0; try < TRIES && !recovered; try++) {
        yoke_record *record = run("fake,gbps=0.0005,fixed_us=20000", YOKE_BENCH_READ, 6, no_cache);
        check_read_rows(record);
        const yoke_record_row *row = record->rows[0];
        recovered = near(row->slope_gbps, 0.0005, 0.0001) && near(row->fixed_ns, 20e6, 8e6);
        yoke_record_free(record);
    }
    assert_true(recovered);
}

static void sizes_within_the_cache_are_labelled_and_not_fitted(void **state)
{
    (void)state;
    yoke_record *record = run("fake,gbps=1", YOKE_BENCH_READ, 0.1, 1 << 20);
    assert_int_equal(yoke_record_failed(record), 0);
    for (size_t i = 0; i < record->row_count; i++) {
        assert_true(record->rows[i]->cached);
        assert_true(isnan(record->rows[i]->slope_gbps));
        assert_false(isnan(record->rows[i]->naive_gbps));
    }
    assert_true(has_note(record, "no fit"));
    yoke_record_free(record);
}

static void an_engine_without_a_known_limit_has_none(void **state)
{
    (void)state;
    yoke_record *record = run("fake", YOKE_BENCH_READ, 0.1, no_cache);
    assert_int_equal(yoke_record_failed(record), 0);
    assert_true(isnan(record->rows[0]->limit_gbps));
    assert_true(isnan(record->rows[0]->fraction_of_limit));
    assert_int_equal(record->rows[0]->limit_samples.count, 0);
    assert_false(isnan(record->rows[0]->naive_gbps));
    assert_true(has_note(record, "read limit not known"));
    yoke_record_free(record);
}

static void a_wrong_answer_fails_its_row_and_has_no_rate(void **state)
{
    (void)state;
    yoke_record *record = run("fake,wrong_row_at=1", YOKE_BENCH_READ, 0.1, no_cache);
    assert_int_equal(yoke_record_failed(record), 1);
    const yoke_record_row *row = record->rows[0];
    assert_true(row->failed);
    assert_string_equal(row->check, "wrong");
    assert_non_null(strstr(row->reason, "wrong"));
    assert_true(isnan(row->naive_gbps));
    assert_true(isnan(row->slope_gbps));
    assert_true(isnan(row->time.median));
    assert_false(record->rows[1]->failed);
    assert_false(isnan(record->rows[1]->naive_gbps));
    yoke_record_free(record);
}

static void zeros_and_infinities_are_named(void **state)
{
    (void)state;
    yoke_record *record = run("fake,zeros_at=1", YOKE_BENCH_READ, 0.1, no_cache);
    assert_string_equal(record->rows[0]->check, "all zero");
    assert_true(record->rows[0]->failed);
    yoke_record_free(record);
    record = run("fake,inf_above=1e-6", YOKE_BENCH_READ, 0.1, no_cache);
    assert_int_equal(yoke_record_failed(record), record->row_count);
    yoke_record_free(record);
}

static void odd_k_costs_its_time_per_column(void **state)
{
    (void)state;
    yoke_record *record = run("fake", YOKE_BENCH_COMPUTE, 0.5, no_cache);
    size_t seen = 0;
    for (size_t i = 0; i + 2 < record->row_count; i++) {
        yoke_record_row **rows = &record->rows[i];
        if (strcmp(rows[0]->what, "k padding") != 0 || rows[1]->k != K)
            continue;
        double round = rows[1]->time.median / K;
        assert_int_equal(rows[0]->k, K - 1);
        assert_int_equal(rows[2]->k, K + 1);
        assert_near(rows[0]->k_padding_cost, rows[0]->time.median / (K - 1) / round - 1, 1e-9);
        assert_near(rows[2]->k_padding_cost, rows[2]->time.median / (K + 1) / round - 1, 1e-9);
        seen++;
    }
    assert_int_equal(seen, 2); /* M = 1 and 64 */
    yoke_record_free(record);
}

static void an_odd_k_computed_wrong_fails_and_has_no_cost(void **state)
{
    (void)state;
    yoke_record *record = run("fake,zeros_k32", YOKE_BENCH_COMPUTE, 0.2, no_cache);
    size_t odd = 0;
    for (size_t i = 0; i < record->row_count; i++)
        if (record->rows[i]->k % 32 != 0) {
            assert_true(record->rows[i]->failed);
            assert_true(isnan(record->rows[i]->tflops));
            odd++;
        } else {
            assert_false(record->rows[i]->failed);
            assert_true(isnan(record->rows[i]->k_padding_cost));
        }
    assert_int_equal(odd, 4); /* K - 1 and K + 1, at two M */
    yoke_record_free(record);
}

/* Without time, M = 1 is one product checked, one to warm up, one sampled, one checked again. */
static void an_answer_gone_wrong_meanwhile_is_found_afterwards(void **state)
{
    (void)state;
    yoke_record *record = run("fake,zeros_at=4", YOKE_BENCH_COMPUTE, 1e-9, no_cache);
    const yoke_record_row *row = record->rows[0];
    assert_true(row->failed);
    assert_string_equal(row->check, "all zero");
    assert_int_equal(row->samples.count, 1);
    assert_true(isnan(row->tflops));
    yoke_record_free(record);
}

static void an_engine_that_fails_while_timed_loses_that_size_alone(void **state)
{
    (void)state;
    /* Four products are checked; the 5th is the first one timed, and of the first size. */
    yoke_record *record = run("fake,fail_at=5", YOKE_BENCH_READ, 0.5, no_cache);
    assert_int_equal(yoke_record_failed(record), 1);
    assert_true(record->rows[0]->failed);
    assert_non_null(strstr(record->rows[0]->reason, "submit 5 failed"));
    assert_false(isnan(record->rows[3]->naive_gbps));
    yoke_record_free(record);
}

static void a_lost_engine_fails_every_row_and_ends(void **state)
{
    (void)state;
    yoke_record *record = run("fake,die_at=6", YOKE_BENCH_ALL & ~YOKE_BENCH_WAKE, 0.5, no_cache);
    assert_int_equal(yoke_record_failed(record), record->row_count);
    yoke_record_free(record);
}

/* The last row of the case "m". */
static const yoke_record_row *last_m(const yoke_record *record)
{
    const yoke_record_row *last = NULL;
    for (size_t i = 0; i < record->row_count; i++)
        if (strcmp(record->rows[i]->what, "m") == 0)
            last = record->rows[i];
    assert_non_null(last);
    return last;
}

/* At 0.2 MB/s and 1.6 MFLOP/s reading and arithmetic take as long at M = 8; a read of 4 kB takes
 * 20 ms. */
static void compute_finds_the_turn_and_the_share_of_the_peak(void **state)
{
    (void)state;
    yoke_artefact *large = artefact, *small;
    assert_int_equal(yoke_artefact_random(64, 32, 1, NULL, &small, NULL), YOKE_OK);
    artefact = small;
    bool found = false;
    for (int try = 0; try < TRIES && !found; try++) {
        yoke_record *record =
            run("fake,gbps=0.0002,rate_gflops=0.0016", YOKE_BENCH_COMPUTE, 6, no_cache);
        const yoke_record_row *last = last_m(record);
        assert_int_equal(yoke_record_failed(record), 0);
        assert_near(last->limit_tflops, 1.6e-6, 1e-12);
        assert_near(last->turn_m_predicted, 8, 1e-6);
        assert_near(last->fraction_of_limit, last->tflops / last->limit_tflops, 1e-12);
        assert_true(last->fraction_of_limit < 1.01); /* the simulation never ends early */
        found = last->m >= 16 && near(last->fraction_of_limit, 1, 0.2) && near(last->turn_m, 8, 3);
        yoke_record_free(record);
    }
    artefact = large;
    yoke_artefact_free(small);
    assert_true(found);
}

/* Bytes are those stored, whatever the engine makes of them. */
static void converted_weights_count_their_stored_bytes(void **state)
{
    (void)state;
    yoke_artefact *f16 = artefact, *q8;
    yoke_artefact_options format = {.format = YOKE_Q8_0};
    assert_int_equal(yoke_artefact_random(N, K, 1, &format, &q8, NULL), YOKE_OK);
    artefact = q8;
    yoke_record *record = run("fake,gbps=1,formats=f32", YOKE_BENCH_READ, 0.1, no_cache);
    const yoke_record_row *row = record->rows[3];
    assert_int_equal(yoke_record_failed(record), 0);
    assert_int_equal(row->format, YOKE_Q8_0);
    assert_int_equal(row->prepared_format, YOKE_F32);
    assert_int_equal(row->bytes, N * K / 32 * 34);
    assert_int_equal(row->prepared_bytes, N * K * 4);
    assert_int_equal(row->logical_bytes, N * K * 2);
    yoke_record_free(record);
    artefact = f16;
    yoke_artefact_free(q8);
}

static void block_formats_have_no_odd_k(void **state)
{
    (void)state;
    yoke_artefact *q8;
    yoke_artefact_options format = {.format = YOKE_Q8_0};
    yoke_record *record;
    const char *engine = "fake";
    yoke_bench_options options = {.suites = YOKE_BENCH_COMPUTE, .seconds = 0.1};
    assert_int_equal(yoke_artefact_random(64, 64, 1, &format, &q8, NULL), YOKE_OK);
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    assert_int_equal(yoke_bench_run(context, &engine, 1, q8, &options, record, NULL), YOKE_OK);
    assert_true(has_note(record, "no odd K"));
    for (size_t i = 0; i < record->row_count; i++)
        assert_string_equal(record->rows[i]->what, "m");
    yoke_record_free(record);
    yoke_artefact_free(q8);
}

static void dispatch_sees_the_scripted_cost_of_a_call(void **state)
{
    (void)state;
    yoke_record *record = run("fake,fixed_us=300", YOKE_BENCH_DISPATCH, 4, no_cache);
    assert_int_equal(record->row_count, 2);
    assert_string_equal(record->rows[0]->wait, "block");
    assert_string_equal(record->rows[1]->wait, "poll");
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(record->rows[i]->check, "right");
        assert_int_equal(record->rows[i]->n, 16);
        assert_int_equal(record->rows[i]->k, 32);
        assert_true(record->rows[i]->time.min >= 300e3);
    }
    yoke_record_free(record);
}

static void wake_waits_for_each_task_asleep_and_looking(void **state)
{
    (void)state;
    yoke_record *record = run("fake", YOKE_BENCH_WAKE, 1, no_cache);
    if (record->row_count == 0) {
        assert_true(has_note(record, "two cores"));
        yoke_record_free(record);
        skip();
    }
    assert_int_equal(record->row_count % 6, 0);
    assert_true(record->row_count == 12 || has_note(record, "idle states not held off"));
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        assert_string_equal(row->wait, i % 2 ? "poll" : "block");
        assert_true(row->time.min >= row->task_ns);
        assert_int_equal(isnan(row->wake_added_ns) != 0, i % 2);
        if (i % 2)
            assert_near(record->rows[i - 1]->wake_added_ns,
                        record->rows[i - 1]->time.median - row->time.median, 1e-6);
    }
    yoke_record_free(record);
}

static yoke_record *run_pair(const char *first, const char *second)
{
    const char *engines[] = {first, second};
    yoke_bench_options options = {.suites = YOKE_BENCH_CONTENTION, .seconds = 2};
    return run_engines(engines, 2, &options);
}

static const char *sharing_of(double low, double high)
{
    return low >= 0.95 ? "adds up" : high < 0.95 ? "shared ceiling" : "not clear";
}

static void contention_tells_what_each_keeps_and_what_both_reach(void **state)
{
    (void)state;
    yoke_record *record = run_pair("fake,gbps=0.01", "fake,gbps=0.03");
    size_t beside = 0;
    assert_int_equal(yoke_record_failed(record), 0);
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        assert_string_not_equal(row->engine, row->other);
        assert_true(row->samples.count >= 2);
        assert_string_equal(row->check, "right");
        if (strcmp(row->what, "beside") != 0)
            continue;
        beside++;
        assert_true(row->retained > 0);
        assert_true(row->retained_low <= row->retained);
        assert_true(row->retained <= row->retained_high);
        assert_true(row->together_low <= row->together);
        assert_true(row->together <= row->together_high);
        assert_string_equal(row->sharing, sharing_of(row->together_low, row->together_high));
    }
    assert_int_equal(beside, 4); /* two ways, at two M */
    assert_int_equal(record->row_count, 8);
    yoke_record_free(record);
}

static void a_wrong_engine_fails_its_pairs(void **state)
{
    (void)state;
    yoke_record *record = run_pair("fake,wrong_row_at=1,gbps=0.1", "fake,gbps=0.1");
    assert_int_equal(yoke_record_failed(record), 4); /* at the first M alone */
    const yoke_record_row *row = record->rows[0];
    assert_true(row->failed);
    assert_non_null(strstr(row->reason, "wrong_row_at=1"));
    assert_non_null(strstr(row->reason, "the answer is wrong"));
    assert_true(isnan(row->retained));
    yoke_record_free(record);
}

static void contention_of_one_engine_is_refused(void **state)
{
    (void)state;
    yoke_record *record;
    yoke_error err = {0};
    const char *engine = "fake";
    yoke_bench_options options = {.suites = YOKE_BENCH_CONTENTION};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, &options, record, &err),
                     YOKE_ERR_USAGE);
    yoke_record_free(record);
}

static void a_raised_flag_ends_the_run(void **state)
{
    (void)state;
    bool stop = true;
    const char *engine = "fake";
    yoke_record *record;
    yoke_bench_options options = {.seconds = 0.1, .stop = &stop};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, &options, record, NULL),
                     YOKE_ERR_INTERRUPTED);
    yoke_record_free(record);
}

static void an_unknown_engine_and_bad_options_are_refused(void **state)
{
    (void)state;
    const char *engine = "abacus";
    yoke_record *record;
    yoke_error err;
    yoke_bench_options unknown = {.suites = 1u << 31}, endless = {.seconds = -1},
                       integers = {.x_format = YOKE_I32};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, NULL, record, &err),
                     YOKE_ERR_NOT_FOUND);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, &unknown, record, &err),
                     YOKE_ERR_USAGE);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, &endless, record, &err),
                     YOKE_ERR_USAGE);
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, &integers, record, &err),
                     YOKE_ERR_USAGE);
    yoke_record_free(record);
}

static void translated_process_is_not_measured(void **state)
{
    (void)state;
    const char *const engine = "fake";
    yoke_record *record;
    yoke_error err = {0};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    assert_non_null(record->host);
    record->host->translated = true;
    assert_int_equal(yoke_bench_run(context, &engine, 1, artefact, NULL, record, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "under Rosetta: run the arm64 program"));
    assert_int_equal(record->row_count, 0);
    yoke_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_wander_over_the_whole_weight),
        cmocka_unit_test(read_recovers_the_scripted_bandwidth_and_fixed_cost),
        cmocka_unit_test(sizes_within_the_cache_are_labelled_and_not_fitted),
        cmocka_unit_test(an_engine_without_a_known_limit_has_none),
        cmocka_unit_test(a_wrong_answer_fails_its_row_and_has_no_rate),
        cmocka_unit_test(zeros_and_infinities_are_named),
        cmocka_unit_test(odd_k_costs_its_time_per_column),
        cmocka_unit_test(an_odd_k_computed_wrong_fails_and_has_no_cost),
        cmocka_unit_test(an_answer_gone_wrong_meanwhile_is_found_afterwards),
        cmocka_unit_test(an_engine_that_fails_while_timed_loses_that_size_alone),
        cmocka_unit_test(a_lost_engine_fails_every_row_and_ends),
        cmocka_unit_test(compute_finds_the_turn_and_the_share_of_the_peak),
        cmocka_unit_test(converted_weights_count_their_stored_bytes),
        cmocka_unit_test(block_formats_have_no_odd_k),
        cmocka_unit_test(dispatch_sees_the_scripted_cost_of_a_call),
        cmocka_unit_test(wake_waits_for_each_task_asleep_and_looking),
        cmocka_unit_test(contention_tells_what_each_keeps_and_what_both_reach),
        cmocka_unit_test(a_wrong_engine_fails_its_pairs),
        cmocka_unit_test(contention_of_one_engine_is_refused),
        cmocka_unit_test(a_raised_flag_ends_the_run),
        cmocka_unit_test(an_unknown_engine_and_bad_options_are_refused),
        cmocka_unit_test(translated_process_is_not_measured),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
