/* The paths of the CPU engine that multiply weights as sums of bf16 parts: on emulated tiles
 * everywhere, and on real ones where the processor has them. */
#include <math.h>
#include <stdio.h>

#include "base/half.h"
#include "engines/cpu/dot.h"
#include "unit/engines_cpu_path.h"

/* On emulated tiles, in portable code and with AVX-512 around the tiles. */
extern const path path_f16_parts_plain, path_q8_0_parts_plain, path_q4_0_parts_plain,
    path_lut4_parts_plain, path_lut6_parts_plain;
extern const path path_f16_parts_avx512, path_q8_0_parts_avx512, path_q4_0_parts_avx512,
    path_lut4_parts_avx512, path_lut6_parts_avx512;

static const yoke_format formats[] = {YOKE_F16, YOKE_Q8_0, YOKE_Q4_0, YOKE_LUT4, YOKE_LUT6};
#define FORMATS (sizeof formats / sizeof *formats)

typedef struct build {
    const char *name;
    uint32_t features;
    const path *paths[FORMATS]; /* in the order of formats */
} build;

static const build builds[] = {
    {"emulated",
     0,
     {&path_f16_parts_plain, &path_q8_0_parts_plain, &path_q4_0_parts_plain, &path_lut4_parts_plain,
      &path_lut6_parts_plain}},
#ifdef __x86_64__
    {"emulated, avx512",
     YOKE_CPU_AVX512,
     {&path_f16_parts_avx512, &path_q8_0_parts_avx512, &path_q4_0_parts_avx512,
      &path_lut4_parts_avx512, &path_lut6_parts_avx512}},
    {"real",
     YOKE_CPU_AVX512 | YOKE_CPU_AMX_BF16,
     {&path_f16_parts, &path_q8_0_parts, &path_q4_0_parts, &path_lut4_parts, &path_lut6_parts}},
#endif
};
#define BUILDS (sizeof builds / sizeof *builds)

static bool runs_here(const build *b)
{
    return (b->features & ~features_here()) == 0;
}

/* A weight, the values it stands for, and x in bf16. */
typedef struct inputs {
    yoke_matrix w, x;
    float *value;
} inputs;

static uint16_t random_half(size_t n, uint64_t *state)
{
    float unit = random_unit(state);
    if (n % 4 < 3)
        return f16_from_f32(unit);
    return (uint16_t)(*state >> 32) &
           0xfbffu; /* any exponent that is even, that of subnormals too */
}

static void fill_halves(inputs *in, uint64_t *state)
{
    uint16_t *to = in->w.data;
    for (size_t i = 0; i < in->w.rows * in->w.cols; i++) {
        to[i] = random_half(i / in->w.cols, state);
        in->value[i] = f16_to_f32(to[i]);
    }
}

static void fill_blocks(inputs *in, uint64_t *state)
{
    const bool q8 = in->w.format == YOKE_Q8_0;
    unsigned char *to = in->w.data;
    for (size_t b = 0; b < in->w.rows * in->w.cols / 32; b++, to += q8 ? 34 : 18) {
        uint16_t scale = random_half(b * 32 / in->w.cols, state);
        memcpy(to, &scale, 2);
        for (size_t i = 0; i < 32; i++) {
            int q = (int)floorf(random_unit(state) * (q8 ? 128 : 8));
            in->value[b * 32 + i] = (float)q * f16_to_f32(scale);
            put_quant(to, in->w.format, i, q);
        }
    }
}

/* A palette of f16 for 8 rows; indices of 4 or 6 bits, the first lowest. */
static void fill_palettes(inputs *in, uint64_t *state)
{
    const size_t bits = in->w.format == YOKE_LUT4 ? 4 : 6, entries = (size_t)1 << bits;
    uint16_t *table = in->w.table;
    for (size_t i = 0; i < size_ceil_div(in->w.rows, 8) * entries; i++)
        table[i] = random_half(i, state);
    for (size_t n = 0; n < in->w.rows; n++)
        for (size_t k = 0; k < in->w.cols; k++) {
            unsigned char *row = (unsigned char *)in->w.data + n * (in->w.cols * bits / 8);
            (void)random_unit(state);
            size_t index = (size_t)(*state >> 40) % entries;
            for (size_t bit = 0; bit < bits; bit++)
                row[(k * bits + bit) / 8] |=
                    (unsigned char)((index >> bit & 1u) << (k * bits + bit) % 8);
            in->value[n * in->w.cols + k] = f16_to_f32(table[n / 8 * entries + index]);
        }
}

static inputs make_inputs(yoke_format format, size_t m, size_t n, size_t k)
{
    inputs in = {0};
    uint64_t state = 7 * k + (uint64_t)format;
    assert_int_equal(yoke_matrix_create(format, n, k, &in.w, NULL), YOKE_OK);
    assert_int_equal(yoke_matrix_create(YOKE_BF16, m, k, &in.x, NULL), YOKE_OK);
    in.value = allocate(n * k * sizeof *in.value);
    for (size_t i = 0; i < m * k; i++)
        ((uint16_t *)in.x.data)[i] = bf16_from_f32(random_unit(&state));
    if (format == YOKE_F16)
        fill_halves(&in, &state);
    else if (format == YOKE_LUT4 || format == YOKE_LUT6)
        fill_palettes(&in, &state);
    else
        fill_blocks(&in, &state);
    return in;
}

static void free_inputs(inputs *in)
{
    yoke_matrix_free(&in->w);
    yoke_matrix_free(&in->x);
    free(in->value);
}

static float x_at(const inputs *in, size_t m, size_t k)
{
    return bf16_to_f32(((const uint16_t *)in->x.data)[m * in->x.cols + k]);
}

/* y = x * w^T by a path, m rows of x, outputs from panel `first` on. */
static float *product_by(const path *way, const inputs *in, size_t m, size_t first, size_t chunk)
{
    yoke_matrix x = yoke_matrix_rows(&in->x, 0, m);
    float *y = allocate(m * in->w.rows * sizeof *y);
    path_multiply(way, &in->w, &x, first, chunk, y, in->w.rows);
    return y;
}

static size_t parts_of(yoke_format format)
{
    return format == YOKE_Q8_0 ? 3 : 2;
}

/* Whether the format has rows of k elements in its own layout. */
static bool has_k(yoke_format format, size_t k)
{
    switch (format) {
    case YOKE_F16: return true;
    case YOKE_LUT4: return k % 8 == 0;
    case YOKE_LUT6: return k % 16 == 0;
    default: return k % 32 == 0;
    }
}

/* Beside the product in double: a term is rounded up to 16 times within its half of a tile, once
 * when the halves are joined, and once for each part of each tile: 2^-24 of at most the sum of
 * magnitudes each. */
static void check_values(const path *way, const char *build_name, const inputs *in, size_t m)
{
    const size_t n = in->w.rows, k = in->w.cols;
    float *y = product_by(way, in, m, 0, CHUNK_PANELS);
    double roundings = 17 + (double)(parts_of(in->w.format) * size_ceil_div(k, 32));
    for (size_t i = 0; i < m * n; i++) {
        double sum = 0, magnitude = 0;
        for (size_t j = 0; j < k; j++) {
            double term = (double)x_at(in, i / n, j) * (double)in->value[i % n * k + j];
            sum += term;
            magnitude += fabs(term);
        }
        double bound = roundings * 0x1p-24 * magnitude * 1.001;
        if (!(fabs((double)y[i] - sum) <= bound))
            fail_msg("%s %s: m %zu, n %zu, k %zu: y[%zu][%zu] is %g, not %g +- %g", build_name,
                     yoke_format_get(in->w.format)->name, m, n, k, i / n, i % n, (double)y[i], sum,
                     bound);
    }
    free(y);
}

static void parts_agree_with_a_double_product(void **unused)
{
    (void)unused;
    static const struct {
        size_t m, n, k;
    } shapes[] = {{16, 16, 1},   {33, 40, 8},   {17, 33, 16},  {31, 17, 31},   {16, 48, 32},
                  {48, 131, 32}, {35, 5, 33},   {49, 80, 48},  {40, 40, 96},   {32, 47, 160},
                  {16, 9, 255},  {17, 20, 256}, {40, 33, 257}, {19, 24, 288},  {64, 16, 320},
                  {530, 20, 32}, {530, 9, 33},  {16, 8, 4100}, {16, 24, 4160}, {1, 80, 64}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t f = 0; f < FORMATS; f++) {
            if (!has_k(formats[f], shapes[s].k))
                continue;
            inputs in = make_inputs(formats[f], shapes[s].m, shapes[s].n, shapes[s].k);
            for (size_t b = 0; b < BUILDS; b++)
                if (runs_here(&builds[b]))
                    check_values(builds[b].paths[f], builds[b].name, &in, shapes[s].m);
            free_inputs(&in);
        }
}

/* The largest number of 8 significant bits below |w|, with w's sign. */
static float part_below(float w)
{
    int exponent;
    float fraction = frexpf(fabsf(w), &exponent); /* 0.5 to 1 */
    if (w == 0)
        return 0;
    float unit = ldexpf(1, exponent - (fraction == 0.5f ? 9 : 8));
    return copysignf((ceilf(fabsf(w) / unit) - 1) * unit, w);
}

static float in_stated_order(const inputs *in, size_t m, size_t n)
{
    const size_t parts = parts_of(in->w.format), k = in->w.cols;
    float sum = 0;
    for (size_t tile = 0; tile < k; tile += 32)
        for (size_t part = 0; part < parts; part++) {
            float halves[2] = {0, 0};
            for (size_t i = tile; i < size_min(tile + 32, k); i++) {
                float w = in->value[n * k + i];
                for (size_t p = 0; p < part; p++)
                    w -= part_below(w);
                w = part + 1 == parts ? w : part_below(w);
                halves[i % 2] = fmaf(x_at(in, m, i), w, halves[i % 2]);
            }
            sum += halves[0] + halves[1];
        }
    return sum;
}

static void sums_have_the_bits_of_the_stated_order(void **unused)
{
    (void)unused;
    for (size_t f = 0; f < FORMATS; f++) {
        inputs in = make_inputs(formats[f], 45, 43, formats[f] == YOKE_F16 ? 291 : 288);
        for (size_t b = 0; b < BUILDS; b++) {
            if (!runs_here(&builds[b]))
                continue;
            float *y = product_by(builds[b].paths[f], &in, 45, 0, CHUNK_PANELS);
            for (size_t i = 0; i < 45 * 43; i++)
                assert_int_equal(float_to_bits(y[i]),
                                 float_to_bits(in_stated_order(&in, i / 43, i % 43)));
            free(y);
        }
        free_inputs(&in);
    }
}

/* The rows [0, m) of `whole` less its first columns, which y has at its begin; and nothing else of
 * y written. */
static void check_window(const float *y, const float *whole, size_t m, size_t n, size_t skip)
{
    for (size_t row = 0; row < m; row++) {
        assert_memory_equal(y + row * n, whole + row * n + skip, (n - skip) * sizeof *y);
        for (size_t col = n - skip; col < n; col++)
            assert_int_equal(float_to_bits(y[row * n + col]), 0xffffffffu);
    }
}

static void a_row_has_the_same_bits_whatever_m_window_and_chunk(void **unused)
{
    (void)unused;
    const size_t most = 70, n = 69;
    for (size_t f = 0; f < FORMATS; f++) {
        inputs in = make_inputs(formats[f], most, n, formats[f] == YOKE_F16 ? 65 : 64);
        for (size_t b = 0; b < BUILDS; b++) {
            if (!runs_here(&builds[b]))
                continue;
            float *whole = product_by(builds[b].paths[f], &in, most, 0, CHUNK_PANELS);
            for (size_t m = 16; m <= most; m++) {
                size_t first = m % 4, chunk = 1 + m % 3;
                float *y = product_by(builds[b].paths[f], &in, m, first, chunk);
                check_window(y, whole, m, n, first * PANEL_N);
                free(y);
            }
            free(whole);
        }
        free_inputs(&in);
    }
}

/* Each f16 there is, times 1, -infinity and 0: parts that did not add up to it exactly would show,
 * as would one that is zero or has another sign beside an infinite x. */
static void every_f16_is_the_sum_of_its_parts(void **unused)
{
    (void)unused;
    const size_t n = 0x10000, m = 16;
    inputs in = make_inputs(YOKE_F16, m, n, 1);
    static const float xs[3] = {1, -INFINITY, 0};
    for (size_t i = 0; i < n; i++)
        ((uint16_t *)in.w.data)[i] = (uint16_t)i;
    for (size_t row = 0; row < 3; row++)
        ((uint16_t *)in.x.data)[row] = bf16_from_f32(xs[row]);
    for (size_t b = 0; b < BUILDS; b++) {
        if (!runs_here(&builds[b]))
            continue;
        float *y = product_by(builds[b].paths[0], &in, m, 0, CHUNK_PANELS);
        for (size_t i = 0; i < 3 * n; i++) {
            float right = xs[i / n] * f16_to_f32((uint16_t)(i % n));
            if (isnan(right) ? !isnan(y[i]) : !(y[i] == right))
                fail_msg("%s: %g times f16 %#zx is %g", builds[b].name, (double)xs[i / n], i % n,
                         (double)y[i]);
        }
        free(y);
    }
    free_inputs(&in);
}

/* Row r of x is 1 at k = r alone. */
static void a_row_of_x_with_a_single_1_gives_the_weights_as_they_are(void **unused)
{
    (void)unused;
    const size_t k = 96, n = 80;
    for (size_t f = 0; f < FORMATS; f++) {
        inputs in = make_inputs(formats[f], k, n, k);
        for (size_t i = 0; i < k * k; i++)
            ((uint16_t *)in.x.data)[i] = bf16_from_f32(i / k == i % k ? 1.0f : 0.0f);
        for (size_t b = 0; b < BUILDS; b++) {
            if (!runs_here(&builds[b]))
                continue;
            float *y = product_by(builds[b].paths[f], &in, k, 0, CHUNK_PANELS);
            for (size_t i = 0; i < k * n; i++)
                assert_true(y[i] == in.value[i % n * k + i / n]);
            free(y);
        }
        free_inputs(&in);
    }
}

/* In x: within its row alone. Past the end of a shorter row or of K nothing may count. */
static void nan_and_infinity_of_x_reach_their_row_and_no_other(void **unused)
{
    (void)unused;
    static const float specials[] = {NAN, INFINITY, -INFINITY};
    for (size_t f = 0; f < FORMATS; f++) {
        inputs in = make_inputs(formats[f], 35, 40, formats[f] == YOKE_F16 ? 33 : 96);
        for (size_t special = 0; special < 3; special++) {
            uint16_t *at = (uint16_t *)in.x.data + 34 * in.x.cols - 1, before = *at;
            *at = bf16_from_f32(specials[special]);
            for (size_t b = 0; b < BUILDS; b++) {
                if (!runs_here(&builds[b]))
                    continue;
                float *y = product_by(builds[b].paths[f], &in, 35, 0, CHUNK_PANELS);
                for (size_t i = 0; i < 35 * 40; i++)
                    assert_true((bool)isfinite(y[i]) == (i / 40 != 33));
                free(y);
            }
            *at = before;
        }
        free_inputs(&in);
    }
}

static void every_path_here_has_a_peak(void **unused)
{
    (void)unused;
    for (size_t b = 0; b < BUILDS; b++)
        for (size_t f = 0; f < FORMATS; f++)
            if (runs_here(&builds[b]))
                assert_true(builds[b].paths[f]->peak(1) > 0);
}

int main(void)
{
    for (size_t b = 0; b < BUILDS; b++)
        if (!runs_here(&builds[b]))
            printf("left out, not a feature of this processor: %s\n", builds[b].name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_agree_with_a_double_product),
        cmocka_unit_test(sums_have_the_bits_of_the_stated_order),
        cmocka_unit_test(a_row_has_the_same_bits_whatever_m_window_and_chunk),
        cmocka_unit_test(every_f16_is_the_sum_of_its_parts),
        cmocka_unit_test(a_row_of_x_with_a_single_1_gives_the_weights_as_they_are),
        cmocka_unit_test(nan_and_infinity_of_x_reach_their_row_and_no_other),
        cmocka_unit_test(every_path_here_has_a_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
