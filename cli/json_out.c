#include "json_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool json_out_alone(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

yoke_status json_out_commit(json_t *object, output *out, yoke_error *err)
{
    char *text = object ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(object);
    if (!text) {
        output_discard(out);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the JSON");
    }
    fprintf(out->stream, "%s\n", text); /* output_commit notices what was not written */
    free(text);
    return output_commit(out, err);
}

yoke_status json_out_write(json_t *object, const char *path, yoke_error *err)
{
    output out;
    yoke_status status = output_open(&out, path, err);
    if (status == YOKE_OK)
        return json_out_commit(object, &out, err);
    json_decref(object);
    return status;
}
