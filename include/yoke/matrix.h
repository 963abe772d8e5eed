/* Matrices: element and block formats, views, conversion, the reference product, result checks. */
#ifndef YOKE_MATRIX_H
#define YOKE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How elements are stored. A block format stores `block` consecutive elements of a row together.
 * Values never change; new ones are added before YOKE_FORMAT_COUNT. */
typedef enum yoke_format {
    YOKE_FORMAT_NONE = 0,
    /* plain elements */
    YOKE_F64,
    YOKE_F32,
    YOKE_F16,
    YOKE_BF16,
    YOKE_BOOL,
    YOKE_U8,
    YOKE_I8,
    YOKE_U16,
    YOKE_I16,
    YOKE_U32,
    YOKE_I32,
    YOKE_U64,
    YOKE_I64,
    YOKE_C64,
    YOKE_C128,
    YOKE_F8_E4M3,
    YOKE_F8_E5M2,
    YOKE_F8_E8M0,
    YOKE_F6_E2M3,
    YOKE_F6_E3M2,
    YOKE_F4_E2M1,
    /* ggml blocks, named as ggml names them */
    YOKE_Q4_0,
    YOKE_Q4_1,
    YOKE_Q5_0,
    YOKE_Q5_1,
    YOKE_Q8_0,
    YOKE_Q8_1,
    YOKE_Q2_K,
    YOKE_Q3_K,
    YOKE_Q4_K,
    YOKE_Q5_K,
    YOKE_Q6_K,
    YOKE_Q8_K,
    YOKE_IQ2_XXS,
    YOKE_IQ2_XS,
    YOKE_IQ2_S,
    YOKE_IQ3_XXS,
    YOKE_IQ3_S,
    YOKE_IQ1_S,
    YOKE_IQ1_M,
    YOKE_IQ4_NL,
    YOKE_IQ4_XS,
    YOKE_TQ1_0,
    YOKE_TQ2_0,
    YOKE_MXFP4,
    YOKE_NVFP4,
    YOKE_Q1_0,
    YOKE_Q2_0,
    /* elements that mean something by a table beside them (yoke_matrix.table), lowest bits first */
    YOKE_LUT1, /* indices of 1, 2, .. bits into a palette of f16 values */
    YOKE_LUT2,
    YOKE_LUT3,
    YOKE_LUT4,
    YOKE_LUT6,
    YOKE_LUT8,
    YOKE_INT4, /* signed integers q: the value is (q - zero) * scale */
    YOKE_INT8,
    YOKE_FORMAT_COUNT
} yoke_format;

/* What is known of a format. */
typedef struct yoke_format_info {
    const char *name;   /* lower case: "f32", "bf16", "q4_0", "q4_k", "f8_e4m3" */
    size_t block;       /* elements stored together; 1 for plain elements */
    size_t block_bytes; /* bytes of such a block */
    size_t table_bytes; /* of one entry of the table that goes with it; 0: there is none */
    bool readable;      /* yoke_matrix_read can turn it into f32 */
    bool writable;      /* yoke_matrix_convert can produce it */
} yoke_format_info;

/* Facts of a format; for a value outside the enumeration, those of YOKE_FORMAT_NONE
 * ("none", block 1, 0 bytes, not readable). Static. Thread-safe. */
YOKE_API const yoke_format_info *yoke_format_get(yoke_format format);

/* The format of that name, in any case; YOKE_FORMAT_NONE if there is none. Thread-safe. */
YOKE_API yoke_format yoke_format_find(const char *name);

/* Bytes of `rows` rows of `cols` elements without gaps, in *bytes.
 * Errors: YOKE_ERR_SHAPE when cols is not a multiple of the format's block, or when the size does
 * not fit size_t. Thread-safe. */
YOKE_API yoke_status yoke_format_bytes(yoke_format format, size_t rows, size_t cols, size_t *bytes,
                                       yoke_error *err);

/* A view of a matrix: nothing is owned. Row-major, in the byte order of this machine.
 * data need not be aligned; yoke copes, at the price of a copy where an engine needs alignment. */
typedef struct yoke_matrix {
    yoke_format format;
    size_t rows;
    size_t cols;
    size_t stride; /* elements from one row to the next, >= cols; 0 means cols. A multiple of the
                    * format's block. */
    void *data;    /* never written through by a function that takes a const yoke_matrix */

    /* Only for the formats with a table. An entry serves table_rows consecutive rows (0: all): for
     * lutN a palette of 2^N f16 values, for intN two f32 values, scale and zero. The first
     * table_skip rows of the first entry lie before this view. */
    void *table;
    size_t table_rows;
    size_t table_skip;
} yoke_matrix;

/* Elements from one row to the next (stride, or cols when stride is 0). */
YOKE_API size_t yoke_matrix_stride(const yoke_matrix *matrix);

/* Bytes of a valid matrix without gaps, with its table: what storing it takes. Thread-safe. */
YOKE_API size_t yoke_matrix_bytes(const yoke_matrix *matrix);

/* Checks that a view makes sense: a known format, whole blocks, stride >= cols, data unless empty,
 * extent within size_t. `what` names it in the message ("x").
 * Errors: YOKE_ERR_USAGE for NULL, YOKE_ERR_SHAPE for the rest. Thread-safe. */
YOKE_API yoke_status yoke_matrix_validate(const yoke_matrix *matrix, const char *what,
                                          yoke_error *err);

/* A view of rows [begin, begin + count) of a valid matrix. No checks beyond an assert. */
YOKE_API yoke_matrix yoke_matrix_rows(const yoke_matrix *matrix, size_t begin, size_t count);

/* Reads `count` elements of row `row` from column `col` on as f32 into out.
 * col and count need not be whole blocks. F64 and integers are rounded to nearest.
 * Errors: YOKE_ERR_UNSUPPORTED when the format is not readable, YOKE_ERR_SHAPE out of range.
 * Thread-safe. */
YOKE_API yoke_status yoke_matrix_read(const yoke_matrix *matrix, size_t row, size_t col,
                                      size_t count, float *out, yoke_error *err);

/* Converts src to dst's format; the shapes are equal. Both buffers belong to the caller and do not
 * overlap. Rounds to nearest even; quantises q8_0 and q4_0 as ggml's reference does.
 * NaN stays NaN; what is too large becomes infinity.
 * Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED. Thread-safe. */
YOKE_API yoke_status yoke_matrix_convert(const yoke_matrix *src, yoke_matrix *dst, yoke_error *err);

/* Allocates a 64-byte aligned, zeroed matrix without gaps; free it with yoke_matrix_free. Formats
 * with a table get a zeroed one: an entry for 8 rows (lutN), for each row (intN). Errors:
 * YOKE_ERR_SHAPE, YOKE_ERR_MEMORY. Thread-safe. */
YOKE_API yoke_status yoke_matrix_create(yoke_format format, size_t rows, size_t cols,
                                        yoke_matrix *matrix, yoke_error *err);

/* Frees the data of a matrix made by yoke_matrix_create and clears the view. Takes NULL. */
YOKE_API void yoke_matrix_free(yoke_matrix *matrix);

/* Fills a matrix with reproducible pseudo-random values, non-zero and free of NaN and infinity,
 * roughly uniform in [-1, 1] / sqrt(cols) so that products stay near 1. Supported: f32, f16, bf16,
 * q8_0, q4_0, lutN, intN. Row r depends on (seed, r) alone, so that threads can fill rows apart.
 * Errors: YOKE_ERR_UNSUPPORTED. Thread-safe. */
YOKE_API yoke_status yoke_matrix_fill_random(yoke_matrix *matrix, uint64_t seed, yoke_error *err);

/* The same for a view of rows of a larger matrix, whose first row is row `first_row` of it, so that
 * several threads fill one matrix as one thread would. */
YOKE_API yoke_status yoke_matrix_fill_random_rows(yoke_matrix *matrix, size_t first_row,
                                                  uint64_t seed, yoke_error *err);

/* The reference product y = alpha * x * w^T + beta * y, accumulated in double precision.
 *
 * x  m by k; w  n by k; y  m by n; any readable format for x and w, f32 f16 bf16 f64 for y.
 * beta == 0 never reads y; alpha == 0 never reads x or w; k == 0 leaves beta * y.
 * Plain loops: the oracle, not an engine. Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED,
 * YOKE_ERR_MEMORY (one row of w). Thread-safe on different y. */
YOKE_API yoke_status yoke_matrix_product(float alpha, const yoke_matrix *x, const yoke_matrix *w,
                                         float beta, yoke_matrix *y, yoke_error *err);

/* What a result check found. */
typedef enum yoke_verdict {
    YOKE_VERDICT_UNCHECKED = 0,
    YOKE_VERDICT_RIGHT,
    YOKE_VERDICT_WRONG,      /* outside the error bound */
    YOKE_VERDICT_ALL_ZERO,   /* only zeros from input that is not */
    YOKE_VERDICT_NOT_FINITE, /* inf or NaN from finite input */
    YOKE_VERDICT_SATURATED   /* clipped at the engine's largest value */
} yoke_verdict;

/* "unchecked", "right", "wrong", "all zero", "not finite", "saturated". Static. */
YOKE_API const char *yoke_verdict_name(yoke_verdict verdict);

typedef struct yoke_check_result {
    yoke_verdict verdict;
    double worst;     /* largest error over its bound; right when <= 1 */
    double rms_error; /* rms error of the sampled elements over their rms value; 0 when unsampled */
    size_t row, col;  /* of the worst element, or the first column of the worst segment */
} yoke_check_result;

/* A weight's check, made once, used for any number of products with it (opaque). */
typedef struct yoke_check yoke_check;

/* Prepares to check products with w: random +-1 projections of segments of its rows (Freivalds),
 * and their magnitudes for the bound. Reads w once; keeps no reference to it, but at most 64
 * sampled rows of it, and the projections, at most 16 MiB together.
 * Errors: YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_check_create(const yoke_matrix *w, uint64_t seed, yoke_check **check,
                                       yoke_error *err);

/* How an engine is allowed to err. */
typedef struct yoke_error_model {
    double unit;       /* relative rounding of one accumulation; 0 means 2^-24, fp32 */
    double input;      /* relative rounding of an element of x or w on its way in; 0 means exact */
    double saturation; /* |y| at which the engine clips; 0 means never */
    double zeroed;     /* |value| under which an element or a result may turn zero; 0 means 2^-126
                        * for results alone */
} yoke_error_model;

/* Checks y = x * w^T (alpha 1, beta 0) for the outputs [n_begin, n_begin + y->cols).
 * Each sampled element is held against the bound of its dot product, each segment's projection
 * against a bound that a right result exceeds with a probability under 1e-9; the rounding of y's
 * own format is allowed for. model may be NULL (fp32 accumulation). Segments that the window cuts
 * are covered by samples alone; where neither is at hand the verdict is unchecked. Of more than 16
 * rows, 16 are checked so, and all of them together by one random combination, which finds a row
 * that is wrong throughout, but not every single element.
 * Returns YOKE_OK and a verdict; an error only when it could not be checked. Thread-safe. */
YOKE_API yoke_status yoke_check_product(const yoke_check *check, const yoke_matrix *x,
                                        const yoke_matrix *y, size_t n_begin,
                                        const yoke_error_model *model, yoke_check_result *result,
                                        yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_check_free(yoke_check *check);

#ifdef __cplusplus
}
#endif
#endif
