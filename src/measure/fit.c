/* Time over size as a line: what a call costs at all, and what each byte costs on top. */
#include <math.h>

#include "yoke/measure.h"

static yoke_status refuse_unusable(const double *x, const double *y, size_t count, yoke_error *err)
{
    bool different = false;
    for (size_t i = 0; i < count; i++) {
        if (!(isfinite(x[i]) && isfinite(y[i]) && x[i] > 0 && y[i] > 0))
            return yoke_error_set(err, YOKE_ERR_USAGE, "fit: point %zu (%g, %g) is not positive", i,
                                  x[i], y[i]);
        different = different || x[i] != x[0];
    }
    if (!different)
        return yoke_error_set(err, YOKE_ERR_USAGE, "fit: needs two different sizes");
    return YOKE_OK;
}

/* Relative errors count: each point's weight is 1/y^2. Sums are taken about the weighted mean, so
 * that large sizes lose no digits. */
yoke_status yoke_fit_line(const double *x, const double *y, size_t count, yoke_fit *fit,
                          yoke_error *err)
{
    yoke_status status = refuse_unusable(x, y, count, err);
    if (status != YOKE_OK)
        return status;
    double weights = 0, mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        weights += weight;
        mean_x += weight * x[i];
        mean_y += weight * y[i];
    }
    mean_x /= weights;
    mean_y /= weights;

    double xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        xx += weight * (x[i] - mean_x) * (x[i] - mean_x);
        xy += weight * (x[i] - mean_x) * (y[i] - mean_y);
    }
    double slope = xy / xx, fixed = mean_y - slope * mean_x;

    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double relative = (y[i] - fixed - slope * x[i]) / y[i];
        squares += relative * relative;
    }
    double variance = count > 2 ? squares / (double)(count - 2) : 0;
    *fit = (yoke_fit){
        .fixed = fixed,
        .slope = slope,
        .fixed_error = sqrt(variance * (1 / weights + mean_x * mean_x / xx)),
        .slope_error = sqrt(variance / xx),
        .residual = sqrt(squares / (double)count),
    };
    return YOKE_OK;
}

double yoke_gbps(double bytes, double ns)
{
    return ns > 0 ? bytes / ns : (double)NAN; /* bytes per ns are 10^9 bytes per second */
}
