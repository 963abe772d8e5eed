#include "choice.h"

#include <stdlib.h>
#include <string.h>

bool choice_add(choice *c, const char *specification)
{
    if (c->count == CHOICE_MOST)
        return false;
    c->specifications[c->count++] = specification;
    return true;
}

/* Whether the list goes on with an option of the engine before it. */
static bool is_option(const char *rest)
{
    return rest[strcspn(rest, ",=")] == '=';
}

bool choice_list(choice *c, const char *list)
{
    choice_free(c);
    c->text = strdup(list);
    char *begin = c->text;
    while (begin) {
        char *end = strchr(begin, ',');
        while (end && is_option(end + 1))
            end = strchr(end + 1, ',');
        if (end)
            *end++ = '\0';
        if (*begin == '\0' || !choice_add(c, begin))
            return false;
        begin = end;
    }
    return c->text != NULL;
}

const char *choice_twice(const choice *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(c->specifications[i], c->specifications[j]) == 0)
                return c->specifications[i];
    return NULL;
}

static bool is_core_set(const yoke_engine_info *info)
{
    return strncmp(info->name, "cpu:", 4) == 0;
}

static void add_where(choice *c, const yoke_context *context,
                      bool (*fits)(const yoke_engine_info *info))
{
    const yoke_engine_info *info;
    for (size_t i = 0; (info = yoke_context_engine_info(context, i)); i++)
        if (info->ready && fits(info) && !choice_add(c, info->name))
            return;
}

static bool makes_sense(const yoke_engine_info *info)
{
    return strcmp(info->name, "ref") != 0 && !is_core_set(info);
}

void choice_add_ready(choice *c, const yoke_context *context)
{
    add_where(c, context, makes_sense);
}

static bool is_apart(const yoke_engine_info *info)
{
    return strcmp(info->name, "cpu") == 0 || !info->facts.on_host_cpu;
}

void choice_add_apart(choice *c, const yoke_context *context)
{
    const size_t before = c->count;
    add_where(c, context, is_apart);
    if (c->count > before + 1)
        return;
    c->count = before;
    add_where(c, context, is_core_set);
    if (c->count <= before + 1) { /* one set is all of cpu */
        c->count = before;
        add_where(c, context, is_apart);
    }
}

void choice_free(choice *c)
{
    free(c->text);
    *c = (choice){0};
}
