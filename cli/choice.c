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

void choice_add_ready(choice *c, const yoke_context *context)
{
    const yoke_engine_info *info;
    for (size_t i = 0; (info = yoke_context_engine_info(context, i)); i++) {
        bool aside = strcmp(info->name, "ref") == 0 || strncmp(info->name, "cpu:", 4) == 0;
        if (info->ready && !aside && !choice_add(c, info->name))
            return;
    }
}

void choice_free(choice *c)
{
    free(c->text);
    *c = (choice){0};
}
