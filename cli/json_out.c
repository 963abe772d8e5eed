#include "json_out.h"

#include <math.h>
#include <stdlib.h>

#include "output.h"

void json_out_real(json_t *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_new(object, name, json_real(value));
}

void json_out_text(json_t *object, const char *name, const char *text)
{
    if (text && *text)
        json_object_set_new(object, name, json_string(text));
}

void json_out_size(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

yoke_status json_out_write(json_t *object, const char *path, yoke_error *err)
{
    char *text = object ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(object);
    if (!text)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for the JSON", path);
    yoke_status status = output_write(path, text, err);
    free(text);
    return status;
}
