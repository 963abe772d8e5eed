#include "store/anemll_value.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool is_unknown(const json_t *value)
{
    static const char word[] = "Unknown"; /* also "Unknown Mac Model" */
    const char *text = json_string_value(value);
    return !value || json_is_null(value) ||
           (text && (text[0] == '\0' || strncmp(text, word, sizeof word - 1) == 0));
}

yoke_status report_number(const report_place *at, const json_t *object, const char *field,
                          double *number)
{
    const json_t *value = json_object_get(object, field);
    *number = (double)NAN;
    if (is_unknown(value))
        return YOKE_OK;
    if (!json_is_number(value) || json_number_value(value) < 0)
        return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s%s is not a number, 0 or more",
                              at->name, at->field, field);
    *number = json_number_value(value);
    return YOKE_OK;
}

yoke_status report_text(const report_place *at, const json_t *object, const char *field,
                        const char **text)
{
    const json_t *value = json_object_get(object, field);
    *text = NULL;
    if (is_unknown(value))
        return YOKE_OK;
    *text = json_string_value(value);
    return *text ? YOKE_OK
                 : yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s%s is not a text", at->name,
                                  at->field, field);
}

void set_known_text(json_t *object, const char *field, const char *text)
{
    if (text)
        json_object_set_new(object, field, json_string(text));
}

void set_known_number(json_t *object, const char *field, double number)
{
    if (isfinite(number))
        json_object_set_new(object, field, json_real(number));
}

void set_known_whole(json_t *object, const char *field, double number)
{
    if (number >= 1 && number < 0x1p53)
        json_object_set_new(object, field, json_integer((json_int_t)llround(number)));
}
