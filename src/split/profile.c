#include "split/profile.h"

#include <stdlib.h>
#include <string.h>

#include "engines/precision.h"

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static yoke_format x_format_of(const yoke_curve_key *key)
{
    return key->x_format == YOKE_FORMAT_NONE ? YOKE_F32 : key->x_format;
}

static yoke_status key_check(const yoke_curve_key *key, yoke_error *err)
{
    if (!key || !key->engine || !key->engine[0])
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "a curve belongs to an engine, and none is named");
    if (yoke_format_get(key->format) == yoke_format_get(YOKE_FORMAT_NONE) ||
        !profile_plausible_size(key->k) || !precision_name(key->precision)[0])
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "%s: a curve needs a weight format, a k and a precision",
                              key->engine);
    return YOKE_OK;
}

yoke_status yoke_profile_create(yoke_profile **profile, yoke_error *err)
{
    if (!profile)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_profile_create: profile is NULL");
    yoke_profile *made = calloc(1, sizeof *made);
    if (!made)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a profile");
    yoke_status status = profile_host_read(&made->host, err);
    if (status != YOKE_OK) {
        free(made);
        return status;
    }
    *profile = made;
    return YOKE_OK;
}

static void curve_entry_free(profile_curve *entry)
{
    curve_free(&entry->curve);
    free(entry->contentions);
}

void yoke_profile_free(yoke_profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->engine_count; i++) {
        free(profile->engines[i].name);
        free(profile->engines[i].description);
    }
    for (size_t i = 0; i < profile->curve_count; i++)
        curve_entry_free(&profile->curves[i]);
    free(profile->engines);
    free(profile->curves);
    free(profile);
}

/* The index of an engine; engine_count when it is not known. */
static size_t engine_index(const yoke_profile *profile, const char *name)
{
    size_t i = 0;
    while (i < profile->engine_count && strcmp(profile->engines[i].name, name) != 0)
        i++;
    return i;
}

static bool same_description(const profile_engine *engine, const char *description)
{
    return !engine->description[0] || !text_or_empty(description)[0] ||
           strcmp(engine->description, description) == 0;
}

static size_t curve_index(const yoke_profile *profile, const yoke_curve_key *key)
{
    size_t i = 0;
    for (; i < profile->curve_count; i++) {
        const profile_curve *entry = &profile->curves[i];
        const profile_engine *engine = &profile->engines[entry->engine];
        if (entry->format == key->format && entry->k == key->k &&
            entry->x_format == x_format_of(key) && entry->precision == key->precision &&
            strcmp(engine->name, key->engine) == 0 && same_description(engine, key->description))
            break;
    }
    return i;
}

const profile_curve *profile_find(const yoke_profile *profile, const yoke_curve_key *key,
                                  yoke_status *status, yoke_error *err)
{
    *status =
        profile ? key_check(key, err) : yoke_error_set(err, YOKE_ERR_USAGE, "no profile is given");
    if (*status != YOKE_OK)
        return NULL;
    size_t i = curve_index(profile, key);
    if (i < profile->curve_count)
        return &profile->curves[i];
    *status = yoke_error_set(
        err, YOKE_ERR_NOT_FOUND,
        "%s: the profile has no curve for weights in %s with k = %zu, x in %s, precision %s",
        key->engine, yoke_format_get(key->format)->name, key->k,
        yoke_format_get(x_format_of(key))->name, precision_name(key->precision));
    return NULL;
}

static void drop_curve(yoke_profile *profile, size_t index)
{
    curve_entry_free(&profile->curves[index]);
    memmove(profile->curves + index, profile->curves + index + 1,
            (profile->curve_count - index - 1) * sizeof *profile->curves);
    profile->curve_count--;
}

static void drop_engine(yoke_profile *profile, size_t engine)
{
    for (size_t i = profile->curve_count; i-- > 0;) {
        if (profile->curves[i].engine == engine)
            drop_curve(profile, i);
        else
            profile_drop_contentions(&profile->curves[i], engine);
    }
}

void yoke_profile_drop(yoke_profile *profile, const yoke_curve_key *key)
{
    if (!profile || key_check(key, NULL) != YOKE_OK)
        return;
    size_t i = curve_index(profile, key);
    if (i < profile->curve_count)
        drop_curve(profile, i);
}

yoke_status profile_no_memory(const char *engine, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its curves", engine);
}

static yoke_status add_engine(yoke_profile *profile, const char *name, yoke_error *err)
{
    profile_engine *engines =
        realloc(profile->engines, (profile->engine_count + 1) * sizeof *engines);
    if (!engines)
        return profile_no_memory(name, err);
    profile->engines = engines;
    profile_engine made = {.name = strdup(name), .description = strdup("")};
    if (!made.name || !made.description) {
        free(made.name);
        free(made.description);
        return profile_no_memory(name, err);
    }
    engines[profile->engine_count++] = made;
    return YOKE_OK;
}

yoke_status profile_engine_of(yoke_profile *profile, const char *name, size_t *index,
                              yoke_error *err)
{
    *index = engine_index(profile, name);
    return *index < profile->engine_count ? YOKE_OK : add_engine(profile, name, err);
}

/* Keeps a description; another one than before drops what was measured of and with the engine. */
static yoke_status describe(yoke_profile *profile, size_t index, const char *description,
                            yoke_error *err)
{
    profile_engine *engine = &profile->engines[index];
    if (!text_or_empty(description)[0] || strcmp(engine->description, description) == 0)
        return YOKE_OK;
    char *copy = strdup(description);
    if (!copy)
        return profile_no_memory(engine->name, err);
    if (engine->description[0])
        drop_engine(profile, index);
    free(engine->description);
    engine->description = copy;
    return YOKE_OK;
}

/* Adds to the key's curve, or makes one; a curve is never left without a point. */
static yoke_status add_point(yoke_profile *profile, size_t engine, const yoke_curve_key *key,
                             const yoke_curve_point *point, yoke_error *err)
{
    size_t i = curve_index(profile, key);
    if (i < profile->curve_count)
        return curve_add(&profile->curves[i].curve, point, err);
    profile_curve *curves = realloc(profile->curves, (i + 1) * sizeof *curves);
    if (!curves)
        return profile_no_memory(key->engine, err);
    profile->curves = curves;
    curves[i] = (profile_curve){.engine = engine,
                                .format = key->format,
                                .x_format = x_format_of(key),
                                .k = key->k,
                                .precision = key->precision};
    yoke_status status = curve_add(&curves[i].curve, point, err);
    profile->curve_count += status == YOKE_OK;
    return status;
}

yoke_status yoke_profile_add(yoke_profile *profile, const yoke_curve_key *key,
                             const yoke_curve_point *point, yoke_error *err)
{
    if (!profile || !point)
        return yoke_error_set(err, YOKE_ERR_USAGE, "no %s is given", profile ? "point" : "profile");
    yoke_status status = key_check(key, err);
    if (status != YOKE_OK)
        return status;
    if (!profile_plausible_size(point->m) || !profile_plausible_size(point->n) ||
        point->count > PTRDIFF_MAX)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: m = %zu, n = %zu, %zu samples is no point",
                              key->engine, point->m, point->n, point->count);
    if (!(point->median_ns > 0 && point->median_ns <= PROFILE_LONGEST_NS))
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: m = %zu, n = %zu: %g ns is no time",
                              key->engine, point->m, point->n, point->median_ns);
    if (!(point->mad_ns >= 0 && point->mad_ns <= PROFILE_LONGEST_NS))
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: m = %zu, n = %zu: %g ns is no deviation",
                              key->engine, point->m, point->n, point->mad_ns);
    size_t engine;
    status = profile_engine_of(profile, key->engine, &engine, err);
    if (status == YOKE_OK)
        status = describe(profile, engine, key->description, err);
    return status == YOKE_OK ? add_point(profile, engine, key, point, err) : status;
}
