#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "yoke/measure.h"

/* A subject that reads its times from a script (the last one repeats), and writes its letter into a
 * log shared by all. */
typedef struct actor {
    char letter;
    const double *script;
    size_t script_count, runs;
    size_t fail_at; /* run, from 1; 0 never */
    bool *raise;    /* set on every run, as a signal handler would */
    char *log;
} actor;

static yoke_status act(void *arg, double *elapsed_ns, yoke_error *err)
{
    actor *a = arg;
    size_t last = a->script_count - 1;
    *elapsed_ns = a->script[a->runs < last ? a->runs : last];
    a->runs++;
    if (a->log)
        strncat(a->log, &a->letter, 1);
    if (a->raise)
        *a->raise = true;
    if (a->runs == a->fail_at)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "actor %c: failed", a->letter);
    return YOKE_OK;
}

static const double steady[] = {1000};
static const double slow_start[] = {204243.803, 18890.4666, 18646.4342, 18990.746,  18969.4694,
                                    19051.0284, 18862.6672, 18805.6347, 19060.9406, 18910.2225};

static void samples_are_taken_in_turns(void **state)
{
    (void)state;
    char log[256] = "";
    actor a = {.letter = 'A', .script = steady, .script_count = 1, .log = log};
    actor b = {.letter = 'B', .script = steady, .script_count = 1, .log = log};
    yoke_subject subjects[] = {{act, &a}, {act, &b}};
    yoke_series series[2] = {{0}, {0}};
    yoke_sampling sampling = {.min_samples = 4, .min_seconds = 1e-9, .warmup_window = 2};
    assert_int_equal(yoke_sample(subjects, 2, &sampling, series, NULL), YOKE_OK);
    assert_string_equal(log, "AABB"
                             "ABABABAB");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(series[i].count, 4);
        assert_int_equal(series[i].warmup_count, 2);
        assert_true(series[i].warmup_settled);
        yoke_series_free(&series[i]);
    }
}

static void warm_up_lasts_until_the_runs_agree(void **state)
{
    (void)state;
    actor a = {.letter = 'A', .script = slow_start, .script_count = 10};
    yoke_subject subject = {act, &a};
    yoke_series series = {0};
    yoke_sampling sampling = {.min_seconds = 1e-9};
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    /* Runs 2 to 6 are the first five within 5 % of each other. */
    assert_int_equal(series.warmup_count, 6);
    assert_true(series.warmup_settled);
    assert_int_equal(series.count, 10);
    for (size_t i = 0; i < series.count; i++)
        assert_true(series.samples_ns[i] < 20000); /* the start is not among them */
    yoke_series_free(&series);
}

static void warm_up_that_never_settles_says_so(void **state)
{
    (void)state;
    double restless[40];
    for (size_t i = 0; i < 40; i++)
        restless[i] = i % 2 ? 1000 : 2000;
    actor a = {.letter = 'A', .script = restless, .script_count = 40};
    yoke_subject subject = {act, &a};
    yoke_series series = {0};
    yoke_sampling sampling = {.min_seconds = 1e-9, .warmup_max = 12};
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    assert_int_equal(series.warmup_count, 12);
    assert_false(series.warmup_settled);
    assert_int_equal(series.count, 10);
    yoke_series_free(&series);
}

static void sampling_lasts_until_count_and_time_are_enough(void **state)
{
    (void)state;
    actor fast = {.letter = 'A', .script = steady, .script_count = 1};
    yoke_subject subject = {act, &fast};
    yoke_series series = {0};
    /* 1000 ns a run: 50 us take 50 runs, though 10 would do by count. */
    yoke_sampling sampling = {.min_samples = 10, .min_seconds = 50e-6};
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    assert_int_equal(series.count, 50);
    yoke_series_free(&series);
}

static void rounds_stay_whole_until_the_last_subject_has_enough(void **state)
{
    (void)state;
    const double slow[] = {100e6};
    actor a = {.letter = 'A', .script = steady, .script_count = 1};
    actor b = {.letter = 'B', .script = slow, .script_count = 1};
    yoke_subject subjects[] = {{act, &a}, {act, &b}};
    yoke_series series[2] = {{0}, {0}};
    yoke_sampling sampling = {.min_samples = 2, .min_seconds = 5e-6};
    assert_int_equal(yoke_sample(subjects, 2, &sampling, series, NULL), YOKE_OK);
    assert_int_equal(series[0].count, 5); /* 5 us at 1 us a run */
    assert_int_equal(series[1].count, 5);
    yoke_series_free(&series[0]);
    yoke_series_free(&series[1]);
}

static void samples_are_never_more_than_the_largest_number(void **state)
{
    (void)state;
    char log[256] = "";
    const double slow[] = {100e6};
    actor a = {.letter = 'A', .script = steady, .script_count = 1, .log = log};
    actor b = {.letter = 'B', .script = slow, .script_count = 1, .log = log};
    yoke_subject subjects[] = {{act, &a}, {act, &b}};
    yoke_series series[2] = {{0}, {0}};
    yoke_sampling sampling = {.max_samples = 3, .warmup_max = 1};
    assert_int_equal(yoke_sample(subjects, 2, &sampling, series, NULL), YOKE_OK);
    assert_string_equal(log, "ABABABAB");
    assert_int_equal(series[0].count, 3);
    yoke_series_free(&series[0]);
    yoke_series_free(&series[1]);
}

static void a_spent_time_budget_still_leaves_one_sample(void **state)
{
    (void)state;
    actor a = {.letter = 'A', .script = steady, .script_count = 1};
    yoke_subject subject = {act, &a};
    yoke_series series = {0};
    yoke_sampling sampling = {.max_seconds = 1e-12};
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    assert_int_equal(series.warmup_count, 1);
    assert_false(series.warmup_settled);
    assert_int_equal(series.count, 1);
    yoke_series_free(&series);
}

static void a_second_call_adds_to_what_the_series_holds(void **state)
{
    (void)state;
    actor a = {.letter = 'A', .script = steady, .script_count = 1};
    yoke_subject subject = {act, &a};
    yoke_series series = {0};
    yoke_sampling sampling = {.min_samples = 6, .min_seconds = 1e-9};
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, NULL), YOKE_OK);
    assert_int_equal(series.count, 12);
    assert_int_equal(series.warmup_count, 10);
    yoke_series_free(&series);
}

static void a_failing_run_ends_sampling_with_its_own_error(void **state)
{
    (void)state;
    actor a = {.letter = 'A', .script = steady, .script_count = 1};
    actor b = {.letter = 'B', .script = steady, .script_count = 1, .fail_at = 8};
    yoke_subject subjects[] = {{act, &a}, {act, &b}};
    yoke_series series[2] = {{0}, {0}};
    yoke_sampling sampling = {.min_seconds = 1e-9};
    yoke_error err;
    assert_int_equal(yoke_sample(subjects, 2, &sampling, series, &err), YOKE_ERR_ENGINE);
    assert_string_equal(err.text, "actor B: failed");
    assert_int_equal(series[0].count, 3); /* 5 warm-ups each, then ABABA and the failure */
    assert_int_equal(series[1].count, 2);
    yoke_series_free(&series[0]);
    yoke_series_free(&series[1]);
}

static void a_raised_flag_stops_sampling(void **state)
{
    (void)state;
    bool stop = false;
    actor a = {.letter = 'A', .script = steady, .script_count = 1, .raise = &stop};
    yoke_subject subject = {act, &a};
    yoke_series series = {0};
    yoke_sampling sampling = {.stop = &stop};
    yoke_error err;
    assert_int_equal(yoke_sample(&subject, 1, &sampling, &series, &err), YOKE_ERR_INTERRUPTED);
    assert_int_equal(a.runs, 1);
    yoke_series_free(&series);
}

static void the_clock_never_runs_back(void **state)
{
    (void)state;
    uint64_t last = yoke_clock_ns();
    for (int i = 0; i < 1000; i++) {
        uint64_t now = yoke_clock_ns();
        assert_true(now >= last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_taken_in_turns),
        cmocka_unit_test(warm_up_lasts_until_the_runs_agree),
        cmocka_unit_test(warm_up_that_never_settles_says_so),
        cmocka_unit_test(sampling_lasts_until_count_and_time_are_enough),
        cmocka_unit_test(rounds_stay_whole_until_the_last_subject_has_enough),
        cmocka_unit_test(samples_are_never_more_than_the_largest_number),
        cmocka_unit_test(a_spent_time_budget_still_leaves_one_sample),
        cmocka_unit_test(a_second_call_adds_to_what_the_series_holds),
        cmocka_unit_test(a_failing_run_ends_sampling_with_its_own_error),
        cmocka_unit_test(a_raised_flag_stops_sampling),
        cmocka_unit_test(the_clock_never_runs_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
