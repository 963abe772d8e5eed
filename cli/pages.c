/* yoke_pages FOLDER: writes the pages of the manual and the completions of the shells into it. */
#include "pages.h"

#include <stdbool.h>
#include <string.h>

void pages_verb_names(FILE *out)
{
    for (size_t i = 0; i < verb_count; i++)
        fprintf(out, "%s%s", i == 0 ? "" : " ", verbs[i]->name);
}

/* Opens FOLDER/NAME; says so when it cannot. */
static FILE *begin(const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = (size_t)length < sizeof path ? fopen(path, "w") : NULL;
    if (!out)
        fprintf(stderr, "yoke_pages: cannot write %s/%s\n", folder, name);
    return out;
}

static bool end(FILE *out)
{
    bool written = !ferror(out);
    return fclose(out) == 0 && written;
}

static bool write_page(const char *folder, const char *name, void (*print)(FILE *))
{
    FILE *out = begin(folder, name);
    if (!out)
        return false;
    print(out);
    return end(out);
}

static bool write_verb(const char *folder, const verb *v)
{
    char name[64];
    snprintf(name, sizeof name, "yoke-%s.1", v->name);
    FILE *out = begin(folder, name);
    if (!out)
        return false;
    pages_man_verb(out, v);
    return end(out);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: yoke_pages FOLDER\n", stderr);
        return 2;
    }
    bool ok = write_page(argv[1], "yoke.1", pages_man_program) &&
              write_page(argv[1], "yoke.bash", pages_bash) &&
              write_page(argv[1], "_yoke", pages_zsh) &&
              write_page(argv[1], "yoke.fish", pages_fish);
    for (size_t i = 0; i < verb_count && ok; i++)
        ok = write_verb(argv[1], verbs[i]);
    return ok ? 0 : 1;
}
