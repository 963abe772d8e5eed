#include "files/coreml/mil_number.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"

/* strtod expects the decimal point of the locale, which may be any string. */
static bool read_double(const char *text, double *out)
{
    const char *point = localeconv()->decimal_point, *dot = strchr(text, '.');
    char local[MIL_NUMBER_LENGTH + 16];
    if (dot && strcmp(point, ".") != 0 && strlen(point) < 16) {
        snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - text), text, point, dot + 1);
        text = local;
    }
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

/* The 8-bit value nearest to a float, by looking at all of them: there are few, and few are read.
 */
static uint8_t nearest_f8(yoke_format format, float wanted)
{
    uint8_t best = 0;
    float best_distance = INFINITY;
    for (unsigned bits = 0; bits < 256; bits++) {
        uint8_t candidate = (uint8_t)bits;
        float value;
        yoke_matrix one = {.format = format, .rows = 1, .cols = 1, .data = &candidate};
        if (yoke_matrix_read(&one, 0, 0, 1, &value, NULL) != YOKE_OK)
            return 0;
        float distance = isnan(value) && isnan(wanted) ? 0
                         : value == wanted             ? 0
                                                       : fabsf(value - wanted);
        bool same_sign = !signbit(value) == !signbit(wanted);
        if (distance < best_distance || (distance == best_distance && same_sign)) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

static const char *read_float(mil_element element, const char *text, void *out)
{
    double wide;
    if (!read_double(text, &wide))
        return "not a number";
    float single = (float)wide;
    uint16_t half;
    switch (element) {
    case MIL_FP64: memcpy(out, &wide, sizeof wide); return NULL;
    case MIL_FP32: memcpy(out, &single, sizeof single); return NULL;
    case MIL_FP16: half = f16_from_f32(single); break;
    case MIL_BF16: half = bf16_from_f32(single); break;
    default: *(uint8_t *)out = nearest_f8(mil_element_get(element)->format, single); return NULL;
    }
    memcpy(out, &half, sizeof half);
    return NULL;
}

static void store_integer(mil_element element, uint64_t value, void *out)
{
    /* Little-endian, as files/bytes.h makes sure. */
    memcpy(out, &value, mil_element_bytes(element));
}

static const char *read_signed(mil_element element, const char *text, void *out)
{
    char *end;
    errno = 0;
    intmax_t value = strtoimax(text, &end, 10);
    if (end == text || *end != '\0')
        return "not an integer";
    unsigned shift = 64 - mil_element_get(element)->bits;
    if (errno == ERANGE || value > (INT64_MAX >> shift) || value < -(INT64_MAX >> shift) - 1)
        return "an integer out of its type's range";
    store_integer(element, (uint64_t)value, out);
    return NULL;
}

static const char *read_unsigned(mil_element element, const char *text, void *out)
{
    char *end;
    errno = 0;
    uintmax_t value = strtoumax(text, &end, 10);
    if (end == text || *end != '\0')
        return "not an integer";
    if (text[0] == '-' || errno == ERANGE ||
        value > (UINT64_MAX >> (64 - mil_element_get(element)->bits)))
        return "an integer out of its type's range";
    store_integer(element, value, out);
    return NULL;
}

static const char *read_bool(const char *text, void *out)
{
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
        return "neither true nor false";
    *(uint8_t *)out = yes;
    return NULL;
}

const char *mil_number_read(mil_element element, const char *text, size_t length, void *out)
{
    char copy[MIL_NUMBER_LENGTH];
    if (length >= sizeof copy)
        return "too long for a number";
    memcpy(copy, text, length);
    copy[length] = '\0';
    switch (mil_element_get(element)->element_class) {
    case MIL_CLASS_BOOL: return read_bool(copy, out);
    case MIL_CLASS_FLOAT: return read_float(element, copy, out);
    case MIL_CLASS_SIGNED: return read_signed(element, copy, out);
    case MIL_CLASS_UNSIGNED: return read_unsigned(element, copy, out);
    default: return "a number where a string is expected";
    }
}

/* Hexadecimal without printf, whose decimal point follows the locale. */
static void write_double(double value, char *text)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const char *sign = bits >> 63 ? "-" : "";
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & 0xfffffffffffff;
    if (exponent == 0x7ff) {
        snprintf(text, MIL_NUMBER_LENGTH, "%s", fraction ? "nan" : bits >> 63 ? "-inf" : "inf");
        return;
    }
    if (exponent == 0 && fraction == 0) {
        snprintf(text, MIL_NUMBER_LENGTH, "%s0x0p+0", sign);
        return;
    }
    int lead = exponent != 0;
    exponent = lead ? exponent - 1023 : -1022;
    unsigned digits = 13;
    while (digits > 0 && (fraction & 0xf) == 0) {
        fraction >>= 4;
        digits--;
    }
    if (digits == 0)
        snprintf(text, MIL_NUMBER_LENGTH, "%s0x%dp%+d", sign, lead, exponent);
    else
        snprintf(text, MIL_NUMBER_LENGTH, "%s0x%d.%0*" PRIx64 "p%+d", sign, lead, (int)digits,
                 fraction, exponent);
}

static double load_float(mil_element element, const void *from)
{
    double wide;
    float single = 0;
    uint16_t half;
    switch (element) {
    case MIL_FP64: memcpy(&wide, from, sizeof wide); return wide;
    case MIL_FP32: memcpy(&single, from, sizeof single); return single;
    case MIL_FP16: memcpy(&half, from, sizeof half); return f16_to_f32(half);
    case MIL_BF16: memcpy(&half, from, sizeof half); return bf16_to_f32(half);
    default: break;
    }
    yoke_matrix one = {
        .format = mil_element_get(element)->format, .rows = 1, .cols = 1, .data = (void *)from};
    return yoke_matrix_read(&one, 0, 0, 1, &single, NULL) == YOKE_OK ? single : NAN;
}

void mil_number_write(mil_element element, const void *from, char text[MIL_NUMBER_LENGTH])
{
    const mil_element_info *info = mil_element_get(element);
    size_t bytes = mil_element_bytes(element);
    uint64_t value = 0;
    switch (info->element_class) {
    case MIL_CLASS_FLOAT: write_double(load_float(element, from), text); return;
    case MIL_CLASS_BOOL:
        snprintf(text, MIL_NUMBER_LENGTH, "%s", *(const uint8_t *)from ? "true" : "false");
        return;
    case MIL_CLASS_SIGNED: {
        memcpy(&value, from, bytes);
        unsigned shift = 64 - 8 * (unsigned)bytes;
        int64_t number = (int64_t)(value << shift) >> shift;
        snprintf(text, MIL_NUMBER_LENGTH, "%" PRId64, number);
        return;
    }
    case MIL_CLASS_UNSIGNED:
        memcpy(&value, from, bytes);
        snprintf(text, MIL_NUMBER_LENGTH, "%" PRIu64, value);
        return;
    default: text[0] = '\0';
    }
}
