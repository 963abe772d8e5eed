#include "host/text.h"

#include <string.h>

#define LINE_BYTES 4096
#define PATH_BYTES 4096

FILE *text_open(const char *root, const char *path)
{
    char full[PATH_BYTES];
    int length = snprintf(full, sizeof full, "%s%s", root, path);
    if (length < 0 || (size_t)length >= sizeof full)
        return NULL;
    return fopen(full, "re");
}

bool text_copy_trimmed(char *out, size_t out_bytes, const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    if (length > out_bytes - 1)
        length = out_bytes - 1;
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
    return length > 0;
}

bool text_first_line(const char *root, const char *path, char *out, size_t out_bytes)
{
    out[0] = '\0';
    FILE *file = text_open(root, path);
    if (!file)
        return false;
    char line[LINE_BYTES];
    bool found = fgets(line, sizeof line, file) && text_copy_trimmed(out, out_bytes, line);
    fclose(file);
    return found;
}

/* What follows "key<blanks>:" in line, or NULL. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    line += length;
    line += strspn(line, " \t");
    return *line == ':' ? line + 1 : NULL;
}

bool text_value(const char *root, const char *path, const char *key, char *out, size_t out_bytes)
{
    out[0] = '\0';
    FILE *file = text_open(root, path);
    if (!file)
        return false;
    char line[LINE_BYTES];
    const char *value = NULL;
    while (!value && fgets(line, sizeof line, file))
        value = value_of(line, key);
    bool found = value && text_copy_trimmed(out, out_bytes, value);
    fclose(file);
    return found;
}
