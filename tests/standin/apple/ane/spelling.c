#include "spelling.h"

#include <ctype.h>
#include <string.h>

typedef struct word {
    const char *text;
    size_t length;
    bool in_tensor; /* behind "tensor<" */
} word;

static bool is(const word *w, const char *text)
{
    return strlen(text) == w->length && memcmp(w->text, text, w->length) == 0;
}

static bool is_element_type(const word *w)
{
    static const char *const names[] = {
        "string", "bool",  "fp16",  "fp32",  "bf16",  "int4",  "int8",   "int16",  "int32", "int64",
        "uint1",  "uint2", "uint3", "uint4", "uint6", "uint8", "uint16", "uint32", "uint64"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is(w, names[i]))
            return true;
    return false;
}

static const char *skip_text(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '@' || c == '.';
}

/* The next word outside of texts; false at the end. */
static bool next(const char **place, const char *end, word *w)
{
    const bool tensor = w->text && is(w, "tensor");
    const char *at = *place;
    while (at < end && !in_word(*at))
        at = *at == '"' ? skip_text(at, end) : at + 1;
    w->in_tensor = tensor && at > *place && at[-1] == '<';
    w->text = at;
    while (at < end && in_word(*at))
        at++;
    w->length = (size_t)(at - w->text);
    *place = at;
    return w->length > 0;
}

bool spelling_fits(const char *text, size_t size, bool bare_scalars)
{
    static const char old[] = "program(1.0)", new[] = "program(1.3)";
    const bool is_old = size > strlen(old) && memcmp(text, old, strlen(old)) == 0;
    if (!is_old && !(size > strlen(new) && memcmp(text, new, strlen(new)) == 0))
        return false;
    const char *at = text + strlen(old);
    word w = {0};
    while (next(&at, text + size, &w)) {
        if ((is_old || !bare_scalars) && is_element_type(&w) && !w.in_tensor)
            return false;
        if (is_old && is(&w, "ios18"))
            return false;
    }
    return true;
}
