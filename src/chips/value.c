#include "chips/value.h"

#include <math.h>
#include <stdint.h>

#define MOST_DIGITS 17

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Not strtod: that takes exponents, blanks, "inf", and the locale's comma. */
bool value_number(const char *text, yoke_chip_number *number)
{
    *number = (yoke_chip_number){.value = NAN, .half = 0};
    if (!*text)
        return true;
    const char *s = text + (*text == '-' || *text == '+');
    if (!is_digit(*s))
        return false;
    uint64_t digits = 0;
    int count = 0, behind_point = 0;
    for (bool point = false; *s; s++) {
        if (*s == '.' && !point && is_digit(s[1])) {
            point = true;
            continue;
        }
        if (!is_digit(*s))
            return false;
        digits = digits * 10 + (uint64_t)(*s - '0');
        count += digits > 0;
        behind_point += point;
        if (count > MOST_DIGITS || behind_point > MOST_DIGITS)
            return false;
    }
    double unit = pow(10, -behind_point);
    double value = (double)digits / pow(10, behind_point);
    if (value > 1e12)
        return false;
    *number = (yoke_chip_number){.value = *text == '-' ? -value : value, .half = unit / 2};
    return true;
}

bool value_is_runs(const char *text)
{
    if (!*text)
        return true;
    const char *s = text;
    while (is_digit(*s))
        s++;
    if (s == text || *s == '\0')
        return s != text;
    if (*s++ != 'x' || !is_digit(*s))
        return false;
    while (is_digit(*s))
        s++;
    return *s == '\0';
}

bool value_mode(const char *text, yoke_chip_mode *mode)
{
    static const struct {
        const char *name;
        yoke_chip_mode mode;
    } modes[] = {{"", YOKE_CHIP_SOLO},
                 {"solo", YOKE_CHIP_SOLO},
                 {"each", YOKE_CHIP_EACH},
                 {"combined", YOKE_CHIP_COMBINED},
                 {"dual", YOKE_CHIP_COMBINED}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (value_same_name(text, modes[i].name)) {
            *mode = modes[i].mode;
            return true;
        }
    }
    return false;
}

bool value_known(yoke_chip_number number)
{
    return !isnan(number.value);
}

static char plain(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' || c == ' ' ? '-' : c;
}

bool value_same_name(const char *a, const char *b)
{
    while (*a && plain(*a) == plain(*b)) {
        a++;
        b++;
    }
    return plain(*a) == plain(*b);
}
