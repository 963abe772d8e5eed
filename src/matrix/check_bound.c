#include "matrix/check_bound.h"

#include <float.h>
#include <math.h>

#define HOEFFDING      7.0
#define HOEFFDING_ROW  8.0
#define SAMPLE_FACTOR  4.0
#define SAMPLES_ENOUGH 8

static void bound_set_format(bound *b, yoke_format y)
{
    switch (y) {
    case YOKE_F64:
        b->y_unit = 0x1p-53;
        b->y_max = INFINITY;
        break;
    case YOKE_F16:
        b->y_unit = 0x1p-11;
        b->y_tiny = 0x1p-25;
        b->y_max = 65520.0;
        break;
    case YOKE_BF16:
        b->y_unit = 0x1p-8;
        b->y_tiny = 0x1p-134;
        b->y_max = 0x1.ffp127;
        break;
    default:
        b->y_unit = 0x1p-24;
        b->y_tiny = 0x1p-150;
        b->y_max = 0x1.ffffffp127;
        break;
    }
}

bound bound_make(const yoke_error_model *model, yoke_format y, size_t k)
{
    const yoke_error_model fp32 = {0};
    if (!model)
        model = &fp32;
    double unit = model->unit > 0.0 ? model->unit : 0x1p-24;
    double roundings = (double)k + 2.0;
    bound b = {.k = (double)k};
    b.rigorous = expm1(roundings * unit) + 2.0 * model->input + model->input * model->input;
    b.typical = roundings * unit + 2.0 * model->input;
    b.zeroed = model->zeroed;
    b.underflow = ((double)k + 1.0) * 0x1p-126 + model->zeroed;
    b.saturation = model->saturation > 0.0 ? model->saturation : INFINITY;
    bound_set_format(&b, y);
    return b;
}

double bound_computed(const bound *b, const bound_sums *sums)
{
    double own = b->k * DBL_EPSILON; /* of the check's sum */
    return (b->rigorous + own) * sums->magnitude + b->zeroed * (sums->w + sums->x) + b->underflow;
}

double bound_element(const bound *b, const bound_sums *sums)
{
    double computed = bound_computed(b, sums);
    return computed + b->y_unit * (fabs(sums->exact) + computed) + b->y_tiny;
}

double bound_observed(const bound *b, const bound_sums *sums, double error)
{
    double explained = b->y_unit * (fabs(sums->exact) + error) + b->y_tiny + b->underflow +
                       b->zeroed * (sums->w + sums->x);
    return error > explained && sums->energy > 0.0 ? (error - explained) / sqrt(sums->energy) : 0.0;
}

/* E / V, the relative error of a segment before y is rounded. */
static double bound_rate(const bound *b, const bound_evidence *evidence)
{
    double always = b->rigorous * sqrt(b->k);
    if (evidence->few_values || evidence->sampled_outputs < SAMPLES_ENOUGH)
        return always;
    return fmin(always, fmax(b->typical, SAMPLE_FACTOR * evidence->observed));
}

double bound_projection(const bound *b, const bound_segment *segment,
                        const bound_evidence *evidence)
{
    double count = segment->rows * segment->outputs;
    double v = sqrt(segment->energy), y = sqrt(segment->y_energy);
    double lost = b->zeroed * (sqrt(segment->rows * b->k * segment->w_energy) +
                               sqrt(segment->outputs * segment->x_sums));
    double rounding = b->y_unit * y + sqrt(count) * (b->y_tiny + b->underflow);
    double sure = segment->rows > 1.0 ? HOEFFDING * HOEFFDING_ROW : HOEFFDING;
    double own = (segment->outputs + segment->rows + b->k) * DBL_EPSILON * sqrt(count) *
                 (sqrt(b->k) * v + y);
    return sure * (bound_rate(b, evidence) * v + lost + rounding) + own;
}
