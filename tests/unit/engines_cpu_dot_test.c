/* The low-precision paths of the CPU engine, called as the engine calls them. The AMX paths run on
 * emulated tiles everywhere, and on real ones where the processor has them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/half.h"
#include "base/size.h"
#include "engines/cpu/dot.h"
#include "engines/cpu/exact.h"
#include "engines/cpu/pack_x_int8.h"
#include "unit/engines_cpu_path.h"

/* The AMX paths on emulated tiles, in portable code and with AVX-512 around the tiles. */
extern const path path_bf16_amx_plain, path_q8_0_amx_plain, path_q4_0_amx_plain,
    path_int8_amx_plain;
extern const path path_bf16_amx_avx512, path_q8_0_amx_avx512, path_q4_0_amx_avx512,
    path_int8_amx_avx512;

#define MAX_M      ((size_t)65)
#define MAX_PANELS ((size_t)9)
#define MAX_N      (MAX_PANELS * PANEL_N)
#define MAX_K      ((size_t)576)

static const size_t rows_tried[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 65};

typedef struct tried {
    const path *path;
    const char *build;
    uint32_t features; /* that this build of it needs */
} tried;

#define BF16_DOT (YOKE_CPU_AVX512 | YOKE_CPU_AVX512_BF16)
#define INT8_DOT (YOKE_CPU_AVX512 | YOKE_CPU_AVX512_VNNI)
#define BF16_AMX (YOKE_CPU_AVX512 | YOKE_CPU_AMX_BF16)
#define INT8_AMX (YOKE_CPU_AVX512 | YOKE_CPU_AMX_INT8)

static const tried all_paths[] = {
    {&path_bf16_amx_plain, "emulated", 0},
    {&path_q8_0_amx_plain, "emulated", 0},
    {&path_q4_0_amx_plain, "emulated", 0},
    {&path_int8_amx_plain, "emulated", 0},
#ifdef __x86_64__
    {&path_bf16_amx_avx512, "emulated, avx512", YOKE_CPU_AVX512},
    {&path_q8_0_amx_avx512, "emulated, avx512", YOKE_CPU_AVX512},
    {&path_q4_0_amx_avx512, "emulated, avx512", YOKE_CPU_AVX512},
    {&path_int8_amx_avx512, "emulated, avx512", YOKE_CPU_AVX512},
    {&path_bf16_avx512bf16, "real", BF16_DOT},
    {&path_q8_0_vnni, "real", INT8_DOT},
    {&path_q4_0_vnni, "real", INT8_DOT},
    {&path_int8_vnni, "real", INT8_DOT},
    {&path_bf16_amx, "real", BF16_AMX},
    {&path_q8_0_amx, "real", INT8_AMX},
    {&path_q4_0_amx, "real", INT8_AMX},
    {&path_int8_amx, "real", INT8_AMX},
#endif
};
#define ALL_PATHS (sizeof all_paths / sizeof *all_paths)

static bool runs_here(const tried *t, uint32_t features)
{
    return (t->features & ~features) == 0;
}

/* Weights and x with the values they stand for. */
typedef struct inputs {
    yoke_format format;
    size_t k, blocks;   /* of 32 k, the last perhaps shorter */
    yoke_matrix w, x;   /* MAX_N by k, MAX_M by k */
    float *w_value;     /* of a quantised weight: its integer */
    float *w_scale;     /* [n][block] */
    float *x_value;     /* rounded to bf16, or the integer it is quantised to */
    float *x_scale;     /* [m][block] */
    float (*affine)[2]; /* of int8, its table: scale and zero of each output */
} inputs;

static void make_quantised_weights(inputs *in, uint64_t *state)
{
    size_t block_bytes = in->format == YOKE_Q8_0 ? 34 : 18;
    unsigned char *to = in->w.data;
    for (size_t b = 0; b < MAX_N * in->k / 32; b++, to += block_bytes) {
        uint16_t scale = f16_from_f32(0.02f * random_unit(state));
        memcpy(to, &scale, 2);
        in->w_scale[b] = f16_to_f32(scale);
        for (size_t i = 0; i < 32; i++) {
            float unit = random_unit(state);
            int q = (int)floorf(unit * (in->format == YOKE_Q8_0 ? 128 : 8));
            in->w_value[b * 32 + i] = (float)q;
            put_quant(to, in->format, i, q);
        }
    }
}

/* The zeros of the first three panels are 0, of one more too, and -128 to 128 of the others; each
 * fifth is a whole number. */
static void make_int8_weights(inputs *in, uint64_t *state)
{
    for (size_t n = 0; n < MAX_N; n++) {
        float zero = 128 * random_unit(state);
        bool none = n / PANEL_N < 3 || n / PANEL_N == 5;
        in->affine[n][0] = 0.02f * random_unit(state);
        in->affine[n][1] = none ? 0 : n % 5 == 0 ? rintf(zero) : zero;
        for (size_t i = n * in->k; i < (n + 1) * in->k; i++) {
            in->w_value[i] = floorf(128 * random_unit(state));
            ((int8_t *)in->w.data)[i] = (int8_t)in->w_value[i];
        }
    }
    in->w.table = in->affine;
    in->w.table_rows = 1;
}

static void quantise_x(inputs *in)
{
    const float *x = in->x.data;
    for (size_t m = 0; m < MAX_M; m++)
        for (size_t k = 0; k < in->k; k += 32) {
            const size_t begin = m * in->k + k, end = begin + size_min(32, in->k - k);
            float largest = 0;
            for (size_t i = begin; i < end; i++)
                largest = fmaxf(largest, fabsf(x[i]));
            float scale = in->x_scale[m * in->blocks + k / 32] = largest / 127.0f;
            for (size_t i = begin; i < end; i++)
                in->x_value[i] = nearbyintf(x[i] / scale);
        }
}

/* An element of w, and of x as it is rounded, as real numbers. */
static double w_at(const inputs *in, size_t n, size_t k)
{
    double value = (double)in->w_value[n * in->k + k];
    if (in->format == YOKE_INT8)
        return (value - (double)in->affine[n][1]) * (double)in->affine[n][0];
    return in->format == YOKE_BF16 ? value : value * (double)in->w_scale[n * in->blocks + k / 32];
}

static double x_at(const inputs *in, size_t m, size_t k)
{
    double value = (double)in->x_value[m * in->k + k];
    return in->format == YOKE_BF16 ? value : value * (double)in->x_scale[m * in->blocks + k / 32];
}

static inputs make_inputs(yoke_format format, size_t k)
{
    inputs in = {.format = format, .k = k, .blocks = size_ceil_div(k, 32)};
    uint64_t state = 7 * k + (uint64_t)format;
    size_t w_bytes;
    assert_int_equal(yoke_format_bytes(format, MAX_N, k, &w_bytes, NULL), YOKE_OK);
    in.w = (yoke_matrix){.format = format, .rows = MAX_N, .cols = k, .data = allocate(w_bytes)};
    in.x = (yoke_matrix){
        .format = YOKE_F32, .rows = MAX_M, .cols = k, .data = allocate(MAX_M * k * sizeof(float))};
    in.w_value = allocate(MAX_N * k * sizeof(float));
    in.x_value = allocate(MAX_M * k * sizeof(float));
    in.w_scale = allocate(MAX_N * in.blocks * sizeof(float));
    in.x_scale = allocate(MAX_M * in.blocks * sizeof(float));
    in.affine = allocate(MAX_N * sizeof *in.affine);
    float *x = in.x.data;
    for (size_t i = 0; i < MAX_M * k; i++) {
        x[i] = random_unit(&state);
        in.x_value[i] = bf16_to_f32(bf16_from_f32(x[i]));
    }
    if (format == YOKE_INT8)
        make_int8_weights(&in, &state);
    else if (format != YOKE_BF16)
        make_quantised_weights(&in, &state);
    if (format != YOKE_BF16) {
        quantise_x(&in);
        return in;
    }
    for (size_t i = 0; i < MAX_N * k; i++) {
        uint16_t half = bf16_from_f32(random_unit(&state));
        ((uint16_t *)in.w.data)[i] = half;
        in.w_value[i] = bf16_to_f32(half);
    }
    return in;
}

static void free_inputs(inputs *in)
{
    free(in->w.data);
    free(in->x.data);
    free(in->w_value);
    free(in->x_value);
    free(in->w_scale);
    free(in->x_scale);
    free(in->affine);
}

/* The product in double of the rounded values, and how far fp32 sums may be from it: each of the
 * roundings (a pair's two in k terms, one a block, and those of a tile's halves) is 2^-24 of at
 * most the sum of magnitudes. */
static void expect(const inputs *in, size_t m, size_t n, double *value, double *bound)
{
    double sum = 0, magnitude = 0;
    for (size_t i = 0; i < in->k; i++) {
        double term = x_at(in, m, i) * w_at(in, n, i);
        sum += term;
        magnitude += fabs(term);
    }
    *value = sum;
    *bound = (double)(in->k + 4) * 0x1p-24 * magnitude * 1.001;
}

/* A window of panels of rows [0, n) of w, the first m rows of x, in chunks. y has room for MAX_N
 * columns a row, and is POISON where nothing may be written. */
typedef struct shape {
    size_t m, n, first_panel, chunk;
} shape;

static void multiply(const path *way, const inputs *in, const yoke_matrix *x, shape s, float *y)
{
    yoke_matrix w = yoke_matrix_rows(&in->w, 0, s.n), rows = yoke_matrix_rows(x, 0, s.m);
    memset(y, POISON, (MAX_M + 1) * MAX_N * sizeof *y);
    path_multiply(way, &w, &rows, s.first_panel, s.chunk, y, MAX_N);
}

static bool untouched(const float *y, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)y;
    for (size_t i = 0; i < count * sizeof *y; i++)
        if (bytes[i] != POISON)
            return false;
    return true;
}

static size_t outputs_of(size_t panels)
{
    return panels * PANEL_N - (panels % 2 ? 5 : 0);
}

static float *make_y(void)
{
    return allocate((MAX_M + 1) * MAX_N * sizeof(float));
}

static void check_shape(const tried *t, const inputs *in, const double *value, const double *bound,
                        size_t m, size_t panels, float *y)
{
    shape s = {m, outputs_of(panels), panels > 2 ? 1 : 0, CHUNK_PANELS};
    multiply(t->path, in, &in->x, s, y);
    size_t skip = s.first_panel * PANEL_N, cols = s.n - skip;
    for (size_t row = 0; row < m; row++) {
        for (size_t col = 0; col < cols; col++) {
            size_t i = row * MAX_N + col + skip;
            double error = fabs((double)y[row * MAX_N + col] - value[i]);
            if (!(error <= bound[i]))
                fail_msg("%s (%s): m %zu, %zu panels, k %zu: y[%zu][%zu] is %g, not %g +- %g",
                         t->path->name, t->build, m, panels, in->k, row, col + skip,
                         (double)y[row * MAX_N + col], value[i], bound[i]);
        }
        assert_true(untouched(y + row * MAX_N + cols, MAX_N - cols));
    }
    assert_true(untouched(y + m * MAX_N, MAX_N));
}

static void check_k(yoke_format format, size_t k, uint32_t features)
{
    inputs in = make_inputs(format, k);
    double *value = allocate(MAX_M * MAX_N * sizeof *value);
    double *bound = allocate(MAX_M * MAX_N * sizeof *bound);
    float *y = make_y();
    for (size_t i = 0; i < MAX_M * MAX_N; i++)
        expect(&in, i / MAX_N, i % MAX_N, &value[i], &bound[i]);
    for (size_t t = 0; t < ALL_PATHS; t++)
        for (size_t r = 0; r < sizeof rows_tried / sizeof *rows_tried; r++)
            for (size_t panels = 1; panels <= MAX_PANELS; panels++)
                if (all_paths[t].path->format == format && runs_here(&all_paths[t], features))
                    check_shape(&all_paths[t], &in, value, bound, rows_tried[r], panels, y);
    free(value);
    free(bound);
    free(y);
    free_inputs(&in);
}

static void bf16_paths_agree_with_a_double_product_of_rounded_x(void **unused)
{
    (void)unused;
    static const size_t ks[] = {1, 2, 31, 32, 33, 64, 96, 120, 387, 514};
    uint32_t features = features_here();
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        check_k(YOKE_BF16, ks[i], features);
}

static void int8_paths_agree_with_a_double_product_of_quantised_x(void **unused)
{
    (void)unused;
    static const size_t ks[] = {32, 64, 96, 160, 512};
    uint32_t features = features_here();
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        check_k(YOKE_Q8_0, ks[i], features);
        check_k(YOKE_Q4_0, ks[i], features);
    }
    static const size_t int8_ks[] = {4, 28, 32, 36, 64, 100, 288, 508};
    for (size_t i = 0; i < sizeof int8_ks / sizeof *int8_ks; i++)
        check_k(YOKE_INT8, int8_ks[i], features);
}

/* The order that the kernels state: block by block, the dot exact, one fused multiply-add; of int8
 * one more for the zero, and its scale last. */
static float int8_in_stated_order(const inputs *in, size_t m, size_t n)
{
    float sum = 0;
    for (size_t b = 0; b < in->blocks; b++) {
        int dot = 0, x_sum = 0;
        for (size_t i = b * 32; i < size_min(b * 32 + 32, in->k); i++) {
            dot += (int)in->x_value[m * in->k + i] * (int)in->w_value[n * in->k + i];
            x_sum += (int)in->x_value[m * in->k + i];
        }
        float x_scale = in->x_scale[m * in->blocks + b];
        if (in->format == YOKE_INT8)
            sum = fmaf(fmaf(-in->affine[n][1], (float)x_sum, (float)dot), x_scale, sum);
        else
            sum = fmaf((float)dot, in->w_scale[n * in->blocks + b] * x_scale, sum);
    }
    return in->format == YOKE_INT8 ? sum * in->affine[n][0] : sum;
}

static void tiles_and_dot_give_the_same_int8_bits_in_the_stated_order(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    float *y = make_y();
    static const yoke_format formats[] = {YOKE_Q8_0, YOKE_Q4_0, YOKE_INT8};
    for (size_t f = 0; f < 3; f++) {
        inputs in = make_inputs(formats[f], formats[f] == YOKE_INT8 ? 556 : 544);
        for (size_t t = 0; t < ALL_PATHS; t++) {
            if (all_paths[t].path->format != in.format || !runs_here(&all_paths[t], features))
                continue;
            multiply(all_paths[t].path, &in, &in.x, (shape){MAX_M, MAX_N, 0, CHUNK_PANELS}, y);
            for (size_t i = 0; i < MAX_M * MAX_N; i++)
                assert_int_equal(float_to_bits(y[i]),
                                 float_to_bits(int8_in_stated_order(&in, i / MAX_N, i % MAX_N)));
        }
        free_inputs(&in);
    }
    free(y);
}

static float bf16_fma(const inputs *in, size_t m, size_t n, size_t k, float sum)
{
    return k < in->k ? fmaf(in->x_value[m * in->k + k], in->w_value[n * in->k + k], sum) : sum;
}

static float bf16_dot_in_stated_order(const inputs *in, size_t m, size_t n)
{
    float sum = 0;
    for (size_t k = 0; k < in->k; k += 2)
        sum = bf16_fma(in, m, n, k, bf16_fma(in, m, n, k + 1, sum));
    return sum;
}

static float bf16_tiles_in_stated_order(const inputs *in, size_t m, size_t n)
{
    float sum = 0;
    for (size_t k = 0; k < in->k; k += 32) {
        float even = 0, odd = 0;
        for (size_t i = k; i < k + 32; i += 2) {
            even = bf16_fma(in, m, n, i, even);
            odd = bf16_fma(in, m, n, i + 1, odd);
        }
        sum += even + odd;
    }
    return sum;
}

static void bf16_sums_have_the_bits_of_the_stated_order(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    float *y = make_y();
    inputs in = make_inputs(YOKE_BF16, 387);
    for (size_t t = 0; t < ALL_PATHS; t++) {
        const path *way = all_paths[t].path;
        if (way->format != YOKE_BF16 || !runs_here(&all_paths[t], features))
            continue;
        multiply(way, &in, &in.x, (shape){MAX_M, MAX_N, 0, CHUNK_PANELS}, y);
        for (size_t i = 0; i < MAX_M * MAX_N; i++) {
            float right = way->features & YOKE_CPU_AMX_BF16
                              ? bf16_tiles_in_stated_order(&in, i / MAX_N, i % MAX_N)
                              : bf16_dot_in_stated_order(&in, i / MAX_N, i % MAX_N);
            assert_int_equal(float_to_bits(y[i]), float_to_bits(right));
        }
    }
    free_inputs(&in);
    free(y);
}

/* `blocks`, whole blocks of 32, or a few more k where a format can have them. */
static size_t k_of(yoke_format format, size_t blocks)
{
    return blocks + (format == YOKE_BF16 ? 3 : format == YOKE_INT8 ? 12 : 0);
}

static void a_row_has_the_same_bits_whatever_m_window_and_chunk(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    float *whole = make_y(), *part = make_y();
    for (size_t t = 0; t < ALL_PATHS; t++) {
        if (!runs_here(&all_paths[t], features))
            continue;
        const path *way = all_paths[t].path;
        inputs in = make_inputs(way->format, k_of(way->format, 352));
        multiply(way, &in, &in.x, (shape){MAX_M, MAX_N, 0, CHUNK_PANELS}, whole);
        for (size_t m = 1; m < MAX_M; m += 3)
            for (size_t chunk = 1; chunk <= CHUNK_PANELS; chunk += 2) {
                size_t first = (m + chunk) % MAX_PANELS;
                multiply(way, &in, &in.x, (shape){m, MAX_N, first, chunk}, part);
                for (size_t row = 0; row < m; row++)
                    assert_memory_equal(part + row * MAX_N, whole + row * MAX_N + first * PANEL_N,
                                        (MAX_N - first * PANEL_N) * sizeof *part);
            }
        free_inputs(&in);
    }
    free(whole);
    free(part);
}

static void x_stored_as_f16_or_bf16_gives_the_bits_of_the_same_values_in_f32(void **unused)
{
    (void)unused;
    static const yoke_format formats[] = {YOKE_F16, YOKE_BF16};
    uint32_t features = features_here();
    float *from_f32 = make_y(), *from_half = make_y();
    for (size_t t = 0; t < ALL_PATHS; t++) {
        if (!runs_here(&all_paths[t], features))
            continue;
        const path *way = all_paths[t].path;
        inputs in = make_inputs(way->format, k_of(way->format, 96));
        float *x = in.x.data;
        uint16_t *half = allocate(MAX_M * in.k * sizeof *half);
        for (size_t f = 0; f < 2; f++) {
            for (size_t i = 0; i < MAX_M * in.k; i++) {
                half[i] = f ? bf16_from_f32(x[i]) : f16_from_f32(x[i]);
                x[i] = f ? bf16_to_f32(half[i]) : f16_to_f32(half[i]);
            }
            yoke_matrix stored = {.format = formats[f], .rows = MAX_M, .cols = in.k, .data = half};
            shape s = {19, 40, 0, CHUNK_PANELS};
            multiply(way, &in, &in.x, s, from_f32);
            multiply(way, &in, &stored, s, from_half);
            assert_memory_equal(from_half, from_f32, 20 * MAX_N * sizeof *from_f32);
        }
        free(half);
        free_inputs(&in);
    }
    free(from_f32);
    free(from_half);
}

static void nan_and_infinity_reach_their_row_and_no_other(void **unused)
{
    (void)unused;
    static const float specials[] = {NAN, INFINITY, -INFINITY};
    uint32_t features = features_here();
    float *y = make_y();
    for (size_t t = 0; t < ALL_PATHS; t++) {
        if (!runs_here(&all_paths[t], features))
            continue;
        const path *way = all_paths[t].path;
        inputs in = make_inputs(way->format, k_of(way->format, 96));
        for (size_t m = 3; m <= 35; m += 8)
            for (size_t special = 0; special < 3; special++) {
                size_t bad = m - 2, at = bad * in.k + in.k - 1;
                float *x = in.x.data, before = x[at];
                x[at] = specials[special];
                multiply(way, &in, &in.x, (shape){m, 40, 0, CHUNK_PANELS}, y);
                x[at] = before;
                for (size_t row = 0; row < m; row++)
                    for (size_t n = 0; n < 40; n++)
                        assert_true((bool)isfinite(y[row * MAX_N + n]) == (row != bad));
            }
        free_inputs(&in);
    }
    free(y);
}

static void an_infinite_x_gives_the_infinity_of_its_product(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    float *y = make_y();
    for (size_t t = 0; t < ALL_PATHS; t++) {
        const path *way = all_paths[t].path;
        if (!runs_here(&all_paths[t], features))
            continue;
        inputs in = make_inputs(way->format, 64);
        ((float *)in.x.data)[40] = -INFINITY;
        multiply(way, &in, &in.x, (shape){1, 80, 0, CHUNK_PANELS}, y);
        for (size_t n = 0; n < 80; n++) {
            double w = w_at(&in, n, 40);
            if (w == 0)
                assert_true(isnan(y[n]));
            else
                assert_true(isinf(y[n]) && (y[n] > 0) == (w < 0));
        }
        free_inputs(&in);
    }
    free(y);
}

static void quantising_rounds_to_even_and_keeps_zeros_and_subnormals_in_range(void **unused)
{
    (void)unused;
    int8_t q[32];
    float block[32] = {127.0f, -127.0f, 0.5f, 1.5f, -2.5f, 63.75f};
    static const int8_t right[32] = {127, -127, 0, 2, -2, 64};
    assert_true(x_int8_quantise(block, q) == 1.0f);
    assert_memory_equal(q, right, 32);

    static const int8_t zeros[32] = {0};
    float zero[32] = {0};
    assert_true(x_int8_quantise(zero, q) == 0.0f);
    assert_memory_equal(q, zeros, 32);
    zero[7] = 0x1p-149f; /* its scale is too small for a float */
    assert_true(x_int8_quantise(zero, q) == 0.0f);
    assert_memory_equal(q, zeros, 32);

    /* 182 / 127 of the smallest float is rounded to 1 of it, and 182 is no int8. */
    float subnormal[32] = {0x1p-149f * 182, -0x1p-149f * 182, 0x1p-149f * 3};
    static const int8_t clamped[32] = {127, -127, 3};
    assert_true(x_int8_quantise(subnormal, q) == 0x1p-149f);
    assert_memory_equal(q, clamped, 32);
}

static void every_path_here_has_a_peak(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    for (size_t t = 0; t < ALL_PATHS; t++)
        if (runs_here(&all_paths[t], features))
            assert_true(all_paths[t].path->peak(1) > 0);
}

#ifdef __x86_64__ /* elsewhere there are no dot paths */
static double best_peak(const path *way)
{
    double best = 0;
    for (int i = 0; i < 9; i++) {
        double rate = way->peak(200000);
        best = rate > best ? rate : best;
    }
    return best;
}

/* Not a matter of speed: a bf16 dot product does twice the operations of a multiply-add on as wide
 * a register, an int8 one four times, and twice as many of them could be begun at most. A loop
 * whose sums the compiler finds to be alike, and computes once, would seem faster than that. */
static void a_peak_is_no_higher_than_the_instruction_allows(void **unused)
{
    (void)unused;
    uint32_t features = features_here();
    for (size_t t = 0; t < ALL_PATHS; t++) {
        const path *way = all_paths[t].path;
        if (!runs_here(&all_paths[t], features) || !strstr(way->name, " dot"))
            continue;
        double times = way->format == YOKE_BF16 ? 2 : 4;
        assert_true(best_peak(way) < 2 * times * best_peak(&exact_avx512[0]));
    }
}
#endif

int main(void)
{
    uint32_t features = features_here();
    for (size_t t = 0; t < ALL_PATHS; t++)
        if (!runs_here(&all_paths[t], features))
            printf("left out, not a feature of this processor: %s for %s, %s\n",
                   all_paths[t].path->name, yoke_format_get(all_paths[t].path->format)->name,
                   all_paths[t].build);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bf16_paths_agree_with_a_double_product_of_rounded_x),
        cmocka_unit_test(int8_paths_agree_with_a_double_product_of_quantised_x),
        cmocka_unit_test(tiles_and_dot_give_the_same_int8_bits_in_the_stated_order),
        cmocka_unit_test(bf16_sums_have_the_bits_of_the_stated_order),
        cmocka_unit_test(a_row_has_the_same_bits_whatever_m_window_and_chunk),
        cmocka_unit_test(x_stored_as_f16_or_bf16_gives_the_bits_of_the_same_values_in_f32),
        cmocka_unit_test(nan_and_infinity_reach_their_row_and_no_other),
        cmocka_unit_test(an_infinite_x_gives_the_infinity_of_its_product),
        cmocka_unit_test(quantising_rounds_to_even_and_keeps_zeros_and_subnormals_in_range),
        cmocka_unit_test(every_path_here_has_a_peak),
#ifdef __x86_64__
        cmocka_unit_test(a_peak_is_no_higher_than_the_instruction_allows),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
