#include "matrix/check_weight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "matrix/read.h"

#define MEMORY_BYTES    ((size_t)16 << 20)
#define SAMPLES_MOST    64
#define SEGMENTS_MOST   1024
#define SEGMENT_OUTPUTS 8 /* at least: smaller ones cost more than they find */

/* Decides how many rows and segments fit the memory. */
static void check_plan(yoke_check *check)
{
    size_t bytes = MEMORY_BYTES;
    size_t row = check->k ? check->k : 1;
    check->samples = size_min(size_min(SAMPLES_MOST, check->n), bytes / 2 / sizeof(float) / row);
    if (check->samples == check->n)
        return;
    bytes -= check->samples * row * sizeof(float);
    size_t most = size_min(SEGMENTS_MOST, bytes / (2 * sizeof(double)) / row);
    if (most == 0)
        return;
    size_t outputs = size_ceil_div(check->n, most);
    check->segment_outputs = outputs < SEGMENT_OUTPUTS ? SEGMENT_OUTPUTS : outputs;
    check->segments = size_ceil_div(check->n, check->segment_outputs);
}

static void check_pick_samples(yoke_check *check)
{
    uint64_t state = ~check->seed;
    for (size_t i = 0; i < check->samples; i++) {
        size_t begin = check_fraction(check->n, i, check->samples);
        size_t end = check_fraction(check->n, i + 1, check->samples);
        size_t output = begin + (size_t)(mix_next(&state) % (end - begin));
        check->sample_output[i] = i == 0 ? 0 : i + 1 == check->samples ? check->n - 1 : output;
    }
}

/* Zeroed memory for a * b elements, never NULL because it is empty. */
static void *check_array(size_t a, size_t b, size_t element)
{
    size_t count;
    if (!size_mul(a, b, &count))
        return NULL;
    return calloc(count ? count : 1, element);
}

static bool check_allocate(yoke_check *check)
{
    check->sample_output = check_array(check->samples, 1, sizeof *check->sample_output);
    check->sample_row = check_array(check->samples, check->k, sizeof *check->sample_row);
    check->projection = check_array(check->segments, check->k, sizeof *check->projection);
    check->energy = check_array(check->segments, check->k, sizeof *check->energy);
    check->not_finite = check_array(size_ceil_div(check->n, 64), 1, sizeof *check->not_finite);
    return check->sample_output && check->sample_row && check->projection && check->energy &&
           check->not_finite;
}

static bool row_is_finite(const float *row, size_t k)
{
    uint32_t special = 0;
    for (size_t i = 0; i < k; i++)
        special |= (float_to_bits(row[i]) & 0x7f800000u) == 0x7f800000u;
    return special == 0;
}

static void check_add_row(yoke_check *check, size_t output, const float *row)
{
    size_t at = output / check->segment_outputs * check->k;
    double *projection = check->projection + at, *energy = check->energy + at;
    double sign = check_sign(check, output);
    for (size_t i = 0; i < check->k; i++) {
        double w = (double)row[i];
        projection[i] += sign * w;
        energy[i] += w * w;
    }
}

/* Reads the weight once, row by row. */
static void check_read_weight(yoke_check *check, const yoke_matrix *w, float *row)
{
    size_t sample = 0;
    for (size_t n = 0; n < check->n; n++) {
        yoke_matrix_read(w, n, 0, check->k, row, NULL);
        if (sample < check->samples && check->sample_output[sample] == n)
            memcpy(check->sample_row + sample++ * check->k, row, check->k * sizeof *row);
        if (!row_is_finite(row, check->k))
            check->not_finite[n / 64] |= (uint64_t)1 << (n % 64);
        else if (check->segments > 0)
            check_add_row(check, n, row);
    }
}

static double check_largest_energy(const yoke_check *check)
{
    double largest = check->segments > 0 ? 0.0 : INFINITY;
    for (size_t s = 0; s < check->segments; s++) {
        double sum = 0.0;
        for (size_t i = 0; i < check->k; i++)
            sum += check->energy[s * check->k + i];
        largest = fmax(largest, sum);
    }
    return largest;
}

static yoke_status check_build(yoke_check *check, const yoke_matrix *w, yoke_error *err)
{
    check_plan(check);
    float *row = check_array(check->k, 1, sizeof *row);
    if (!row || !check_allocate(check)) {
        free(row);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory to check a %zu x %zu weight",
                              check->n, check->k);
    }
    check_pick_samples(check);
    check_read_weight(check, w, row);
    check->largest_energy = check_largest_energy(check);
    free(row);
    return YOKE_OK;
}

yoke_status yoke_check_create(const yoke_matrix *w, uint64_t seed, yoke_check **check,
                              yoke_error *err)
{
    if (!check)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_check_create: check is NULL");
    *check = NULL;
    yoke_status status = yoke_matrix_validate(w, "w", err);
    if (status != YOKE_OK)
        return status;
    if (!read_function(w->format))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "w: elements of %s cannot be read",
                              yoke_format_get(w->format)->name);
    yoke_check *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a check");
    *made = (yoke_check){.n = w->rows, .k = w->cols, .seed = mix(seed)};
    status = check_build(made, w, err);
    if (status != YOKE_OK) {
        yoke_check_free(made);
        return status;
    }
    *check = made;
    return YOKE_OK;
}

void yoke_check_free(yoke_check *check)
{
    if (!check)
        return;
    free(check->sample_output);
    free(check->sample_row);
    free(check->projection);
    free(check->energy);
    free(check->not_finite);
    free(check);
}
