/* Odd shapes, every format, row strides; memory beside the matrices is poisoned or out of reach. */
#include "conformance/fence.h"
#include "conformance/random.h"
#include "conformance/reference.h"
#include "conformance/subject.h"

/* Sizes at which public matrix code has been wrong: around tile edges, and some that share no
 * factor with any tile. */
static const size_t sizes[] = {1, 2, 3, 5, 7, 9, 11, 15, 16, 17, 31, 32, 33, 63, 64, 65, 535};
#define SIZES   (sizeof sizes / sizeof sizes[0])
#define LARGEST ((size_t)535)
#define MOST_WORK                                                                                  \
    ((size_t)4000000)   /* more multiply-adds than this show nothing that fewer do not */
#define GAP ((size_t)3) /* elements between rows, where there are gaps */

typedef struct kind {
    yoke_format w, x, y;
} kind;

static size_t gap_of(yoke_format format)
{
    return yoke_format_get(format)->block > 1 ? yoke_format_get(format)->block : GAP;
}

/* Memory for the largest matrices of a test, made once. */
typedef struct bench {
    fence x, w, y;
} bench;

static bench bench_create(const kind *of, size_t m, size_t n, size_t k)
{
    return (bench){
        .x = fence_create(fence_extent(of->x, m, k, k + gap_of(of->x))),
        .w = fence_create(fence_extent(of->w, n, k, k + gap_of(of->w))),
        .y = fence_create(fence_extent(of->y, m, n, n + GAP)),
    };
}

static void bench_free(bench *b)
{
    fence_free(&b->x);
    fence_free(&b->w);
    fence_free(&b->y);
}

/* One weight, several heights of x. The last rows of x are used, so that each ends at the fence. */
static void check_heights(const bench *b, const kind *of, const size_t *heights, size_t count,
                          size_t n, size_t k, bool gaps)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (heights[i] * n * k <= MOST_WORK && heights[i] > most)
            most = heights[i];
    yoke_matrix x = fence_matrix(&b->x, of->x, most, k, k + (gaps ? gap_of(of->x) : 0));
    yoke_matrix w = fence_matrix(&b->w, of->w, n, k, k + (gaps ? gap_of(of->w) : 0));
    random_fill(&x, n * 1000 + k);
    random_fill(&w, k * 1000 + n);
    reference r = reference_create(&x, &w);
    yoke_weight *weight = prepare_on(tested.engine, &w);
    for (size_t i = 0; i < count; i++) {
        size_t m = heights[i];
        if (m > most)
            continue;
        const yoke_matrix rows = yoke_matrix_rows(&x, most - m, m);
        yoke_matrix y = fence_matrix(&b->y, of->y, m, n, n + (gaps ? GAP : 0));
        multiply_with(weight, &rows, &y, NULL);
        reference_check(&r, most - m, 0, 0, &y);
        fence_check_gaps(&y);
    }
    yoke_weight_free(weight);
    reference_free(&r);
}

static void check_grid(const kind *of, const size_t *widths, size_t width_count)
{
    if (!subject_takes(of->w))
        skip();
    bench b = bench_create(of, LARGEST, LARGEST, widths[width_count - 1]);
    for (size_t n = 0; n < SIZES; n++)
        for (size_t k = 0; k < width_count; k++)
            check_heights(&b, of, sizes, SIZES, sizes[n], widths[k], (n + k) % 2 == 1);
    bench_free(&b);
}

static void f32_weights_over_the_whole_grid(void **state)
{
    (void)state;
    check_grid(&(kind){YOKE_F32, YOKE_F32, YOKE_F32}, sizes, SIZES);
}

static void f16_weights_over_the_grid(void **state)
{
    (void)state;
    static const size_t widths[] = {1, 7, 16, 33, 65, 535};
    check_grid(&(kind){YOKE_F16, YOKE_F32, YOKE_F32}, widths, 6);
}

static void bf16_weights_over_the_grid(void **state)
{
    (void)state;
    static const size_t widths[] = {2, 15, 17, 32, 63, 535};
    check_grid(&(kind){YOKE_BF16, YOKE_F32, YOKE_F32}, widths, 6);
}

static void q8_0_weights_over_the_grid(void **state)
{
    (void)state;
    static const size_t widths[] = {32, 64, 544};
    check_grid(&(kind){YOKE_Q8_0, YOKE_F32, YOKE_F32}, widths, 3);
}

static void q4_0_weights_over_the_grid(void **state)
{
    (void)state;
    static const size_t widths[] = {32, 96, 512};
    check_grid(&(kind){YOKE_Q4_0, YOKE_F32, YOKE_F32}, widths, 3);
}

static void k_quants_are_converted_without_loss(void **state)
{
    (void)state;
    static const size_t widths[] = {256, 512};
    static const size_t heights[] = {1, 9};
    static const yoke_format formats[] = {YOKE_Q4_K, YOKE_Q6_K};
    for (size_t f = 0; f < 2; f++) {
        const kind of = {formats[f], YOKE_F32, YOKE_F32};
        if (!subject_takes(of.w))
            skip();
        bench b = bench_create(&of, 9, 33, 512);
        for (size_t k = 0; k < 2; k++)
            check_heights(&b, &of, heights, 2, 33, widths[k], k == 1);
        bench_free(&b);
    }
}

/* Every tail of a vector, and widths of real models. */
static void every_width_up_to_65_and_those_of_real_models(void **state)
{
    (void)state;
    static const size_t more[] = {120, 257, 387, 514, 588};
    static const size_t heights[] = {1, 2, 5, 17};
    static const size_t outputs[] = {1, 17, 48};
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    for (size_t f = 0; f < 3; f++) {
        const kind of = {formats[f], YOKE_F32, YOKE_F32};
        if (!subject_takes(of.w))
            continue;
        bench b = bench_create(&of, 17, 48, 588);
        for (size_t i = 1; i <= 65 + 5; i++)
            for (size_t n = 0; n < 3; n++)
                check_heights(&b, &of, heights, 4, outputs[n], i <= 65 ? i : more[i - 66],
                              i % 2 == 0);
        bench_free(&b);
    }
}

static void every_format_of_x_and_y_with_every_weight(void **state)
{
    (void)state;
    static const yoke_format floats[] = {YOKE_F32, YOKE_F16, YOKE_BF16};
    static const yoke_format weights[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    static const size_t heights[] = {1, 4, 19}, outputs[] = {5, 32, 49};
    static const size_t any_width[] = {33, 64, 130}, whole_blocks[] = {32, 96, 160};
    for (size_t i = 0; i < 5 * 3 * 3; i++) {
        const kind of = {weights[i / 9], floats[i / 3 % 3], floats[i % 3]};
        bool blocks = yoke_format_get(of.w)->block > 1;
        if (!subject_takes(of.w))
            continue;
        bench b = bench_create(&of, 19, 49, 160);
        for (size_t n = 0; n < 3; n++)
            for (size_t k = 0; k < 3; k++)
                check_heights(&b, &of, heights, 3, outputs[n],
                              (blocks ? whole_blocks : any_width)[k], (i + n + k) % 2 == 0);
        bench_free(&b);
    }
}

/* Weights of files need not be aligned to their elements. */
static void unaligned_matrices_are_multiplied_all_the_same(void **state)
{
    (void)state;
    enum { M = 5, N = 19, K = 64 };
    static const yoke_format formats[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    static unsigned char x_bytes[M * K * 4 + 1], w_bytes[N * K * 4 + 1], y_bytes[M * N * 4 + 1];
    for (size_t f = 0; f < 5; f++)
        for (size_t i = 0; i < 3 && subject_takes(formats[f]); i++) {
            yoke_matrix x = {.format = formats[i], .rows = M, .cols = K, .data = x_bytes + 1};
            yoke_matrix w = {.format = formats[f], .rows = N, .cols = K, .data = w_bytes + 1};
            yoke_matrix y = {.format = formats[i], .rows = M, .cols = N, .data = y_bytes + 1};
            random_fill(&x, 1);
            random_fill(&w, 2);
            reference r = reference_create(&x, &w);
            multiply_once(&x, &w, &y, NULL);
            reference_check(&r, 0, 0, 0, &y);
            reference_free(&r);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(f32_weights_over_the_whole_grid),
    cmocka_unit_test(f16_weights_over_the_grid),
    cmocka_unit_test(bf16_weights_over_the_grid),
    cmocka_unit_test(q8_0_weights_over_the_grid),
    cmocka_unit_test(q4_0_weights_over_the_grid),
    cmocka_unit_test(k_quants_are_converted_without_loss),
    cmocka_unit_test(every_width_up_to_65_and_those_of_real_models),
    cmocka_unit_test(every_format_of_x_and_y_with_every_weight),
    cmocka_unit_test(unaligned_matrices_are_multiplied_all_the_same),
};
SUBJECT_MAIN(tests)
