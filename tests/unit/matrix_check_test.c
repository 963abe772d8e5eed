/* Result checks: what is right passes whatever the shape, format, data and order of summation; what
 * is wrong is found and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "yoke/matrix.h"

/* ---- engines of the test's own, each right within what it declares ---- */

typedef float dot_product(const float *a, const float *b, size_t k);

static float dot_forward(const float *a, const float *b, size_t k)
{
    float sum = 0.0f;
    for (size_t i = 0; i < k; i++)
        sum += a[i] * b[i];
    return sum;
}

static float dot_backward(const float *a, const float *b, size_t k)
{
    float sum = 0.0f;
    for (size_t i = k; i-- > 0;)
        sum += a[i] * b[i];
    return sum;
}

static float dot_in_lanes(const float *a, const float *b, size_t k)
{
    float lanes[16] = {0}, sum = 0.0f;
    for (size_t i = 0; i < k; i++)
        lanes[i % 16] += a[i] * b[i];
    for (size_t i = 0; i < 16; i++)
        sum += lanes[i];
    return sum;
}

/* Both sides rounded to bf16 on the way in. */
static float dot_bf16(const float *a, const float *b, size_t k)
{
    float sum = 0.0f;
    for (size_t i = 0; i < k; i++)
        sum += bf16_to_f32(bf16_from_f32(a[i])) * bf16_to_f32(bf16_from_f32(b[i]));
    return sum;
}

/* Every product and sum rounded to f16. */
static float dot_in_f16(const float *a, const float *b, size_t k)
{
    float sum = 0.0f;
    for (size_t i = 0; i < k; i++)
        sum = f16_to_f32(f16_from_f32(sum + f16_to_f32(f16_from_f32(a[i] * b[i]))));
    return sum;
}

static const struct {
    const char *name;
    dot_product *dot;
    yoke_error_model model;
} ENGINES[] = {
    {"forward", dot_forward, {.unit = 0.0}},     {"backward", dot_backward, {.unit = 0.0}},
    {"lanes", dot_in_lanes, {.unit = 0.0}},      {"bf16", dot_bf16, {.input = 0x1p-8}},
    {"f16 sums", dot_in_f16, {.unit = 0x1p-11}},
};
#define ENGINE_COUNT (sizeof ENGINES / sizeof *ENGINES)

static yoke_matrix make(yoke_format format, size_t rows, size_t cols)
{
    yoke_matrix matrix;
    yoke_error err;
    if (yoke_matrix_create(format, rows, cols, &matrix, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return matrix;
}

static void set(yoke_matrix *matrix, size_t row, size_t col, float value)
{
    yoke_matrix one = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &value},
                at = yoke_matrix_rows(matrix, row, 1);
    at.data = (char *)at.data + col * yoke_format_get(matrix->format)->block_bytes;
    at.cols = at.stride = 1;
    assert_int_equal(yoke_matrix_convert(&one, &at, NULL), YOKE_OK);
}

static float get(const yoke_matrix *matrix, size_t row, size_t col)
{
    float value;
    assert_int_equal(yoke_matrix_read(matrix, row, col, 1, &value, NULL), YOKE_OK);
    return value;
}

static void multiply(dot_product *dot, const yoke_matrix *x, const yoke_matrix *w, yoke_matrix *y)
{
    float *a = malloc((x->cols + 1) * sizeof *a), *b = malloc((x->cols + 1) * sizeof *b);
    assert_true(a && b);
    for (size_t n = 0; n < w->rows; n++) {
        assert_int_equal(yoke_matrix_read(w, n, 0, w->cols, b, NULL), YOKE_OK);
        for (size_t m = 0; m < x->rows; m++) {
            assert_int_equal(yoke_matrix_read(x, m, 0, x->cols, a, NULL), YOKE_OK);
            set(y, m, n, dot(a, b, x->cols));
        }
    }
    free(a);
    free(b);
}

static yoke_check_result check_with(const yoke_check *check, const yoke_matrix *x,
                                    const yoke_matrix *y, const yoke_error_model *model)
{
    yoke_check_result result;
    yoke_error err;
    if (yoke_check_product(check, x, y, 0, model, &result, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return result;
}

static yoke_check *check_of(const yoke_matrix *w)
{
    yoke_check *check;
    yoke_error err;
    if (yoke_check_create(w, 77, &check, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return check;
}

/* ---- what is right ---- */

static double unit_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*state >> 32) / 0x1p31;
}

/* Data that rounding does its worst with. */
typedef enum data_kind {
    RANDOM,
    POSITIVE,
    EQUAL,      /* every sum grows by the same inexact step */
    STEPS,      /* each row equal, rows of different size */
    CANCELLING, /* the second half takes back the first */
    OUTLIERS,   /* a few elements far larger than the rest */
    KINDS
} data_kind;

static float data_value(data_kind kind, size_t row, size_t col, size_t cols, uint64_t *random)
{
    double u = unit_random(random);
    switch (kind) {
    case POSITIVE: return (float)fabs(u) + 0.01f;
    case EQUAL: return 0.1f;
    case STEPS: return 0.1f + 0.037f * (float)(row % 29);
    case CANCELLING: return (col < cols / 2 ? 0.7f : -0.7f) + (float)(u * 1e-4);
    case OUTLIERS: return (float)(col % 61 == row % 61 ? 300.0 * u : u);
    default: return (float)u;
    }
}

static void fill(yoke_matrix *matrix, data_kind kind, uint64_t seed)
{
    yoke_matrix f32 = make(YOKE_F32, matrix->rows, matrix->cols);
    for (size_t row = 0; row < matrix->rows; row++)
        for (size_t col = 0; col < matrix->cols; col++)
            ((float *)f32.data)[row * matrix->cols + col] =
                data_value(kind, row, col, matrix->cols, &seed);
    assert_int_equal(yoke_matrix_convert(&f32, matrix, NULL), YOKE_OK);
    yoke_matrix_free(&f32);
}

static void assert_right(size_t engine, data_kind x_kind, data_kind w_kind, const yoke_matrix *x,
                         const yoke_matrix *w, const yoke_check *check, yoke_format y_format)
{
    yoke_matrix y = make(y_format, x->rows, w->rows);
    multiply(ENGINES[engine].dot, x, w, &y);
    yoke_check_result result = check_with(check, x, &y, &ENGINES[engine].model);
    if (result.verdict != YOKE_VERDICT_RIGHT)
        fail_msg("%s, x %d, w %d, %zu x %zu x %zu, y %s: %s, %g of its bound at %zu, %zu",
                 ENGINES[engine].name, (int)x_kind, (int)w_kind, x->rows, w->rows, x->cols,
                 yoke_format_get(y_format)->name, yoke_verdict_name(result.verdict), result.worst,
                 result.row, result.col);
    yoke_matrix_free(&y);
}

static void right_results_of_any_engine_pass_over_shapes_and_data(void **state)
{
    (void)state;
    const size_t shapes[][3] = {{1, 1, 1},     {1, 7, 2},     {3, 65, 3},
                                {2, 66, 17},   {17, 100, 33}, {5, 63, 65},
                                {1, 300, 120}, {2, 130, 588}, {1, 200, 1001}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int kinds = 0; kinds < KINDS * KINDS; kinds += 1 + (int)(s % 2)) {
            data_kind x_kind = (data_kind)(kinds % KINDS), w_kind = (data_kind)(kinds / KINDS);
            yoke_matrix x = make(YOKE_F32, shapes[s][0], shapes[s][2]);
            yoke_matrix w = make(YOKE_F32, shapes[s][1], shapes[s][2]);
            fill(&x, x_kind, 1 + s);
            fill(&w, w_kind, 100 + s);
            yoke_check *check = check_of(&w);
            for (size_t e = 0; e < ENGINE_COUNT - (x_kind == OUTLIERS && w_kind == OUTLIERS); e++)
                assert_right(e, x_kind, w_kind, &x, &w, check, YOKE_F32);
            assert_right(2, x_kind, w_kind, &x, &w, check, YOKE_F16);
            assert_right(2, x_kind, w_kind, &x, &w, check, YOKE_BF16);
            yoke_check_free(check);
            yoke_matrix_free(&x);
            yoke_matrix_free(&w);
        }
}

static void long_sums_in_one_direction_pass_though_their_errors_agree(void **state)
{
    (void)state;
    const data_kind kinds[] = {EQUAL, STEPS, POSITIVE, CANCELLING};
    for (size_t i = 0; i < 4; i++) {
        yoke_matrix x = make(YOKE_F32, 1, 20000), w = make(YOKE_F32, 96, 20000);
        fill(&x, kinds[i] == STEPS ? EQUAL : kinds[i], 5);
        fill(&w, kinds[i], 6);
        yoke_check *check = check_of(&w);
        for (size_t e = 0; e < 4; e++)
            assert_right(e, kinds[i], kinds[i], &x, &w, check, YOKE_F32);
        yoke_check_free(check);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
    }
}

/* One output, not among the sampled ones, whose errors agree while those of all others do not, and
 * whose weights are so large that its segment is nothing else. */
static void one_output_unlike_all_others_passes(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F32, 1, 16000), w = make(YOKE_F32, 100, 16000);
    fill(&x, EQUAL, 1);
    for (size_t n = 1; n < 99; n += 12) {
        fill(&w, RANDOM, n);
        for (size_t k = 0; k < 16000; k++)
            set(&w, n, k, 1234.5678f);
        yoke_check *check = check_of(&w);
        assert_right(0, EQUAL, RANDOM, &x, &w, check, YOKE_F32);
        yoke_check_free(check);
    }
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
}

static void right_results_pass_in_every_weight_format(void **state)
{
    (void)state;
    const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0, YOKE_F64};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        yoke_matrix x = make(YOKE_F16, 3, 256), w = make(formats[f], 150, 256);
        fill(&x, RANDOM, 8);
        fill(&w, RANDOM, 9);
        yoke_check *check = check_of(&w);
        for (size_t e = 0; e < ENGINE_COUNT; e++)
            assert_right(e, RANDOM, RANDOM, &x, &w, check, YOKE_F32);
        assert_right(0, RANDOM, RANDOM, &x, &w, check, YOKE_F64);
        yoke_check_free(check);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
    }
}

static void many_rows_pass_and_so_do_subnormals_and_zeros(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F32, 100, 96), w = make(YOKE_F32, 80, 96);
    fill(&x, RANDOM, 3);
    fill(&w, POSITIVE, 4);
    memset(x.data, 0, 96 * 4 * sizeof(float)); /* four rows of zeros */
    for (size_t k = 0; k < 96; k++)
        set(&x, 50, k, 1e-40f);
    yoke_check *check = check_of(&w);
    assert_right(0, RANDOM, POSITIVE, &x, &w, check, YOKE_F32);
    assert_right(0, RANDOM, POSITIVE, &x, &w, check, YOKE_F16);
    yoke_check_free(check);

    memset(x.data, 0, 100 * 96 * sizeof(float));
    check = check_of(&w);
    assert_right(0, RANDOM, POSITIVE, &x, &w, check, YOKE_F32);
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
}

static void a_product_without_terms_is_right_when_zero(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F32, 2, 0), w = make(YOKE_F32, 100, 0), y = make(YOKE_F32, 2, 100);
    yoke_check *check = check_of(&w);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
    set(&y, 1, 50, 1.0f);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_WRONG);
    yoke_check_free(check);
    yoke_matrix_free(&y);
}

/* ---- what is wrong ---- */

enum { BIG = 4096 };

typedef struct big_product {
    yoke_matrix x, w, y;
    yoke_check *check;
    double rms;
} big_product;

static int big_setup(void **state)
{
    static big_product big;
    big.x = make(YOKE_F32, 1, BIG);
    big.w = make(YOKE_F16, BIG, BIG);
    big.y = make(YOKE_F32, 1, BIG);
    assert_int_equal(yoke_matrix_fill_random(&big.x, 1, NULL), YOKE_OK);
    assert_int_equal(yoke_matrix_fill_random(&big.w, 2, NULL), YOKE_OK);
    multiply(dot_in_lanes, &big.x, &big.w, &big.y);
    big.check = check_of(&big.w);
    double energy = 0.0;
    for (size_t n = 0; n < BIG; n++)
        energy += pow((double)get(&big.y, 0, n), 2.0);
    big.rms = sqrt(energy / BIG);
    *state = &big;
    return 0;
}

static int big_teardown(void **state)
{
    big_product *big = *state;
    yoke_matrix_free(&big->x);
    yoke_matrix_free(&big->w);
    yoke_matrix_free(&big->y);
    yoke_check_free(big->check);
    return 0;
}

static void a_right_large_product_passes_with_its_error_measured(void **state)
{
    big_product *big = *state;
    yoke_check_result result = check_with(big->check, &big->x, &big->y, NULL);
    assert_int_equal(result.verdict, YOKE_VERDICT_RIGHT);
    assert_true(result.worst > 0.0 && result.worst < 0.5);
    assert_true(result.rms_error > 1e-9 && result.rms_error < 1e-5);
}

/* 2 percent of the typical value is what has to be found; smaller elements cannot be told. */
static void one_wrong_element_is_found_wherever_it_is(void **state)
{
    big_product *big = *state;
    size_t tried = 0;
    for (size_t n = 3; n < BIG; n += 61) {
        float right = get(&big->y, 0, n);
        if (fabs((double)right) < 0.02 * big->rms)
            continue;
        const float wrong[] = {-right, 0.0f};
        for (size_t i = 0; i < 2; i++, tried++) {
            set(&big->y, 0, n, wrong[i]);
            yoke_check_result result = check_with(big->check, &big->x, &big->y, NULL);
            assert_int_equal(result.verdict, YOKE_VERDICT_WRONG);
            assert_true(result.worst > 1.0);
            assert_true(result.col <= n && n < result.col + 32);
        }
        set(&big->y, 0, n, right);
    }
    assert_true(tried > 100);
}

static void one_garbled_weight_block_is_found(void **state)
{
    big_product *big = *state;
    static float row[BIG], x[BIG];
    assert_int_equal(yoke_matrix_read(&big->x, 0, 0, BIG, x, NULL), YOKE_OK);
    for (size_t n = 5; n < BIG; n += 409) {
        assert_int_equal(yoke_matrix_read(&big->w, n, 0, BIG, row, NULL), YOKE_OK);
        for (size_t k = 0; k < 32; k++)
            row[n / 64 * 64 + k] = (float)(k % 5) - 2.0f;
        float right = get(&big->y, 0, n);
        set(&big->y, 0, n, dot_in_lanes(x, row, BIG));
        assert_int_equal(check_with(big->check, &big->x, &big->y, NULL).verdict,
                         YOKE_VERDICT_WRONG);
        set(&big->y, 0, n, right);
    }
}

static void a_shifted_row_is_found(void **state)
{
    big_product *big = *state;
    yoke_matrix shifted = make(YOKE_F32, 1, BIG);
    for (size_t n = 0; n < BIG; n++)
        set(&shifted, 0, n, get(&big->y, 0, (n + 1) % BIG));
    assert_int_equal(check_with(big->check, &big->x, &shifted, NULL).verdict, YOKE_VERDICT_WRONG);
    yoke_matrix_free(&shifted);
}

static void all_zeros_are_named(void **state)
{
    big_product *big = *state;
    yoke_matrix zeros = make(YOKE_F32, 1, BIG);
    yoke_check_result result = check_with(big->check, &big->x, &zeros, NULL);
    assert_int_equal(result.verdict, YOKE_VERDICT_ALL_ZERO);
    yoke_matrix_free(&zeros);
}

static void infinities_and_nan_are_named_with_their_place(void **state)
{
    big_product *big = *state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        float right = get(&big->y, 0, 1234);
        set(&big->y, 0, 1234, bad[i]);
        yoke_check_result result = check_with(big->check, &big->x, &big->y, NULL);
        assert_int_equal(result.verdict, YOKE_VERDICT_NOT_FINITE);
        assert_int_equal(result.row, 0);
        assert_int_equal(result.col, 1234);
        set(&big->y, 0, 1234, right);
    }
}

static void clipped_results_are_named(void **state)
{
    big_product *big = *state;
    yoke_error_model model = {.saturation = 2.0 * big->rms};
    yoke_matrix clipped = make(YOKE_F32, 1, BIG);
    for (size_t n = 0; n < BIG; n++)
        set(&clipped, 0, n,
            (float)fmin(fmax((double)get(&big->y, 0, n), -model.saturation), model.saturation));
    model.saturation = fmin(model.saturation, (double)(float)model.saturation);
    assert_int_equal(check_with(big->check, &big->x, &clipped, &model).verdict,
                     YOKE_VERDICT_SATURATED);
    assert_int_equal(check_with(big->check, &big->x, &clipped, NULL).verdict, YOKE_VERDICT_WRONG);
    yoke_matrix_free(&clipped);
}

static void a_window_is_checked_by_the_segments_and_samples_in_it(void **state)
{
    big_product *big = *state;
    yoke_check_result result;
    for (size_t begin = 0; begin < BIG; begin += 1000) {
        size_t count = begin + 1500 < BIG ? 1500 : BIG - begin;
        yoke_matrix window = {
            .format = YOKE_F32, .rows = 1, .cols = count, .data = (float *)big->y.data + begin};
        assert_int_equal(
            yoke_check_product(big->check, &big->x, &window, begin, NULL, &result, NULL), YOKE_OK);
        assert_int_equal(result.verdict, YOKE_VERDICT_RIGHT);
        if (begin + count < BIG) /* the window one output off */
            assert_int_equal(
                yoke_check_product(big->check, &big->x, &window, begin + 1, NULL, &result, NULL),
                YOKE_OK);
        assert_int_equal(result.verdict,
                         begin + count < BIG ? YOKE_VERDICT_WRONG : YOKE_VERDICT_RIGHT);
    }
    /* Too narrow for a segment, between two samples: nothing was checked, and that is what it
     * says. */
    size_t unchecked = 0;
    for (size_t n = 0; n < BIG; n++) {
        yoke_matrix one = {
            .format = YOKE_F32, .rows = 1, .cols = 1, .data = (float *)big->y.data + n};
        assert_int_equal(yoke_check_product(big->check, &big->x, &one, n, NULL, &result, NULL),
                         YOKE_OK);
        unchecked += result.verdict == YOKE_VERDICT_UNCHECKED;
        assert_true(result.verdict == YOKE_VERDICT_UNCHECKED ||
                    result.verdict == YOKE_VERDICT_RIGHT);
    }
    assert_int_equal(unchecked, BIG - 64);
}

/* 300 rows, of which few are looked at one by one. */
static void one_row_gone_wrong_among_many_is_found(void **state)
{
    (void)state;
    enum { M = 300, N = 200, K = 64 };
    yoke_matrix x = make(YOKE_F32, M, K), w = make(YOKE_F32, N, K), y = make(YOKE_F32, M, N);
    fill(&x, RANDOM, 11);
    fill(&w, RANDOM, 12);
    multiply(dot_forward, &x, &w, &y);
    yoke_check *check = check_of(&w);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
    static float saved[N];
    for (size_t row = 0; row < M; row += 37) {
        float *at = (float *)y.data + row * N;
        const float *other = (float *)y.data + (row + 1) % M * N;
        memcpy(saved, at, sizeof saved);
        memset(at, 0, sizeof saved);
        yoke_check_result result = check_with(check, &x, &y, NULL);
        assert_int_equal(result.verdict, YOKE_VERDICT_WRONG);
        assert_int_equal(result.row, row);
        memcpy(at, other, sizeof saved);
        result = check_with(check, &x, &y, NULL);
        assert_int_equal(result.verdict, YOKE_VERDICT_WRONG);
        assert_int_equal(result.row, row);
        memcpy(at, saved, sizeof saved);
    }
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

/* The first row cannot be checked; the others are, all the same. */
static void a_wrong_row_is_found_behind_one_that_is_left_out(void **state)
{
    (void)state;
    enum { M = 20, N = 10, K = 64 };
    yoke_matrix x = make(YOKE_F32, M, K), w = make(YOKE_F32, N, K), y = make(YOKE_F32, M, N);
    fill(&x, RANDOM, 13);
    fill(&w, RANDOM, 14);
    set(&x, 0, 5, (float)NAN);
    multiply(dot_forward, &x, &w, &y);
    yoke_check *check = check_of(&w);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
    set(&y, 1, 3, get(&y, 1, 3) + 1.0f);
    yoke_check_result result = check_with(check, &x, &y, NULL);
    assert_int_equal(result.verdict, YOKE_VERDICT_WRONG);
    assert_int_equal(result.row, 1);
    assert_int_equal(result.col, 3);
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

static void infinities_that_are_right_are_not_held_against_the_engine(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F32, 3, 64), w = make(YOKE_F32, 200, 64), y = make(YOKE_F32, 3, 200);
    fill(&x, RANDOM, 1);
    fill(&w, RANDOM, 2);
    set(&x, 1, 5, NAN);       /* a row of NaN */
    set(&w, 77, 9, INFINITY); /* a column of infinities */
    multiply(dot_forward, &x, &w, &y);
    yoke_check *check = check_of(&w);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
    float right = get(&y, 2, 78);
    set(&y, 2, 78, NAN);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_NOT_FINITE);
    set(&y, 2, 78, -right);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_WRONG);
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

static void overflow_of_y_to_infinity_is_right_only_where_it_is_due(void **state)
{
    (void)state;
    const size_t outputs[] = {40, 150}; /* all sampled, and not */
    for (size_t i = 0; i < 2; i++) {
        yoke_matrix x = make(YOKE_F32, 1, 64), w = make(YOKE_F32, outputs[i], 64);
        yoke_matrix y = make(YOKE_F16, 1, outputs[i]);
        fill(&x, RANDOM, 1);
        fill(&w, RANDOM, 2);
        for (size_t k = 0; k < 64; k++)
            set(&w, 11, k, copysignf(60000.0f, get(&x, 0, k)));
        multiply(dot_forward, &x, &w, &y);
        assert_true(isinf(get(&y, 0, 11)));
        yoke_check *check = check_of(&w);
        assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
        set(&y, 0, 0, INFINITY); /* the first output is always sampled */
        assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_NOT_FINITE);
        yoke_check_free(check);
        yoke_matrix_free(&x);
        yoke_matrix_free(&w);
        yoke_matrix_free(&y);
    }
}

static void flushed_subnormals_are_right_only_for_an_engine_that_says_so(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F16, 1, 32), w = make(YOKE_F16, 100, 32), y = make(YOKE_F32, 1, 100);
    for (size_t k = 0; k < 32; k++)
        set(&x, 0, k, 0x1p-15f);
    fill(&w, POSITIVE, 2);
    yoke_check *check = check_of(&w); /* y all zero */
    yoke_error_model model = {.zeroed = 0x1p-14};
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_ALL_ZERO);
    assert_int_equal(check_with(check, &x, &y, &model).verdict, YOKE_VERDICT_RIGHT);
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

/* An engine that adds in f16 stalls at 2048; a check for fp32 must see it. */
static void sums_of_ones_in_f16_are_wrong_for_an_fp32_engine(void **state)
{
    (void)state;
    yoke_matrix x = make(YOKE_F16, 1, 4096), w = make(YOKE_F16, 10, 4096);
    yoke_matrix y = make(YOKE_F32, 1, 10);
    for (size_t k = 0; k < 4096; k++) {
        set(&x, 0, k, 1.0f);
        for (size_t n = 0; n < 10; n++)
            set(&w, n, k, 1.0f);
    }
    multiply(dot_in_f16, &x, &w, &y);
    assert_true(get(&y, 0, 3) == 2048.0f);
    yoke_check *check = check_of(&w);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_WRONG);
    multiply(dot_forward, &x, &w, &y);
    assert_int_equal(check_with(check, &x, &y, NULL).verdict, YOKE_VERDICT_RIGHT);
    yoke_check_free(check);
    yoke_matrix_free(&x);
    yoke_matrix_free(&w);
    yoke_matrix_free(&y);
}

static void what_does_not_fit_together_is_an_error(void **state)
{
    (void)state;
    float data[64] = {0};
    yoke_matrix w = {.format = YOKE_F32, .rows = 4, .cols = 8, .data = data},
                x = {.format = YOKE_F32, .rows = 1, .cols = 8, .data = data};
    yoke_matrix y = {.format = YOKE_F32, .rows = 1, .cols = 4, .data = data},
                q8_1 = {.format = YOKE_Q8_1, .rows = 1, .cols = 256, .data = data};
    yoke_matrix short_x = {.format = YOKE_F32, .rows = 1, .cols = 7, .data = data},
                whole = {.format = YOKE_I32, .rows = 1, .cols = 4, .data = data};
    yoke_check *check;
    yoke_check_result result;
    yoke_error err;
    assert_int_equal(yoke_check_create(&q8_1, 1, &check, &err), YOKE_ERR_UNSUPPORTED);
    assert_null(check);
    assert_int_equal(yoke_check_create(NULL, 1, &check, &err), YOKE_ERR_USAGE);
    check = check_of(&w);
    assert_int_equal(yoke_check_product(check, &short_x, &y, 0, NULL, &result, &err),
                     YOKE_ERR_SHAPE);
    assert_int_equal(yoke_check_product(check, &x, &y, 1, NULL, &result, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_check_product(check, &x, &y, SIZE_MAX, NULL, &result, &err),
                     YOKE_ERR_SHAPE);
    assert_int_equal(yoke_check_product(check, &x, &whole, 0, NULL, &result, &err),
                     YOKE_ERR_UNSUPPORTED);
    assert_int_equal(yoke_check_product(NULL, &x, &y, 0, NULL, &result, &err), YOKE_ERR_USAGE);
    yoke_check_free(check);
    yoke_check_free(NULL);
}

static void every_verdict_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_UNCHECKED), "unchecked");
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_RIGHT), "right");
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_WRONG), "wrong");
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_ALL_ZERO), "all zero");
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_NOT_FINITE), "not finite");
    assert_string_equal(yoke_verdict_name(YOKE_VERDICT_SATURATED), "saturated");
}

int main(void)
{
    const struct CMUnitTest right[] = {
        cmocka_unit_test(right_results_of_any_engine_pass_over_shapes_and_data),
        cmocka_unit_test(long_sums_in_one_direction_pass_though_their_errors_agree),
        cmocka_unit_test(one_output_unlike_all_others_passes),
        cmocka_unit_test(right_results_pass_in_every_weight_format),
        cmocka_unit_test(many_rows_pass_and_so_do_subnormals_and_zeros),
        cmocka_unit_test(a_product_without_terms_is_right_when_zero),
        cmocka_unit_test(one_row_gone_wrong_among_many_is_found),
        cmocka_unit_test(a_wrong_row_is_found_behind_one_that_is_left_out),
        cmocka_unit_test(infinities_that_are_right_are_not_held_against_the_engine),
        cmocka_unit_test(overflow_of_y_to_infinity_is_right_only_where_it_is_due),
        cmocka_unit_test(flushed_subnormals_are_right_only_for_an_engine_that_says_so),
        cmocka_unit_test(sums_of_ones_in_f16_are_wrong_for_an_fp32_engine),
        cmocka_unit_test(what_does_not_fit_together_is_an_error),
        cmocka_unit_test(every_verdict_has_its_name),
    };
    const struct CMUnitTest wrong[] = {
        cmocka_unit_test(a_right_large_product_passes_with_its_error_measured),
        cmocka_unit_test(one_wrong_element_is_found_wherever_it_is),
        cmocka_unit_test(one_garbled_weight_block_is_found),
        cmocka_unit_test(a_shifted_row_is_found),
        cmocka_unit_test(all_zeros_are_named),
        cmocka_unit_test(infinities_and_nan_are_named_with_their_place),
        cmocka_unit_test(clipped_results_are_named),
        cmocka_unit_test(a_window_is_checked_by_the_segments_and_samples_in_it),
    };
    int failed = cmocka_run_group_tests_name("small products", right, NULL, NULL);
    return failed + cmocka_run_group_tests_name("a large product", wrong, big_setup, big_teardown);
}
