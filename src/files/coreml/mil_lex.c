#include "files/coreml/mil_lex.h"

#include <stdint.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c)
{
    return starts_name(c) || is_digit(c) || c == '.' || c == '@';
}

/* A sign belongs to a number as its exponent's: 0x1p-3 and 1e-5, but 0x1e-5 is no number. */
static bool continues_number(const char *start, const char *at)
{
    if (is_digit(*at) || starts_name(*at) || *at == '.')
        return true;
    if ((*at != '+' && *at != '-') || at == start)
        return false;
    bool negative = *start == '-';
    bool hexadecimal = at - start > 2 + negative && (start[negative + 1] | 0x20) == 'x';
    return (at[-1] | 0x20) == (hexadecimal ? 'p' : 'e');
}

/* Bytes of the string that begins at `start`, quotes included; 0 when it does not end. */
static size_t string_length(const char *start, const char *end)
{
    for (const char *at = start + 1; at < end; at++) {
        if (*at == '"')
            return (size_t)(at + 1 - start);
        if (*at == '\\')
            at++;
    }
    return 0;
}

static mil_token_kind measure(const char *start, const char *end, size_t *length)
{
    const char *at = start + 1;
    *length = 1;
    if (*start == '"') {
        *length = string_length(start, end);
        return *length ? MIL_TOKEN_STRING : MIL_TOKEN_BAD;
    }
    if (starts_name(*start)) {
        while (at < end && continues_name(*at))
            at++;
        *length = (size_t)(at - start);
        return MIL_TOKEN_NAME;
    }
    if (*start == '-' && at < end && *at == '>') {
        *length = 2;
        return MIL_TOKEN_ARROW;
    }
    if (is_digit(*start) || *start == '-') {
        while (at < end && continues_number(start, at))
            at++;
        *length = (size_t)(at - start);
        return MIL_TOKEN_NUMBER;
    }
    return *start && strchr("()[]{}<>,=;?", *start) ? MIL_TOKEN_SIGN : MIL_TOKEN_BAD;
}

mil_token mil_next_token(mil_lexer *lexer)
{
    while (lexer->at < lexer->size && is_blank(lexer->text[lexer->at]))
        lexer->at++;
    mil_token token = {.text = lexer->text + lexer->at};
    if (lexer->at == lexer->size)
        return token;
    token.kind = measure(token.text, lexer->text + lexer->size, &token.length);
    lexer->at += token.length;
    return token;
}

void mil_place(const mil_lexer *lexer, size_t at, size_t *line, size_t *column)
{
    *line = 1;
    size_t start = 0;
    for (size_t i = 0; i < at; i++) {
        if (lexer->text[i] == '\n') {
            (*line)++;
            start = i + 1;
        }
    }
    *column = at - start + 1;
}

static int digit_value(char c)
{
    return is_digit(c)                              ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* What the escape at `at` (behind the backslash) stands for, and how long it is; 0 for none. */
static size_t unescape_one(const char *at, size_t left, char *out)
{
    static const char names[] = "\"\\ntr", values[] = "\"\\\n\t\r";
    const char *found = left ? strchr(names, *at) : NULL;
    if (found && *found) {
        *out = values[found - names];
        return 1;
    }
    if (left < 3 || *at != 'x' || digit_value(at[1]) < 0 || digit_value(at[2]) < 0)
        return 0;
    *out = (char)(uint8_t)(digit_value(at[1]) * 16 + digit_value(at[2]));
    return 3;
}

bool mil_unescape(mil_token token, char *out, size_t *length)
{
    const char *at = token.text + 1, *end = token.text + token.length - 1;
    *length = 0;
    while (at < end) {
        char c = *at++;
        if (c == '\\') {
            size_t taken = unescape_one(at, (size_t)(end - at), &c);
            if (taken == 0)
                return false;
            at += taken;
        }
        out[(*length)++] = c;
    }
    return true;
}
