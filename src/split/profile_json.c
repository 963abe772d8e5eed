#include "split/profile_json.h"

#include <stdio.h>
#include <string.h>

#include "engines/precision.h"

#define KIND         "yoke profile"
#define FILE_VERSION 1

/* ---- Writing ---- */

static json_t *points_json(const curve *c)
{
    json_t *array = json_array();
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < c->rows[i].count; j++) {
            const yoke_curve_point *point = &c->rows[i].points[j];
            json_t *object = json_pack("{s:I, s:I, s:f, s:f, s:I}", "m", (json_int_t)point->m, "n",
                                       (json_int_t)point->n, "median_ns", point->median_ns,
                                       "mad_ns", point->mad_ns, "count", (json_int_t)point->count);
            if (json_array_append_new(array, object) != 0) {
                json_decref(array);
                return NULL;
            }
        }
    return array;
}

static json_t *contentions_json(const yoke_profile *profile, const profile_curve *entry)
{
    json_t *array = json_array();
    for (size_t i = 0; i < entry->contention_count; i++) {
        const profile_contention *each = &entry->contentions[i];
        json_t *object = json_pack("{s:I, s:s, s:f}", "m", (json_int_t)each->m, "other",
                                   profile->engines[each->other].name, "slowdown", each->slowdown);
        if (json_array_append_new(array, object) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *curve_json(const yoke_profile *profile, const profile_curve *entry)
{
    const profile_engine *engine = &profile->engines[entry->engine];
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:o, s:o}", "engine", engine->name,
                     "description", engine->description, "format",
                     yoke_format_get(entry->format)->name, "k", (json_int_t)entry->k, "x_format",
                     yoke_format_get(entry->x_format)->name, "precision",
                     precision_name(entry->precision), "points", points_json(&entry->curve),
                     "contention", contentions_json(profile, entry));
}

json_t *profile_to_json(const yoke_profile *profile)
{
    json_t *curves = json_array();
    for (size_t i = 0; i < profile->curve_count; i++)
        if (json_array_append_new(curves, curve_json(profile, &profile->curves[i])) != 0) {
            json_decref(curves);
            return NULL;
        }
    const profile_host *host = &profile->host;
    return json_pack("{s:s, s:i, s:s, s:{s:s, s:s, s:I, s:I}, s:o}", "kind", KIND, "version",
                     FILE_VERSION, "yoke", YOKE_VERSION, "host", "cpu", host->cpu, "machine",
                     host->machine, "cores", (json_int_t)host->cores, "memory_gib",
                     (json_int_t)host->memory_gib, "curves", curves);
}

/* ---- Reading ---- */

/* Where in the file the reader is, for messages. */
typedef struct place {
    const char *path;
    char field[96]; /* "curves[3].points[1]."; "" at the top */
    yoke_error *err;
} place;

static yoke_status malformed(const place *at, const char *name, const char *wanted)
{
    return yoke_error_set(at->err, YOKE_ERR_FORMAT, "%s: %s%s is not %s", at->path, at->field, name,
                          wanted);
}

static yoke_status get_text(const json_t *object, const char *name, const place *at,
                            const char **text)
{
    *text = json_string_value(json_object_get(object, name));
    return *text ? YOKE_OK : malformed(at, name, "a text");
}

static yoke_status get_size(const json_t *object, const char *name, const place *at, size_t *size)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > SIZE_MAX)
        return malformed(at, name, "a whole number, 0 or more");
    *size = (size_t)json_integer_value(value);
    return YOKE_OK;
}

static yoke_status get_real(const json_t *object, const char *name, const place *at, double *real)
{
    const json_t *value = json_object_get(object, name);
    *real = json_number_value(value);
    return json_is_number(value) ? YOKE_OK : malformed(at, name, "a number");
}

static yoke_status get_array(const json_t *object, const char *name, const place *at,
                             const json_t **array)
{
    *array = json_object_get(object, name);
    return json_is_array(*array) ? YOKE_OK : malformed(at, name, "a list");
}

static yoke_status get_format(const json_t *object, const char *name, const place *at,
                              yoke_format *format)
{
    const char *text;
    yoke_status status = get_text(object, name, at, &text);
    if (status != YOKE_OK)
        return status;
    *format = yoke_format_find(text);
    return *format != YOKE_FORMAT_NONE ? YOKE_OK : malformed(at, name, "a format");
}

static yoke_status get_precision(const json_t *object, const char *name, const place *at,
                                 yoke_precision *precision)
{
    const char *text;
    yoke_status status = get_text(object, name, at, &text);
    if (status != YOKE_OK)
        return status;
    for (int i = 0; precision_name((yoke_precision)i)[0]; i++)
        if (strcmp(text, precision_name((yoke_precision)i)) == 0) {
            *precision = (yoke_precision)i;
            return YOKE_OK;
        }
    return malformed(at, name, "a precision");
}

/* What a good file cannot hold is the file's fault; `refused` says what. */
static yoke_status refuse(const place *at, yoke_status status, const yoke_error *refused)
{
    if (status == YOKE_OK)
        return YOKE_OK;
    return yoke_error_set(at->err, status == YOKE_ERR_MEMORY ? status : YOKE_ERR_FORMAT,
                          "%s: %.*s: %s", at->path, (int)(strlen(at->field) - 1), at->field,
                          refused->text);
}

static yoke_status read_point(const json_t *object, const place *at, const yoke_curve_key *key,
                              yoke_profile *profile)
{
    yoke_curve_point point = {0};
    yoke_status status = get_size(object, "m", at, &point.m);
    if (status == YOKE_OK)
        status = get_size(object, "n", at, &point.n);
    if (status == YOKE_OK)
        status = get_real(object, "median_ns", at, &point.median_ns);
    if (status == YOKE_OK)
        status = get_real(object, "mad_ns", at, &point.mad_ns);
    if (status == YOKE_OK)
        status = get_size(object, "count", at, &point.count);
    if (status != YOKE_OK)
        return status;
    yoke_error refused;
    return refuse(at, yoke_profile_add(profile, key, &point, &refused), &refused);
}

static yoke_status read_contention(const json_t *object, const place *at, const yoke_curve_key *key,
                                   yoke_profile *profile)
{
    yoke_contention each = {0};
    yoke_status status = get_size(object, "m", at, &each.m);
    if (status == YOKE_OK)
        status = get_text(object, "other", at, &each.other);
    if (status == YOKE_OK)
        status = get_real(object, "slowdown", at, &each.slowdown);
    if (status != YOKE_OK)
        return status;
    yoke_error refused;
    return refuse(
        at, yoke_profile_add_contention(profile, key, each.m, each.other, each.slowdown, &refused),
        &refused);
}

typedef yoke_status read_item(const json_t *object, const place *at, const yoke_curve_key *key,
                              yoke_profile *profile);

/* Reads each object of the list curves[index].name. */
static yoke_status read_list(const json_t *object, size_t index, const char *name, place *at,
                             read_item *read, const yoke_curve_key *key, yoke_profile *profile)
{
    const json_t *array;
    yoke_status status = get_array(object, name, at, &array);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(array); i++) {
        snprintf(at->field, sizeof at->field, "curves[%zu].%s[%zu].", index, name, i);
        status = read(json_array_get(array, i), at, key, profile);
    }
    return status;
}

static yoke_status read_key(const json_t *object, const place *at, yoke_curve_key *key)
{
    yoke_status status = get_text(object, "engine", at, &key->engine);
    if (status == YOKE_OK)
        status = get_text(object, "description", at, &key->description);
    if (status == YOKE_OK)
        status = get_format(object, "format", at, &key->format);
    if (status == YOKE_OK)
        status = get_size(object, "k", at, &key->k);
    if (status == YOKE_OK)
        status = get_format(object, "x_format", at, &key->x_format);
    if (status == YOKE_OK)
        status = get_precision(object, "precision", at, &key->precision);
    return status;
}

static yoke_status read_curve(const json_t *object, size_t index, place *at, yoke_profile *profile)
{
    yoke_curve_key key = {0};
    snprintf(at->field, sizeof at->field, "curves[%zu].", index);
    yoke_status status = read_key(object, at, &key);
    if (status == YOKE_OK)
        status = read_list(object, index, "points", at, read_point, &key, profile);
    snprintf(at->field, sizeof at->field, "curves[%zu].", index);
    if (status == YOKE_OK)
        status = read_list(object, index, "contention", at, read_contention, &key, profile);
    return status;
}

static yoke_status check_version(const json_t *root, const place *at)
{
    const char *kind = json_string_value(json_object_get(root, "kind")), *yoke;
    if (!kind || strcmp(kind, KIND) != 0)
        return malformed(at, "kind", "\"" KIND "\"");
    size_t version = 0;
    yoke_status status = get_size(root, "version", at, &version);
    if (status != YOKE_OK)
        return status;
    if (version != FILE_VERSION)
        return yoke_error_set(at->err, YOKE_ERR_UNSUPPORTED,
                              "%s: version %zu of the format, and this yoke reads version %d",
                              at->path, version, FILE_VERSION);
    status = get_text(root, "yoke", at, &yoke);
    if (status == YOKE_OK && strcmp(yoke, YOKE_VERSION) != 0)
        return yoke_error_set(at->err, YOKE_ERR_UNSUPPORTED,
                              "%s: measured with yoke %s, and this is %s: tune again", at->path,
                              yoke, YOKE_VERSION);
    return status;
}

static yoke_status check_host(const json_t *root, place *at, const profile_host *here)
{
    const json_t *host = json_object_get(root, "host");
    if (!json_is_object(host))
        return malformed(at, "host", "an object");
    snprintf(at->field, sizeof at->field, "host.");
    profile_host there = {0};
    const char *cpu, *machine = NULL;
    yoke_status status = get_text(host, "cpu", at, &cpu);
    if (status == YOKE_OK)
        status = get_text(host, "machine", at, &machine);
    if (status == YOKE_OK)
        status = get_size(host, "cores", at, &there.cores);
    if (status == YOKE_OK)
        status = get_size(host, "memory_gib", at, &there.memory_gib);
    at->field[0] = '\0';
    if (status != YOKE_OK)
        return status;
    if (strcmp(cpu, here->cpu) != 0 || strcmp(machine, here->machine) != 0 ||
        there.cores != here->cores || there.memory_gib != here->memory_gib)
        return yoke_error_set(
            at->err, YOKE_ERR_UNSUPPORTED,
            "%s: measured on another machine: \"%s\", \"%s\", %zu cores, %zu GiB; this one is "
            "\"%s\", \"%s\", %zu cores, %zu GiB",
            at->path, cpu, machine, there.cores, there.memory_gib, here->cpu, here->machine,
            here->cores, here->memory_gib);
    return YOKE_OK;
}

yoke_status profile_from_json(const json_t *root, const char *path, yoke_profile *profile,
                              yoke_error *err)
{
    place at = {.path = path, .err = err};
    const json_t *curves = NULL;
    yoke_status status = check_version(root, &at);
    if (status == YOKE_OK)
        status = check_host(root, &at, &profile->host);
    if (status == YOKE_OK)
        status = get_array(root, "curves", &at, &curves);
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(curves); i++)
        status = read_curve(json_array_get(curves, i), i, &at, profile);
    return status;
}
