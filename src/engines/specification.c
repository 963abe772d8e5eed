#include "engines/specification.h"

#include <stdlib.h>
#include <string.h>

bool specification_name_is_valid(const char *name)
{
    return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static size_t count_of(const char *text, char wanted)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == wanted;
    return count;
}

/* Ends the text at the first `mark`; what follows it, or NULL without one. */
static char *cut_at(char *text, char mark)
{
    char *found = strchr(text, mark);
    if (!found)
        return NULL;
    *found = '\0';
    return found + 1;
}

static yoke_status add_option(specification *parsed, char *option, const char *whole,
                              yoke_error *err)
{
    char *value = cut_at(option, '=');
    if (!*option)
        return yoke_error_set(err, YOKE_ERR_USAGE, "engine \"%s\": an option without a name",
                              whole);
    if (yoke_engine_option_get(&parsed->config, option))
        return yoke_error_set(err, YOKE_ERR_USAGE, "engine \"%s\": option \"%s\" is given twice",
                              whole, option);
    parsed->options[parsed->config.option_count++] =
        (yoke_engine_option){.key = option, .value = value ? value : ""};
    return YOKE_OK;
}

static yoke_status split(specification *parsed, const char *whole, yoke_error *err)
{
    char *options = cut_at(parsed->text, ',');
    char *device = cut_at(parsed->text, ':');
    parsed->name = parsed->text;
    parsed->config.device = device ? device : "";
    if (!specification_name_is_valid(parsed->name))
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "engine \"%s\": it does not begin with a name (lower case letters, "
                              "digits and '_'), as in NAME[:DEVICE][,key=value]...",
                              whole);
    if (device && !*device)
        return yoke_error_set(err, YOKE_ERR_USAGE, "engine \"%s\": no device after ':'", whole);

    while (options) {
        char *next = cut_at(options, ',');
        yoke_status status = add_option(parsed, options, whole, err);
        if (status != YOKE_OK)
            return status;
        options = next;
    }
    return YOKE_OK;
}

yoke_status specification_parse(const char *text, specification *out, yoke_error *err)
{
    *out = (specification){.text = strdup(text)};
    out->options = calloc(count_of(text, ',') + 1, sizeof *out->options);
    out->config.options = out->options;
    yoke_status status =
        out->text && out->options
            ? split(out, text, err)
            : yoke_error_set(err, YOKE_ERR_MEMORY, "engine \"%s\": out of memory", text);
    if (status != YOKE_OK)
        specification_free(out);
    return status;
}

void specification_free(specification *parsed)
{
    free(parsed->text);
    free(parsed->options);
    *parsed = (specification){0};
}
