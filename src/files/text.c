#include "files/text.h"

#include <stdint.h>
#include <string.h>

/* By the Unicode standard, table 3-7. */
size_t text_utf8_sequence(const char *text, size_t left)
{
    const uint8_t *at = (const uint8_t *)text;
    uint8_t lead = at[0];
    size_t length = lead < 0x80                    ? 1
                    : lead >= 0xc2 && lead <= 0xdf ? 2
                    : lead >= 0xe0 && lead <= 0xef ? 3
                    : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                   : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (lead == 0xe0 && at[1] < 0xa0) || (lead == 0xf0 && at[1] < 0x90);
    bool surrogate = lead == 0xed && at[1] > 0x9f;
    bool too_large = lead == 0xf4 && at[1] > 0x8f;
    return overlong || surrogate || too_large ? 0 : length;
}

bool text_is_utf8(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t step = text_utf8_sequence(text + at, length - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

bool text_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && memcmp(text + length - end_length, end, end_length) == 0;
}

const char *text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool text_is_inner_path(const char *path)
{
    if (path[0] == '\0' || path[0] == '/' || strchr(path, '\\'))
        return false;
    for (const char *step = path; step; step = strchr(step, '/')) {
        step += *step == '/';
        if (step[0] == '.' && step[1] == '.' && (step[2] == '/' || step[2] == '\0'))
            return false;
    }
    return true;
}

shown_text text_shown(const char *name, size_t length)
{
    static const char cut[] = "...";
    shown_text shown;
    size_t room = sizeof shown.text - sizeof cut;
    size_t kept = length <= room ? length : room;
    for (size_t i = 0; i < kept; i++)
        shown.text[i] = name[i] ? name[i] : '?';
    if (kept < length) {
        while (kept > 0 && ((uint8_t)name[kept] & 0xc0) == 0x80)
            kept--;
        memcpy(shown.text + kept, cut, sizeof cut);
    } else {
        shown.text[kept] = '\0';
    }
    return shown;
}
