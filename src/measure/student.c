/* By the finite sums of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3
 * for odd and 26.7.4 for even degrees of freedom. */
#include "measure/student.h"

#include <math.h>

#define HALF_PI 1.570796326794896619

/* P(|T| < t). */
static double within(double t, size_t degrees)
{
    double angle = atan(t / sqrt((double)degrees)), square = pow(cos(angle), 2);
    const size_t odd = degrees % 2;
    double term = odd ? cos(angle) : 1, sum = 0;
    for (size_t power = odd; power + 2 <= degrees; power += 2) {
        sum += term;
        term *= square * (double)(power + 1) / (double)(power + 2);
    }
    return odd ? (angle + sin(angle) * sum) / HALF_PI : sin(angle) * sum;
}

double student_95(size_t degrees)
{
    double low = 0, high = 13; /* with one degree it is 12.7 */
    while (high - low > 1e-12) {
        double middle = (low + high) / 2;
        if (within(middle, degrees) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return low;
}
