#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/matrix.h"

static void product(float alpha, const yoke_matrix *x, const yoke_matrix *w, float beta,
                    yoke_matrix *y)
{
    yoke_error err = {0};
    if (yoke_matrix_product(alpha, x, w, beta, y, &err) != YOKE_OK)
        fail_msg("%s", err.text);
}

static void small_products_have_their_values(void **state)
{
    (void)state;
    float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, -1, 2, 2, 2}, c[4] = {10, 20, 30, 40};
    yoke_matrix x = {.format = YOKE_F32, .rows = 2, .cols = 3, .data = a},
                w = {.format = YOKE_F32, .rows = 2, .cols = 3, .data = b},
                y = {.format = YOKE_F32, .rows = 2, .cols = 2, .data = c};
    product(1.0f, &x, &w, 0.0f, &y);
    const float plain[] = {-2, 12, -2, 30};
    assert_memory_equal(c, plain, sizeof plain);
    product(2.0f, &x, &w, -0.5f, &y);
    const float scaled[] = {-3, 18, -3, 45};
    assert_memory_equal(c, scaled, sizeof scaled);
}

/* Whole numbers, whose sums are exact in any order, over a grid of awkward shapes. */
static void a_grid_of_shapes_matches_sums_of_whole_numbers(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 2, 3, 5, 7, 9, 11, 15, 16, 17, 31, 32, 33, 65};
    enum { COUNT = sizeof sizes / sizeof *sizes, MOST = 65 };
    static int8_t a[MOST * MOST], b[MOST * MOST];
    static float c[MOST * MOST];
    for (size_t i = 0; i < (size_t)MOST * MOST; i++) {
        a[i] = (int8_t)(i * 7 % 11 - 5);
        b[i] = (int8_t)(i * 5 % 13 - 6);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            for (size_t l = 0; l < COUNT; l += 2) {
                size_t m = sizes[i], n = sizes[j], k = sizes[l];
                yoke_matrix
                    x = {.format = YOKE_I8, .rows = m, .cols = k, .stride = MOST, .data = a},
                    w = {.format = YOKE_I8, .rows = n, .cols = k, .stride = MOST, .data = b};
                yoke_matrix y = {.format = YOKE_F32, .rows = m, .cols = n, .data = c};
                product(1.0f, &x, &w, 0.0f, &y);
                for (size_t row = 0; row < m; row++)
                    for (size_t col = 0; col < n; col++) {
                        int sum = 0;
                        for (size_t t = 0; t < k; t++)
                            sum += a[row * MOST + t] * b[col * MOST + t];
                        assert_true(c[row * n + col] == (float)sum);
                    }
            }
}

static void without_terms_the_result_is_beta_times_y(void **state)
{
    (void)state;
    float c[16] = {7};
    yoke_matrix x = {.format = YOKE_F32, .rows = 1, .cols = 0, .data = NULL},
                w = {.format = YOKE_F32, .rows = 1, .cols = 0, .data = NULL};
    yoke_matrix y = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = c};
    product(1.0f, &x, &w, 1.0f, &y);
    assert_true(c[0] == 7.0f);
    product(INFINITY, &x, &w, 0.0f, &y);
    assert_true(c[0] == 0.0f);

    x.rows = w.rows = y.rows = y.cols = 4;
    for (size_t i = 0; i < 16; i++)
        c[i] = NAN;
    product(1.0f, &x, &w, 0.0f, &y);
    for (size_t i = 0; i < 16; i++)
        assert_true(c[i] == 0.0f);
    for (size_t i = 0; i < 16; i++)
        c[i] = 3.0f;
    product(1.0f, &x, &w, 1.0f, &y);
    for (size_t i = 0; i < 16; i++)
        assert_true(c[i] == 3.0f);
}

static void beta_zero_never_reads_y_and_alpha_zero_never_x_or_w(void **state)
{
    (void)state;
    static float a[33 * 33], b[33 * 33], c[33 * 33];
    yoke_matrix x = {.format = YOKE_F32, .rows = 33, .cols = 33, .data = a},
                w = {.format = YOKE_F32, .rows = 33, .cols = 33, .data = b};
    yoke_matrix y = {.format = YOKE_F32, .rows = 33, .cols = 33, .data = c};
    for (size_t i = 0; i < 33 * 33; i++) {
        a[i] = b[i] = 1.0f;
        c[i] = NAN;
    }
    product(1.0f, &x, &w, 0.0f, &y);
    for (size_t i = 0; i < 33 * 33; i++) {
        assert_true(c[i] == 33.0f);
        a[i] = NAN;
        b[i] = INFINITY;
    }
    product(0.0f, &x, &w, 2.0f, &y);
    for (size_t i = 0; i < 33 * 33; i++)
        assert_true(c[i] == 66.0f);
}

static void nan_and_infinity_propagate(void **state)
{
    (void)state;
    float a[] = {1, INFINITY, 1, 0, NAN, 1}, b[] = {1, 1, 0, 0}, c[6];
    yoke_matrix x = {.format = YOKE_F32, .rows = 3, .cols = 2, .data = a},
                w = {.format = YOKE_F32, .rows = 2, .cols = 2, .data = b},
                y = {.format = YOKE_F32, .rows = 3, .cols = 2, .data = c};
    product(1.0f, &x, &w, 0.0f, &y);
    assert_true(isinf(c[0]) && isnan(c[1])); /* infinity * 0 */
    assert_true(c[2] == 1.0f && c[3] == 0.0f);
    assert_true(isnan(c[4]) && isnan(c[5]));
}

static void strides_are_honoured_on_all_sides(void **state)
{
    (void)state;
    float a[] = {1, 2, 3, 4, 5, 6, 7, 8}, eye[] = {1, 0, 0, 1}, c[4];
    yoke_matrix x = {.format = YOKE_F32, .rows = 2, .cols = 2, .stride = 4, .data = a},
                w = {.format = YOKE_F32, .rows = 2, .cols = 2, .data = eye};
    yoke_matrix y = {.format = YOKE_F32, .rows = 2, .cols = 2, .data = c};
    product(1.0f, &x, &w, 0.0f, &y);
    const float right[] = {1, 2, 5, 6};
    assert_memory_equal(c, right, sizeof right);

    /* Columns 128 to 383 of a wider buffer; the rest stays. */
    float *wide = malloc(256 * 512 * sizeof *wide), *ones = malloc(256 * 2 * sizeof *ones);
    assert_true(wide && ones);
    for (size_t i = 0; i < 256 * 512; i++)
        wide[i] = 9.0f;
    for (size_t i = 0; i < 512; i++)
        ones[i] = 1.0f;
    yoke_matrix p = {.format = YOKE_F32, .rows = 256, .cols = 2, .data = ones},
                window = {.format = YOKE_F32,
                          .rows = 256,
                          .cols = 256,
                          .stride = 512,
                          .data = wide + 128};
    product(1.0f, &p, &p, 0.0f, &window);
    for (size_t i = 0; i < 256 * 512; i++)
        assert_true(wide[i] == (i % 512 >= 128 && i % 512 < 384 ? 2.0f : 9.0f));
    free(wide);
    free(ones);
}

static void ones_in_f16_add_up_to_their_number(void **state)
{
    (void)state;
    static uint16_t ones[4096];
    for (size_t i = 0; i < 4096; i++)
        ones[i] = 0x3c00;
    float c;
    uint16_t half;
    yoke_matrix x = {.format = YOKE_F16, .rows = 1, .cols = 4096, .data = ones},
                y = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &c};
    product(1.0f, &x, &x, 0.0f, &y);
    assert_true(c == 4096.0f);
    yoke_matrix y16 = {.format = YOKE_F16, .rows = 1, .cols = 1, .data = &half};
    product(1.0f, &x, &x, 0.0f, &y16);
    assert_int_equal(half, 0x6c00);
}

static void subnormal_elements_count(void **state)
{
    (void)state;
    uint16_t tiny = 0x0001, one = 0x3c00, c = 0;
    yoke_matrix x = {.format = YOKE_F16, .rows = 1, .cols = 1, .data = &tiny},
                w = {.format = YOKE_F16, .rows = 1, .cols = 1, .data = &one};
    yoke_matrix y = {.format = YOKE_F16, .rows = 1, .cols = 1, .data = &c};
    product(1.0f, &x, &w, 0.0f, &y);
    assert_int_equal(c, 0x0001);
}

static void results_are_rounded_once_to_each_format(void **state)
{
    (void)state;
    /* 1 + 2^-11 + 2^-30: above the middle of two f16, by less than an f32 holds */
    float a[] = {1.0f, 0x1p-11f, 0x1p-30f}, b[] = {1.0f, 1.0f, 1.0f};
    yoke_matrix x = {.format = YOKE_F32, .rows = 1, .cols = 3, .data = a},
                w = {.format = YOKE_F32, .rows = 1, .cols = 3, .data = b};
    uint16_t half;
    float single;
    double wide;
    yoke_matrix f16 = {.format = YOKE_F16, .rows = 1, .cols = 1, .data = &half},
                f32 = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &single};
    yoke_matrix f64 = {.format = YOKE_F64, .rows = 1, .cols = 1, .data = &wide};
    product(1.0f, &x, &w, 0.0f, &f16);
    product(1.0f, &x, &w, 0.0f, &f32);
    product(1.0f, &x, &w, 0.0f, &f64);
    assert_int_equal(half, 0x3c01);
    assert_true(single == 1.0f + 0x1p-11f);
    assert_true(wide == 1.0 + 0x1p-11 + 0x1p-30);
    product(1.0f, &x, &w, 1.0f, &f64);
    assert_true(wide == 2.0 * (1.0 + 0x1p-11 + 0x1p-30));
}

static void quantised_weights_multiply_as_they_read(void **state)
{
    (void)state;
    unsigned char block[34] = {0x00, 0x38, 2, 4, 6}; /* 1, 2, 3, 0 ... */
    float a[32] = {1, 10, 100}, c;
    yoke_matrix x = {.format = YOKE_F32, .rows = 1, .cols = 32, .data = a},
                w = {.format = YOKE_Q8_0, .rows = 1, .cols = 32, .data = block};
    yoke_matrix y = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &c};
    product(1.0f, &x, &w, 0.0f, &y);
    assert_true(c == 321.0f);
}

static void shapes_that_do_not_fit_and_formats_that_do_not_serve_are_refused(void **state)
{
    (void)state;
    float data[64] = {0};
    yoke_error err;
    yoke_matrix x = {.format = YOKE_F32, .rows = 2, .cols = 3, .data = data},
                w = {.format = YOKE_F32, .rows = 4, .cols = 3, .data = data};
    yoke_matrix y = {.format = YOKE_F32, .rows = 2, .cols = 4, .data = data},
                bad = {.format = YOKE_F32, .rows = 2, .cols = 2, .data = data};
    yoke_matrix whole = {.format = YOKE_I32, .rows = 2, .cols = 4, .data = data},
                complex = {.format = YOKE_C64, .rows = 2, .cols = 3, .data = data};
    assert_int_equal(yoke_matrix_product(1, &x, &w, 0, &bad, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_product(1, &bad, &w, 0, &y, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_matrix_product(1, &x, &w, 0, &whole, &err), YOKE_ERR_UNSUPPORTED);
    assert_int_equal(yoke_matrix_product(1, &complex, &w, 0, &y, &err), YOKE_ERR_UNSUPPORTED);
    assert_int_equal(yoke_matrix_product(1, NULL, &w, 0, &y, &err), YOKE_ERR_USAGE);
    assert_string_equal(err.text, "x is NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_products_have_their_values),
        cmocka_unit_test(a_grid_of_shapes_matches_sums_of_whole_numbers),
        cmocka_unit_test(without_terms_the_result_is_beta_times_y),
        cmocka_unit_test(beta_zero_never_reads_y_and_alpha_zero_never_x_or_w),
        cmocka_unit_test(nan_and_infinity_propagate),
        cmocka_unit_test(strides_are_honoured_on_all_sides),
        cmocka_unit_test(ones_in_f16_add_up_to_their_number),
        cmocka_unit_test(subnormal_elements_count),
        cmocka_unit_test(results_are_rounded_once_to_each_format),
        cmocka_unit_test(quantised_weights_multiply_as_they_read),
        cmocka_unit_test(shapes_that_do_not_fit_and_formats_that_do_not_serve_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
