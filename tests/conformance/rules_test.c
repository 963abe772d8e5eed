/* The rules of a product: alpha, beta, empty sums, NaN and infinity, strides, rounding, precision.
 */
#include <math.h>
#include <string.h>

#include "conformance/random.h"
#include "conformance/reference.h"
#include "conformance/subject.h"

static yoke_matrix f32(const float *data, size_t rows, size_t cols)
{
    return (yoke_matrix){.format = YOKE_F32, .rows = rows, .cols = cols, .data = (void *)data};
}

static yoke_matrix halves(yoke_format format, const uint16_t *data, size_t rows, size_t cols)
{
    return (yoke_matrix){.format = format, .rows = rows, .cols = cols, .data = (void *)data};
}

static yoke_matrix create(yoke_format format, size_t rows, size_t cols)
{
    yoke_matrix made;
    assert_int_equal(yoke_matrix_create(format, rows, cols, &made, NULL), YOKE_OK);
    return made;
}

static yoke_matrix create_random(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix made = create(format, rows, cols);
    random_fill(&made, seed);
    return made;
}

static yoke_multiply_options scaled(float alpha, float beta)
{
    return (yoke_multiply_options){.scaled = true, .alpha = alpha, .beta = beta};
}

/* 1 x 1 results, k = 0: OpenBLAS pull 4708. */
static void an_empty_sum_of_one_element_is_beta_times_y(void **state)
{
    (void)state;
    float value = 7;
    const yoke_matrix x = f32(NULL, 1, 0), w = f32(NULL, 1, 0);
    yoke_matrix y = f32(&value, 1, 1);
    yoke_multiply_options options = scaled(1, 1);
    multiply_once(&x, &w, &y, &options);
    assert_true(value == 7);
    options = scaled(1, 0);
    multiply_once(&x, &w, &y, &options);
    assert_true(value == 0);
}

/* apache/tvm issue 19578, pytorch issue 31421. */
static void an_empty_sum_over_nan_is_zero_and_keeps_y_with_beta_one(void **state)
{
    (void)state;
    float values[16];
    const yoke_matrix x = f32(NULL, 4, 0), w = f32(NULL, 4, 0);
    yoke_matrix y = f32(values, 4, 4);
    for (int i = 0; i < 16; i++)
        values[i] = NAN;
    multiply_once(&x, &w, &y, NULL);
    for (int i = 0; i < 16; i++)
        assert_true(values[i] == 0 && !signbit(values[i]));

    for (int i = 0; i < 16; i++)
        values[i] = 3;
    const yoke_multiply_options keep = scaled(1, 1);
    multiply_once(&x, &w, &y, &keep);
    for (int i = 0; i < 16; i++)
        assert_true(values[i] == 3);
}

/* Reference-LAPACK issue 1077: a NaN in y came through, sometimes only at the edges of tiles. */
static void beta_zero_never_reads_y(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    yoke_matrix x = create_random(YOKE_F32, 33, 33, 1), w = create_random(YOKE_F32, 33, 33, 2);
    reference r = reference_create(&x, &w);
    for (int i = 0; i < 6; i++) {
        yoke_matrix y = create(formats[i / 2], 33, 33);
        memset(y.data, 0xff, 33 * 33 * yoke_format_get(y.format)->block_bytes);
        const yoke_multiply_options options = scaled(1, i % 2 ? 0.0f : -0.0f);
        multiply_once(&x, &w, &y, &options);
        reference_check(&r, 0, 0, 0, &y);
        yoke_matrix_free(&y);
    }
    reference_free(&r);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
}

static void alpha_zero_never_reads_x_or_w(void **state)
{
    (void)state;
    float nans[33 * 33], values[33 * 33];
    for (int i = 0; i < 33 * 33; i++)
        nans[i] = NAN, values[i] = (float)i;
    const yoke_matrix x = f32(nans, 33, 33), w = f32(nans, 33, 33);
    yoke_matrix y = f32(values, 33, 33);
    const yoke_multiply_options options = scaled(0, 2);
    multiply_once(&x, &w, &y, &options);
    for (int i = 0; i < 33 * 33; i++)
        assert_true(values[i] == 2 * (float)i);
}

static void alpha_and_beta_scale(void **state)
{
    (void)state;
    enum { M = 7, N = 35, K = 70 };
    static const float factors[][2] = {{1, 1}, {0.7f, 1.3f}, {-2, 0.5f}, {0.25f, 0}, {1, -1}};
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    yoke_matrix x = create_random(YOKE_F32, M, K, 3), w = create_random(YOKE_F16, N, K, 4);
    reference r = reference_create(&x, &w);
    for (int i = 0; i < 15; i++) {
        double alpha = (double)factors[i / 3][0], beta = (double)factors[i / 3][1];
        yoke_matrix before = create_random(formats[i % 3], M, N, 5),
                    y = create(formats[i % 3], M, N);
        memcpy(y.data, before.data, M * N * yoke_format_get(y.format)->block_bytes);
        const yoke_multiply_options options = scaled(factors[i / 3][0], factors[i / 3][1]);
        multiply_once(&x, &w, &y, &options);
        for (size_t m = 0; m < M; m++)
            for (size_t n = 0; n < N; n++) {
                float old, new;
                yoke_matrix_read(&before, m, n, 1, &old, NULL);
                yoke_matrix_read(&y, m, n, 1, &new, NULL);
                double sum = alpha * r.sum[m * N + n] + beta * (double)old;
                double magnitude = fabs(alpha) * r.magnitude[m * N + n] + fabs(beta * (double)old);
                if (!(fabs((double)new - sum) <= reference_bound(K, sum, magnitude, y.format)))
                    fail_msg("alpha %g beta %g: y[%zu][%zu] is %g, not %g", alpha, beta, m, n,
                             (double)new, sum);
            }
        yoke_matrix_free(&before);
        yoke_matrix_free(&y);
    }
    reference_free(&r);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
}

/* x is rows 0 and 2 of a 4 x 2 buffer; pytorch issue 104832, modular issue 6672. */
static void a_row_stride_skips_rows(void **state)
{
    (void)state;
    const float buffer[] = {1, 2, 3, 4, 5, 6, 7, 8}, identity[] = {1, 0, 0, 1};
    float values[4];
    const yoke_matrix x = {.format = YOKE_F32,
                           .rows = 2,
                           .cols = 2,
                           .stride = 4,
                           .data = (void *)buffer},
                      w = f32(identity, 2, 2);
    yoke_matrix y = f32(values, 2, 2);
    multiply_once(&x, &w, &y, NULL);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == 5 && values[3] == 6);
}

/* Whatever vectors an engine reads x in. */
static void x_may_begin_at_any_element(void **state)
{
    (void)state;
    enum { N = 20, K = 64, MOST = 16 };
    static float buffer[MOST * K + 4];
    yoke_matrix w = create_random(YOKE_F32, N, K, 16), x = create_random(YOKE_F32, MOST, K, 17);
    for (size_t begin = 1; begin < 4; begin++)
        for (size_t m = 1; m <= MOST; m += 5) {
            const yoke_matrix moved = f32(buffer + begin, m, K);
            yoke_matrix y = create(YOKE_F32, m, N);
            memcpy(moved.data, x.data, m * K * sizeof(float));
            reference r = reference_create(&moved, &w);
            multiply_once(&moved, &w, &y, NULL);
            reference_check(&r, 0, 0, 0, &y);
            reference_free(&r);
            yoke_matrix_free(&y);
        }
    yoke_matrix_free(&w);
    yoke_matrix_free(&x);
}

/* y is columns 128 .. 383 of a 256 x 512 buffer. */
static void columns_beside_y_are_left_alone(void **state)
{
    (void)state;
    static float buffer[256 * 512];
    for (size_t i = 0; i < 256 * 512; i++)
        buffer[i] = 9;
    yoke_matrix x = create_random(YOKE_F32, 256, 40, 6), w = create_random(YOKE_F32, 256, 40, 7);
    reference r = reference_create(&x, &w);
    yoke_matrix y = {
        .format = YOKE_F32, .rows = 256, .cols = 256, .stride = 512, .data = buffer + 128};
    multiply_once(&x, &w, &y, NULL);
    reference_check(&r, 0, 0, 0, &y);
    for (size_t i = 0; i < 256 * 512; i++)
        if (i % 512 < 128 || i % 512 >= 384)
            assert_true(buffer[i] == 9);
    reference_free(&r);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
}

/* In f16, 2048 + 1 is 2048: a sum of 4096 ones that is kept in f16 stops there. */
static void sums_of_f16_are_kept_wider_than_f16(void **state)
{
    (void)state;
    static uint16_t ones[4096];
    for (int i = 0; i < 4096; i++)
        ones[i] = 0x3c00;
    const yoke_matrix x = halves(YOKE_F16, ones, 1, 4096), w = halves(YOKE_F16, ones, 1, 4096);
    float wide = 0;
    uint16_t narrow = 0;
    yoke_matrix y = f32(&wide, 1, 1), y16 = halves(YOKE_F16, &narrow, 1, 1);
    multiply_once(&x, &w, &y, NULL);
    assert_true(wide == 4096);
    multiply_once(&x, &w, &y16, NULL);
    assert_int_equal(narrow, 0x6c00);
}

static uint16_t rounded(uint32_t bits, yoke_format format)
{
    float value = 0, one = 1;
    uint16_t result = 0;
    memcpy(&value, &bits, sizeof value);
    const yoke_matrix x = f32(&value, 1, 1), w = f32(&one, 1, 1);
    yoke_matrix y = halves(format, &result, 1, 1);
    multiply_once(&x, &w, &y, NULL);
    return result;
}

/* dotnet/runtime pull 130583, tinygrad issue 17087. */
static void results_round_to_nearest_even_and_nan_stays_nan(void **state)
{
    (void)state;
    assert_int_equal(rounded(0x7f7fffff, YOKE_BF16), 0x7f80); /* the largest f32 is infinite */
    assert_int_equal(rounded(0x3f808000, YOKE_BF16), 0x3f80); /* halfway, to even below */
    assert_int_equal(rounded(0x3f818000, YOKE_BF16), 0x3f82); /* halfway, to even above */
    assert_int_equal(rounded(0x3f808001, YOKE_BF16), 0x3f81);
    assert_true((rounded(0x7f800001, YOKE_BF16) & 0x7fff) > 0x7f80);
    assert_true((rounded(0x7fff8c22, YOKE_BF16) & 0x7fff) > 0x7f80);
    assert_int_equal(rounded(0x47800000, YOKE_F16), 0x7c00); /* 65536 */
    assert_int_equal(rounded(0x477fefff, YOKE_F16), 0x7bff); /* just below 65520 */
    assert_int_equal(rounded(0x477ff000, YOKE_F16), 0x7c00); /* 65520, halfway */
    assert_int_equal(rounded(0x3f801000, YOKE_F16), 0x3c00); /* halfway, to even below */
    assert_true((rounded(0x7f800001, YOKE_F16) & 0x7fff) > 0x7c00);
}

/* f16's smallest subnormal, 2^-24: pytorch issue 67797. */
static void f16_subnormals_count(void **state)
{
    (void)state;
    uint16_t smallest = 0x0001, one = 0x3c00, result16 = 0;
    float result = 0;
    yoke_matrix y = f32(&result, 1, 1), y16 = halves(YOKE_F16, &result16, 1, 1);
    const yoke_matrix a = halves(YOKE_F16, &smallest, 1, 1), b = halves(YOKE_F16, &one, 1, 1);
    multiply_once(&a, &b, &y, NULL);
    assert_true(result == 0x1p-24f);
    multiply_once(&b, &a, &y, NULL);
    assert_true(result == 0x1p-24f);
    multiply_once(&a, &b, &y16, NULL);
    assert_int_equal(result16, 1);
}

static void f32_and_bf16_subnormals_count_unless_the_facts_say_otherwise(void **state)
{
    (void)state;
    const float smallest = 0x1p-149f, one = 1;
    const uint16_t bf16_smallest = 0x0001; /* 2^-133 */
    float result = -1;
    yoke_matrix y = f32(&result, 1, 1);
    const yoke_matrix x = f32(&smallest, 1, 1), w = f32(&one, 1, 1);
    multiply_once(&x, &w, &y, NULL);
    assert_true(result == 0x1p-149f || (tested.facts->zeroes_subnormals && result == 0));
    const yoke_matrix w16 = halves(YOKE_BF16, &bf16_smallest, 1, 1), x1 = f32(&one, 1, 1);
    multiply_once(&x1, &w16, &y, NULL);
    assert_true(result == 0x1p-133f || (tested.facts->zeroes_subnormals && result == 0));
}

/* One special value in a sum of 70 makes its own row and column of y special, and nothing else. */
static void check_special(float special, bool in_x, yoke_format format)
{
    enum { M = 6, N = 37, K = 70, ROW = 3 };
    yoke_matrix x = create_random(in_x ? format : YOKE_F32, M, K, 8);
    yoke_matrix w = create_random(in_x ? YOKE_F32 : format, N, K, 9), y = create(YOKE_F32, M, N);
    const yoke_matrix from = f32(&special, 1, 1);
    yoke_matrix hit = yoke_matrix_rows(in_x ? &x : &w, ROW, 1);
    hit.cols = hit.stride = 1;
    hit.data = (char *)hit.data + (K - 1) * yoke_format_get(format)->block_bytes;
    assert_int_equal(yoke_matrix_convert(&from, &hit, NULL), YOKE_OK);
    multiply_once(&x, &w, &y, NULL);
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++) {
            float value = ((float *)y.data)[m * N + n];
            bool meets = (in_x ? m : n) == ROW;
            if (isnan(special) ? isnan(value) != meets : (isinf(value) != 0) != meets)
                fail_msg("%g in %s %s: y[%zu][%zu] is %g", (double)special,
                         yoke_format_get(format)->name, in_x ? "x" : "w", m, n, (double)value);
        }
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

static void nan_and_infinity_come_through_where_they_belong(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    for (int f = 0; f < 3; f++)
        for (int in_x = 0; in_x < 2; in_x++) {
            check_special(NAN, in_x, formats[f]);
            check_special(INFINITY, in_x, formats[f]);
            check_special(-INFINITY, in_x, formats[f]);
        }
}

static void infinity_times_zero_and_infinity_less_infinity_are_nan(void **state)
{
    (void)state;
    float result = 0;
    yoke_matrix y = f32(&result, 1, 1);
    const float inf_zero[] = {INFINITY, 1}, zero_one[] = {0, 1};
    yoke_matrix x = f32(inf_zero, 1, 2), w = f32(zero_one, 1, 2);
    multiply_once(&x, &w, &y, NULL);
    assert_true(isnan(result));
    const float inf_both[] = {INFINITY, -INFINITY}, ones[] = {1, 1};
    x = f32(inf_both, 1, 2), w = f32(ones, 1, 2);
    multiply_once(&x, &w, &y, NULL);
    assert_true(isnan(result));
}

/* ml-explore/mlx pull 3912: wrong only when K % 32 == 16 and M is large. */
static void one_row_and_fifty_rows_agree(void **state)
{
    (void)state;
    enum { M = 50, N = 128, K = 1040 };
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    for (int f = 0; f < 3; f++) {
        yoke_matrix x = create_random(YOKE_F32, M, K, 10), w = create_random(formats[f], N, K, 11);
        yoke_matrix all = create(YOKE_F32, M, N), one = create(YOKE_F32, 1, N);
        reference r = reference_create(&x, &w);
        yoke_weight *weight = prepare_on(tested.engine, &w);
        multiply_with(weight, &x, &all, NULL);
        reference_check(&r, 0, 0, 0, &all);
        for (size_t m = 0; m < M; m++) {
            const yoke_matrix row = yoke_matrix_rows(&x, m, 1);
            multiply_with(weight, &row, &one, NULL);
            reference_check(&r, m, 0, 0, &one);
        }
        yoke_weight_free(weight);
        reference_free(&r);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
        yoke_matrix_free(&all);
        yoke_matrix_free(&one);
    }
}

static const size_t heights[] = {1, 2, 16, 33};
static const size_t widths[] = {32, 96, 1056};

static void bf16_x_stays_within_the_rounding_of_x(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    const yoke_multiply_options options = {.precision = YOKE_PRECISION_BF16_X};
    for (int i = 0; i < 5 * 4 * 3; i++) {
        size_t m = heights[i / 3 % 4], k = widths[i % 3];
        yoke_matrix x = create_random(YOKE_F32, m, k, 12),
                    w = create_random(formats[i / 12], 49, k, 13);
        yoke_matrix y = create(YOKE_F32, m, 49);
        reference r = reference_create(&x, &w);
        multiply_once(&x, &w, &y, &options);
        reference_check(&r, 0, 0, ROUNDING_BF16_X, &y);
        reference_free(&r);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
        yoke_matrix_free(&y);
    }
}

/* Each element of x may be off by half a step of its 32's scale, amax / 127: as large a part of the
 * sum as if every x were amax. */
static void int8_x_stays_within_the_rounding_of_x(void **state)
{
    (void)state;
    static const yoke_format formats[] = {YOKE_F32,  YOKE_F16,  YOKE_BF16,
                                          YOKE_Q8_0, YOKE_Q4_0, YOKE_INT8};
    static const size_t int8_widths[] = {4, 100, 1060};
    const yoke_multiply_options options = {.precision = YOKE_PRECISION_INT8_X};
    for (int i = 0; i < 6 * 4 * 3; i++) {
        const bool int8 = formats[i / 12] == YOKE_INT8;
        size_t m = heights[i / 3 % 4], k = (int8 ? int8_widths : widths)[i % 3];
        yoke_matrix x = create_random(YOKE_F32, m, k, 14),
                    w = create_random(formats[i / 12], 49, k, 15);
        yoke_matrix y = create(YOKE_F32, m, 49), largest = create(YOKE_F32, m, k);
        for (size_t j = 0; j < m * k; j++) {
            const size_t begin = j - j % k % 32, row_end = (j / k + 1) * k;
            float *to = (float *)largest.data + j;
            for (size_t l = begin; l < begin + 32 && l < row_end; l++)
                *to = fmaxf(*to, fabsf(((const float *)x.data)[l]));
        }
        for (size_t n = 0; int8 && n < 49; n++) /* without a zero, below, above */
            ((float *)w.table)[2 * n + 1] = (float)((int)n % 3 - 1) * 2.75f * (float)n;
        reference r = reference_create(&x, &w), steps = reference_create(&largest, &w);
        multiply_once(&x, &w, &y, &options);
        for (size_t j = 0; j < m * 49; j++) {
            double got = (double)((float *)y.data)[j];
            double bound = reference_bound(k, r.sum[j], r.magnitude[j], YOKE_F32) +
                           steps.magnitude[j] * (1.02 / 254 + 0x1p-9);
            if (!(fabs(got - r.sum[j]) <= bound))
                fail_msg("%s m=%zu k=%zu: y[%zu] is %g, not %g +- %g",
                         yoke_format_get(w.format)->name, m, k, j, got, r.sum[j], bound);
        }
        reference_free(&r);
        reference_free(&steps);
        yoke_matrix_free(&largest);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
        yoke_matrix_free(&y);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_sum_of_one_element_is_beta_times_y),
    cmocka_unit_test(an_empty_sum_over_nan_is_zero_and_keeps_y_with_beta_one),
    cmocka_unit_test(beta_zero_never_reads_y),
    cmocka_unit_test(alpha_zero_never_reads_x_or_w),
    cmocka_unit_test(alpha_and_beta_scale),
    cmocka_unit_test(a_row_stride_skips_rows),
    cmocka_unit_test(x_may_begin_at_any_element),
    cmocka_unit_test(columns_beside_y_are_left_alone),
    cmocka_unit_test(sums_of_f16_are_kept_wider_than_f16),
    cmocka_unit_test(results_round_to_nearest_even_and_nan_stays_nan),
    cmocka_unit_test(f16_subnormals_count),
    cmocka_unit_test(f32_and_bf16_subnormals_count_unless_the_facts_say_otherwise),
    cmocka_unit_test(nan_and_infinity_come_through_where_they_belong),
    cmocka_unit_test(infinity_times_zero_and_infinity_less_infinity_are_nan),
    cmocka_unit_test(one_row_and_fifty_rows_agree),
    cmocka_unit_test(bf16_x_stays_within_the_rounding_of_x),
    cmocka_unit_test(int8_x_stays_within_the_rounding_of_x),
};
SUBJECT_MAIN(tests)
