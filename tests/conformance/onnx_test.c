/* ONNX's own node tests of MatMul and Gemm (Debian package libonnx-testdata). */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "conformance/onnx_tensor.h"
#include "conformance/subject.h"

#define FOLDER "/usr/share/libonnx-testdata/data/node"

/* The files round to f32; the products in them are of at most ten terms. */
#define TOLERANCE 1e-6f

/* The attributes as the ONNX operator tests give them; what is absent there is 0 or 1 here. */
typedef struct gemm {
    const char *name;
    float alpha, beta;
    bool transpose_a, transpose_b;
} gemm;

static bool read_tensor(const char *test, const char *tensor, onnx_tensor *out)
{
    char path[256];
    snprintf(path, sizeof path, FOLDER "/%s/test_data_set_0/%s.pb", test, tensor);
    return onnx_tensor_read(path, out);
}

/* Row-major rows by cols; its transpose into out when asked to. */
static yoke_matrix view(const float *data, size_t rows, size_t cols, bool transpose, float *out)
{
    if (!transpose)
        return (yoke_matrix){.format = YOKE_F32, .rows = rows, .cols = cols, .data = (void *)data};
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[c * rows + r] = data[r * cols + c];
    return (yoke_matrix){.format = YOKE_F32, .rows = cols, .cols = rows, .data = out};
}

static void expect(const char *test, const float *got, const float *right, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(got[i] - right[i]) <= TOLERANCE * (1 + fabsf(right[i]))))
            fail_msg("%s: element %zu is %.9g, not %.9g", test, i, (double)got[i],
                     (double)right[i]);
}

/* The bias is one value, one row or the whole of y. */
static void broadcast(const onnx_tensor *bias, float *y, size_t m, size_t n)
{
    for (size_t i = 0; i < m * n; i++)
        y[i] = bias->values[bias->count == 1 ? 0 : bias->count == n ? i % n : i];
}

static void check_gemm(const gemm *g)
{
    static onnx_tensor a, b, bias, right;
    static float x_copy[ONNX_MOST_VALUES], w_copy[ONNX_MOST_VALUES], result[ONNX_MOST_VALUES];
    assert_true(read_tensor(g->name, "input_0", &a) && read_tensor(g->name, "input_1", &b) &&
                read_tensor(g->name, "output_0", &right));
    bool biased = read_tensor(g->name, "input_2", &bias);
    size_t m = right.dimensions[0], n = right.dimensions[1];
    yoke_matrix x = view(a.values, a.dimensions[0], a.dimensions[1], g->transpose_a, x_copy);
    yoke_matrix w = view(b.values, b.dimensions[0], b.dimensions[1], !g->transpose_b, w_copy);
    yoke_matrix y = {.format = YOKE_F32, .rows = m, .cols = n, .data = result};
    for (size_t i = 0; i < m * n; i++)
        result[i] = NAN;
    if (biased)
        broadcast(&bias, result, m, n);
    const yoke_multiply_options options = {
        .scaled = true, .alpha = g->alpha, .beta = biased ? g->beta : 0};
    multiply_once(&x, &w, &y, &options);
    expect(g->name, result, right.values, right.count);
}

static void gemm_answers_as_published(void **state)
{
    (void)state;
    static const gemm cases[] = {
        {"test_gemm_all_attributes", 0.25f, 0.35f, true, true},
        {"test_gemm_alpha", 0.5f, 1, false, false},
        {"test_gemm_beta", 1, 0.5f, false, false},
        {"test_gemm_default_matrix_bias", 1, 1, false, false},
        {"test_gemm_default_no_bias", 1, 1, false, false},
        {"test_gemm_default_scalar_bias", 1, 1, false, false},
        {"test_gemm_default_single_elem_vector_bias", 1, 1, false, false},
        {"test_gemm_default_vector_bias", 1, 1, false, false},
        {"test_gemm_default_zero_bias", 1, 1, false, false},
        {"test_gemm_transposeA", 1, 1, true, false},
        {"test_gemm_transposeB", 1, 1, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_gemm(&cases[i]);
}

static void check_matmul(const char *test)
{
    static onnx_tensor a, b, right;
    static float w_copy[ONNX_MOST_VALUES], result[ONNX_MOST_VALUES];
    assert_true(read_tensor(test, "input_0", &a) && read_tensor(test, "input_1", &b) &&
                read_tensor(test, "output_0", &right));
    size_t m = a.dimensions[a.rank - 2], k = a.dimensions[a.rank - 1], n = b.dimensions[b.rank - 1];
    for (size_t batch = 0; batch < a.count / (m * k); batch++) {
        yoke_matrix x = view(a.values + batch * m * k, m, k, false, NULL);
        yoke_matrix w = view(b.values + batch * k * n, k, n, true, w_copy);
        yoke_matrix y = {.format = YOKE_F32, .rows = m, .cols = n, .data = result + batch * m * n};
        multiply_once(&x, &w, &y, NULL);
    }
    expect(test, result, right.values, right.count);
}

static void matmul_answers_as_published(void **state)
{
    (void)state;
    check_matmul("test_matmul_2d");
    check_matmul("test_matmul_3d");
    check_matmul("test_matmul_4d");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gemm_answers_as_published),
    cmocka_unit_test(matmul_answers_as_published),
};

int main(int argc, char **argv)
{
    if (access(FOLDER "/test_matmul_2d", R_OK) != 0) {
        fprintf(stderr, "skipped: no " FOLDER " (Debian package libonnx-testdata)\n");
        return 77;
    }
    return subject_run_all(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
