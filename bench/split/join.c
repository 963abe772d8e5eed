/* What joining two engines costs: a product so small that nothing else is left, split in two,
 * against the longer of its two halves alone. In turns of many products each, as products follow
 * each other where they are used. */
#include <math.h>
#include <stdlib.h>

#include "report.h"

enum { N = 32, K = 64, TURNS = 200, IN_A_ROW = 200, DROPPED = 50 };

static double samples[3][TURNS * (IN_A_ROW - DROPPED)];

/* Curves by which half to each is best, whatever else: nothing but the joining is to be seen. */
static yoke_profile *halves(const two_engines *two)
{
    yoke_error err = {0};
    yoke_profile *profile;
    must(yoke_profile_create(&profile, &err), &err);
    for (size_t e = 0; e < 2; e++)
        for (size_t n = 16; n <= N; n += 16) {
            yoke_curve_key key = {.engine = two->names[e], .format = YOKE_F32, .k = K};
            yoke_curve_point point = {.m = 1, .n = n, .median_ns = 50.0 * (double)n, .count = 10};
            must(yoke_profile_add(profile, &key, &point, &err), &err);
        }
    return profile;
}

static double time_half(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y)
{
    yoke_error err = {0};
    yoke_multiply_options options = {.wait = YOKE_WAIT_SLEEP_POLL};
    uint64_t begin = yoke_clock_ns();
    must(yoke_weight_multiply(weight, x, y, &options, NULL, &err), &err);
    return (double)(yoke_clock_ns() - begin);
}

static double time_split(yoke_plan *plan, const yoke_matrix *x, yoke_matrix *y)
{
    yoke_error err = {0};
    uint64_t begin = yoke_clock_ns();
    must(yoke_matmul(plan, x, y, NULL, NULL, &err), &err);
    return (double)(yoke_clock_ns() - begin);
}

static void measure(yoke_plan *plan, yoke_weight *const weights[2], const yoke_matrix *x)
{
    yoke_matrix y = random_matrix(YOKE_F32, 1, N, 3), half = random_matrix(YOKE_F32, 1, N / 2, 4);
    size_t count = 0;
    for (size_t turn = 0; turn < TURNS; turn++, count += IN_A_ROW - DROPPED)
        for (size_t what = 0; what < 3; what++)
            for (size_t i = 0; i < IN_A_ROW; i++) {
                double ns = what < 2 ? time_half(weights[what], x, &half) : time_split(plan, x, &y);
                if (i >= DROPPED)
                    samples[what][count + i - DROPPED] = ns;
            }
    yoke_matrix_free(&half);
    yoke_matrix_free(&y);
}

static void check_halves(yoke_plan *plan, const yoke_matrix *x)
{
    yoke_error err = {0};
    yoke_run run;
    yoke_matrix y = random_matrix(YOKE_F32, 1, N, 3);
    must(yoke_matmul(plan, x, &y, NULL, &run, &err), &err);
    if (run.part_count != 2)
        must(yoke_error_set(&err, YOKE_ERR_ENGINE, "the product was not split"), &err);
    yoke_matrix_free(&y);
}

int main(int argc, char **argv)
{
    two_engines two;
    yoke_error err = {0};
    yoke_plan *plan;
    yoke_weight *weights[2];
    open_two(argc, argv, &two);
    stay_on(two.cpus[0]);
    yoke_matrix w = random_matrix(YOKE_F32, N, K, 1), x = random_matrix(YOKE_F32, 1, K, 2);
    yoke_profile *profile = halves(&two);
    yoke_plan_options options = {
        .fixed = true, .slack = -1, .solve = {.axis = YOKE_AXIS_N, .join_ns = -1, .noise = -1}};
    must(yoke_plan_create(two.engines, 2, &w, profile, &options, &plan, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        yoke_matrix half = yoke_matrix_rows(&w, i * N / 2, N / 2);
        must(yoke_weight_prepare(two.engines[i], &half, &weights[i], NULL, &err), &err);
    }
    check_halves(plan, &x);
    measure(plan, weights, &x);
    size_t count = sizeof samples[0] / sizeof samples[0][0];
    double alone = fmax(median_of(samples[0], count), median_of(samples[1], count));
    report_number("samples of each", "", (double)count);
    report_number("first half alone", "ns", median_of(samples[0], count));
    report_number("second half alone", "ns", median_of(samples[1], count));
    report_number("split", "ns", median_of(samples[2], count));
    report_number("joining, median", "ns", median_of(samples[2], count) - alone);
    report_number("joining, p99", "ns", p99_of(samples[2], count) - alone);
    report_end();
    yoke_weight_free(weights[0]);
    yoke_weight_free(weights[1]);
    yoke_plan_free(plan);
    yoke_profile_free(profile);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    close_two(&two);
    return 0;
}
