#include "store/plain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool is_control(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* How many bytes at `at` are one control character; 0 when there is none. */
static size_t control_bytes(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    if (is_control(byte[0]) && byte[0] < 0x80)
        return 1;
    return byte[0] == 0xc2 && is_control(byte[1]) && byte[1] >= 0x80 ? 2 : 0;
}

/* The same of an escape, "\n" or "\u001b"; *whole is how long it is. */
static bool is_control_escape(const char *at, size_t *whole)
{
    unsigned code;
    *whole = 2;
    if (at[1] != 'u')
        return strchr("bfnrt", at[1]) != NULL;
    *whole = 6;
    return sscanf(at + 2, "%4x", &code) == 1 && is_control(code);
}

/* With `escapes`, a backslash begins one. */
static void make_plain(char *text, bool escapes)
{
    char *to = text;
    for (const char *from = text; *from;) {
        size_t controls = control_bytes(from), whole = 1;
        bool escape = escapes && *from == '\\' && from[1];
        if (escape ? is_control_escape(from, &whole) : controls > 0) {
            *to++ = '?';
            from += escape ? whole : controls;
            continue;
        }
        for (size_t i = 0; i < whole && *from; i++)
            *to++ = *from++;
    }
    *to = '\0';
}

void plain_text(char *text)
{
    make_plain(text, false);
}

void plain_json(char *json)
{
    make_plain(json, true);
}
