#include "engines/ane/transfer.h"

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"

#define READ_COLS ((size_t)64) /* at a time: their channels' rows stay in the first cache */
#define OUTPUTS   ((size_t)16) /* likewise */

#define LARGEST_SUM 32704.0 /* 2^15 is infinite, and rounding must not reach it */
#define LARGEST_X   4       /* rows are brought to [2^3, 2^4): f16's subnormals are far below */

#if defined(__ARM_FP16_FORMAT_IEEE)

static uint16_t to_half(float value)
{
    const __fp16 half = (__fp16)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

static float from_half(uint16_t bits)
{
    __fp16 half;
    memcpy(&half, &bits, sizeof half);
    return (float)half;
}

#else

static uint16_t to_half(float value)
{
    return f16_from_f32(value);
}

static float from_half(uint16_t bits)
{
    return f16_to_f32(bits);
}

#endif

static void read_columns(const yoke_matrix *x, size_t row, size_t col, size_t count, float *out)
{
    /* Checked before: a valid matrix of f32, f16 or bf16. */
    (void)yoke_matrix_read(x, row, col, count, out, NULL);
}

/* The largest magnitude, NaN as soon as there is one; and the sum. */
static float look_at(const yoke_matrix *x, size_t row, double *sum)
{
    float values[READ_COLS], largest = 0;
    *sum = 0;
    for (size_t col = 0; col < x->cols; col += READ_COLS) {
        const size_t count = size_min(READ_COLS, x->cols - col);
        read_columns(x, row, col, count, values);
        for (size_t i = 0; i < count; i++) {
            if (isnan(values[i]))
                return NAN;
            largest = fmaxf(largest, fabsf(values[i]));
            *sum += (double)values[i];
        }
    }
    return largest;
}

static float scale_for(float largest, double largest_sum)
{
    int exponent, bound;
    frexpf(largest, &exponent);
    exponent = LARGEST_X - exponent;
    const double reached = ldexp((double)largest, exponent) * largest_sum / LARGEST_SUM;
    if (reached >= 1) {
        frexp(reached, &bound);
        exponent -= bound;
    }
    exponent = exponent > 126 ? 126 : exponent < -126 ? -126 : exponent; /* 1/scale is finite too */
    return (float)ldexp(1, exponent);
}

yoke_status ane_transfer_rows(const yoke_matrix *x, size_t begin, size_t count, double largest_sum,
                              ane_row *rows, yoke_error *err)
{
    const bool guarded = largest_sum > 0;
    for (size_t i = 0; i < count; i++) {
        double sum;
        const float largest = look_at(x, begin + i, &sum);
        if (isinf(largest))
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                  "engine ane: row %zu of x holds infinity, and the device does "
                                  "not carry it through",
                                  begin + i);
        rows[i].nan = isnan(largest);
        rows[i].sum = (float)sum;
        rows[i].scale = guarded && largest > 0 ? scale_for(largest, largest_sum) : 1;
    }
    return YOKE_OK;
}

void ane_transfer_x(const yoke_matrix *x, size_t begin, size_t count, size_t k_begin,
                    size_t k_count, const ane_row *rows, const ane_tensor *tensor, void *surface)
{
    float values[READ_COLS];
    for (size_t col = 0; col < k_count; col += READ_COLS) {
        const size_t columns = size_min(READ_COLS, k_count - col);
        for (size_t row = 0; row < count; row++) {
            char *to = (char *)surface + col * tensor->plane_bytes + 2 * row;
            if (rows[row].nan)
                memset(values, 0, sizeof values);
            else
                read_columns(x, begin + row, k_begin + col, columns, values);
            for (size_t i = 0; i < columns; i++, to += tensor->plane_bytes) {
                const uint16_t half = to_half(values[i] * rows[row].scale);
                memcpy(to, &half, sizeof half);
            }
        }
    }
}

static float load(const char *from)
{
    uint16_t half;
    memcpy(&half, from, sizeof half);
    return from_half(half);
}

void ane_transfer_sums(const ane_results *from, bool add, float *sums, size_t stride)
{
    const size_t plane = from->tensor->plane_bytes;
    const size_t per_row = from->rows_are_channels ? plane : 2;
    const size_t per_output = from->rows_are_channels ? 2 : plane;
    for (size_t col = 0; col < from->columns; col += OUTPUTS) {
        const size_t columns = size_min(OUTPUTS, from->columns - col);
        for (size_t row = 0; row < from->rows; row++) {
            const char *at =
                (const char *)from->surface + (from->first + col) * per_output + row * per_row;
            float *to = sums + row * stride + col;
            for (size_t i = 0; i < columns; i++, at += per_output)
                to[i] = add ? to[i] + load(at) : load(at);
        }
    }
}

void ane_transfer_finish(float *sums, size_t stride, const ane_row *rows, size_t count,
                         const ane_affine *outputs, size_t columns)
{
    for (size_t row = 0; row < count; row++) {
        const float back = rows[row].nan ? NAN : 1 / rows[row].scale;
        float *at = sums + row * stride;
        for (size_t i = 0; i < columns; i++)
            at[i] = outputs ? outputs[i].factor * back * at[i] + outputs[i].offset * rows[row].sum
                            : back * at[i];
    }
}
