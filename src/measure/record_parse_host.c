/* The host of a record out of its JSON. */
#include <stdio.h>
#include <string.h>

#include "measure/record_place.h"

/* The features that are known here of those in the text. */
static uint32_t parse_features(const char *text)
{
    uint32_t features = 0;
    char name[32];
    for (; *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        for (unsigned bit = 0; bit < 32; bit++) {
            yoke_host_features_text(UINT32_C(1) << bit, name, sizeof name);
            if (strlen(name) == length && strncmp(name, text, length) == 0)
                features |= UINT32_C(1) << bit;
        }
        text += length;
    }
    return features;
}

static yoke_status parse_cpus(const place *at, const json_t *cpus, yoke_core_set *set)
{
    if (json_array_size(cpus) > YOKE_HOST_MAX_CPUS)
        return place_malformed(at, "cpus", "a list of at most 1024");
    for (size_t i = 0; i < json_array_size(cpus); i++) {
        const json_t *cpu = json_array_get(cpus, i);
        if (!json_is_integer(cpu) || json_integer_value(cpu) < 0 ||
            json_integer_value(cpu) > INT32_MAX)
            return place_malformed(at, "cpus", "a list of CPU numbers");
        set->cpus[set->cpu_count++] = (unsigned)json_integer_value(cpu);
    }
    return YOKE_OK;
}

static yoke_status parse_core_set(place *at, const json_t *object, size_t index, yoke_host *host)
{
    yoke_core_set *set = &host->core_sets[host->core_set_count++];
    const json_t *cpus;
    snprintf(at->field, sizeof at->field, "host.core_sets[%zu].", index);
    yoke_status status = place_get_array(at, object, "cpus", &cpus);
    if (status == YOKE_OK)
        status = parse_cpus(at, cpus, set);
    if (status == YOKE_OK)
        status = place_get_fields(at, object, &record_core_set_table, set);
    return status;
}

yoke_status record_parse_host(place *at, const json_t *object, yoke_host *host)
{
    const json_t *sets, *features = json_object_get(object, "features");
    snprintf(at->field, sizeof at->field, "host.");
    host->load_average = -1;
    yoke_status status = place_get_fields(at, object, &record_host_table, host);
    if (status == YOKE_OK && features && !json_is_string(features))
        status = place_malformed(at, "features", "a text");
    if (status == YOKE_OK && features)
        host->features = parse_features(json_string_value(features));
    if (status == YOKE_OK)
        status = place_get_array(at, object, "core_sets", &sets);
    if (status == YOKE_OK && json_array_size(sets) > YOKE_HOST_MAX_CORE_SETS)
        status = place_malformed(at, "core_sets", "a list of at most 16");
    for (size_t i = 0; status == YOKE_OK && i < json_array_size(sets); i++)
        status = parse_core_set(at, json_array_get(sets, i), i, host);
    at->field[0] = '\0';
    return status;
}
