#include "report/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

number_text number_bytes(uint64_t bytes)
{
    number_text out;
    if (bytes < 1000)
        snprintf(out.text, sizeof out.text, "%" PRIu64 " B", bytes);
    else if (bytes < 1000000)
        snprintf(out.text, sizeof out.text, "%.2f kB", (double)bytes / 1e3);
    else if (bytes < UINT64_C(10000000000)) /* MB up to ten GB: model files are compared in MB */
        snprintf(out.text, sizeof out.text, "%.2f MB", (double)bytes / 1e6);
    else if (bytes < UINT64_C(10000000000000))
        snprintf(out.text, sizeof out.text, "%.2f GB", (double)bytes / 1e9);
    else
        snprintf(out.text, sizeof out.text, "%.2f TB", (double)bytes / 1e12);
    return out;
}

number_text number_digits(double value, int significant)
{
    number_text out;
    if (!isfinite(value)) {
        strcpy(out.text, "-");
        return out;
    }
    /* The exponent after rounding: 9.996 has two digits before the point when three are shown. */
    snprintf(out.text, sizeof out.text, "%.*e", significant - 1, value);
    int whole = (int)strtol(strchr(out.text, 'e') + 1, NULL, 10) + 1;
    int decimals = significant > whole ? significant - whole : 0;
    if (fabs(value) >= 1e15 || decimals > 9)
        snprintf(out.text, sizeof out.text, "%.*e", significant - 1, value);
    else
        snprintf(out.text, sizeof out.text, "%.*f", decimals, value);
    return out;
}

number_text number_time(double ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    size_t unit = 0;
    /* 999.5 of a unit would print as 1000. */
    while (unit < 3 && fabs(ns) >= 999.5 * units[unit].ns)
        unit++;
    number_text digits = number_digits(ns / units[unit].ns, 3);
    number_text out;
    if (!isfinite(ns))
        return digits;
    snprintf(out.text, sizeof out.text, "%.20s %s", digits.text, units[unit].name);
    return out;
}

number_text number_percent(double fraction)
{
    number_text out;
    if (!isfinite(fraction))
        return number_digits(fraction, 1);
    snprintf(out.text, sizeof out.text, "%.1f %%", fraction * 100);
    return out;
}

number_text number_count(uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    number_text out;
    char *to = out.text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}
