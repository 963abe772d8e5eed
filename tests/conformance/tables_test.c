/* Weights whose elements mean something by a table: palettes, scales and zeros. */
#include <string.h>

#include "conformance/random.h"
#include "conformance/reference.h"
#include "conformance/subject.h"

static const yoke_format formats[] = {YOKE_LUT1, YOKE_LUT2, YOKE_LUT3, YOKE_LUT4,
                                      YOKE_LUT6, YOKE_LUT8, YOKE_INT4, YOKE_INT8};
#define FORMATS (sizeof formats / sizeof *formats)

static yoke_matrix make(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix made;
    assert_int_equal(yoke_matrix_create(format, rows, cols, &made, NULL), YOKE_OK);
    random_fill(&made, seed);
    return made;
}

static yoke_matrix product(const yoke_matrix *x, const yoke_matrix *w,
                           const yoke_multiply_options *options)
{
    yoke_error err = {0};
    yoke_weight *weight;
    yoke_matrix y;
    assert_int_equal(yoke_matrix_create(YOKE_F32, x->rows, w->rows, &y, NULL), YOKE_OK);
    if (yoke_weight_prepare(tested.engine, w, &weight, NULL, &err) != YOKE_OK ||
        yoke_weight_multiply(weight, x, &y, options, NULL, &err) != YOKE_OK)
        fail_msg("%s: %s", yoke_format_get(w->format)->name, err.text);
    yoke_weight_free(weight);
    return y;
}

static void assert_right(const yoke_matrix *w, size_t m)
{
    yoke_matrix x = make(YOKE_F32, m, w->cols, 1), y = product(&x, w, NULL);
    reference r = reference_create(&x, w);
    reference_check(&r, 0, 0, 0, &y);
    reference_free(&r);
    yoke_matrix_free(&x);
    yoke_matrix_free(&y);
}

static void every_format_is_multiplied_right(void **state)
{
    (void)state;
    static const size_t heights[] = {1, 2, 5, 17}, outputs[] = {1, 8, 16, 37, 160};
    static const size_t widths[] = {8, 16, 24, 120, 144, 272};
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t k = 0; k < 6; k++)
            for (size_t n = 0; n < 5; n++) {
                yoke_matrix w = make(formats[f], outputs[n], widths[k], 2);
                assert_right(&w, heights[(n + k) % 4]);
                yoke_matrix_free(&w);
            }
}

/* Outputs enough for two threads to take the widest tiles, and the narrower ones at the end. */
static void many_outputs_are_multiplied_right_for_any_number_of_rows(void **state)
{
    (void)state;
    static const size_t heights[] = {1, 3, 4, 8}; /* in blocks of 1, 2 and 1, 4, 8 */
    for (size_t f = 0; f < FORMATS; f++) {
        yoke_matrix w = make(formats[f], 535, 48, 8);
        for (size_t m = 0; m < sizeof heights / sizeof *heights; m++)
            assert_right(&w, heights[m]);
        yoke_matrix_free(&w);
    }
}

/* One table for all, for each row, for a number that divides nothing, and cut by the view. */
static void a_table_may_serve_any_number_of_rows(void **state)
{
    (void)state;
    enum { N = 43, K = 48 };
    static const size_t shares[] = {0, 1, 5, 8, 16, 24};
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t s = 0; s < 6; s++) {
            yoke_matrix whole = make(formats[f], N, K, 3);
            yoke_matrix tables = make(formats[f], 8 * N, K, 4); /* entries enough for any share */
            whole.table = tables.table;
            whole.table_rows = shares[s];
            for (size_t begin = 0; begin < 19; begin += 3) {
                yoke_matrix view = yoke_matrix_rows(&whole, begin, N - begin);
                assert_right(&view, 2);
            }
            whole.table_rows = formats[f] >= YOKE_INT4 ? 1 : 8;
            yoke_matrix_free(&whole);
            yoke_matrix_free(&tables);
        }
}

static void rows_have_the_same_bits_for_every_m_when_the_path_is_pinned(void **state)
{
    (void)state;
    const yoke_multiply_options pinned = {.pin_path = true};
    for (size_t f = 0; f < FORMATS; f++) {
        yoke_matrix w = make(formats[f], 70, 272, 5), x = make(YOKE_F32, 37, 272, 6);
        yoke_matrix all = product(&x, &w, &pinned);
        for (size_t m = 1; m < 20; m += 4) {
            yoke_matrix rows = yoke_matrix_rows(&x, 3, m);
            yoke_matrix some = product(&rows, &w, &pinned);
            assert_memory_equal(some.data, (float *)all.data + 3 * 70, m * 70 * sizeof(float));
            yoke_matrix_free(&some);
        }
        yoke_matrix_free(&w);
        yoke_matrix_free(&x);
        yoke_matrix_free(&all);
    }
}

/* An index into a padded place must not bring infinity into a sum. */
static void an_infinite_palette_value_that_is_not_used_does_no_harm(void **state)
{
    (void)state;
    static const yoke_format palettes[] = {YOKE_LUT4, YOKE_LUT6, YOKE_LUT8};
    for (size_t f = 0; f < 3; f++) {
        const uint16_t infinity = 0x7c00;
        yoke_matrix w = make(palettes[f], 9, 20, 7);
        memset(w.data, 0xff,
               9 * 20 * yoke_format_get(w.format)->block_bytes / yoke_format_get(w.format)->block);
        memcpy(w.table, &infinity, sizeof infinity); /* value 0; all indices are the last */
        assert_right(&w, 3);
        yoke_matrix_free(&w);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_multiplied_right),
        cmocka_unit_test(many_outputs_are_multiplied_right_for_any_number_of_rows),
        cmocka_unit_test(a_table_may_serve_any_number_of_rows),
        cmocka_unit_test(rows_have_the_same_bits_for_every_m_when_the_path_is_pinned),
        cmocka_unit_test(an_infinite_palette_value_that_is_not_used_does_no_harm),
    };
    return subject_run_all(argc, argv, tests, sizeof tests / sizeof *tests);
}
