#include "files/npy_header.h"

#include <string.h>

typedef struct literal {
    const char *text;
    size_t at, length;
    const char *path;
    size_t start;
} literal;

static yoke_status literal_fail(const literal *l, const char *field, const char *why,
                                yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: header, byte %zu: %s: %s", l->path,
                          l->start + l->at, field, why);
}

/* The next character that is not blank; NUL at the end. */
static char literal_peek(literal *l)
{
    while (l->at < l->length && l->text[l->at] && strchr(" \t\r\n", l->text[l->at]))
        l->at++;
    return l->at < l->length ? l->text[l->at] : '\0';
}

static bool literal_accept(literal *l, char c)
{
    if (c == '\0' || literal_peek(l) != c)
        return false;
    l->at++;
    return true;
}

static bool literal_accept_word(literal *l, const char *word)
{
    size_t length = strlen(word);
    literal_peek(l);
    if (l->length - l->at < length || memcmp(l->text + l->at, word, length) != 0)
        return false;
    l->at += length;
    return true;
}

/* A string in either quotes, without escapes. False when it is none or does not fit. */
static bool literal_string(literal *l, char *out, size_t size)
{
    char quote = literal_peek(l);
    if (quote != '\'' && quote != '"')
        return false;
    const char *begin = l->text + l->at + 1;
    const char *end = memchr(begin, quote, l->length - l->at - 1);
    size_t length = end ? (size_t)(end - begin) : 0;
    if (!end || length >= size || memchr(begin, '\\', length) || memchr(begin, '\0', length))
        return false;
    memcpy(out, begin, length);
    out[length] = '\0';
    l->at += length + 2;
    return true;
}

static yoke_status read_descr(literal *l, npy_header *header, yoke_error *err)
{
    if (literal_peek(l) == '[')
        return yoke_error_set(
            err, YOKE_ERR_UNSUPPORTED,
            "%s: header, byte %zu: descr: a structured array, which yoke does not "
            "read",
            l->path, l->start + l->at);
    if (!literal_string(l, header->descr, sizeof header->descr))
        return literal_fail(l, "descr", "not a short string in quotes", err);
    return YOKE_OK;
}

static yoke_status read_fortran_order(literal *l, npy_header *header, yoke_error *err)
{
    header->fortran = literal_accept_word(l, "True");
    if (!header->fortran && !literal_accept_word(l, "False"))
        return literal_fail(l, "fortran_order", "neither True nor False", err);
    return YOKE_OK;
}

static yoke_status read_dimension(literal *l, uint64_t *value, yoke_error *err)
{
    char digit = literal_peek(l);
    if (digit < '0' || digit > '9')
        return literal_fail(l, "shape", "a dimension is not a whole number >= 0", err);
    *value = 0;
    for (; l->at < l->length && l->text[l->at] >= '0' && l->text[l->at] <= '9'; l->at++)
        if (__builtin_mul_overflow(*value, 10u, value) ||
            __builtin_add_overflow(*value, (uint64_t)(l->text[l->at] - '0'), value))
            return literal_fail(l, "shape", "a dimension does not fit 64 bits", err);
    literal_accept(l, 'L'); /* Python 2 wrote (2L, 3L) */
    return YOKE_OK;
}

/* (), (1,), (1, 2) or (1, 2,); not (1), which is a number. */
static yoke_status read_shape(literal *l, npy_header *header, yoke_error *err)
{
    bool comma = true;
    if (!literal_accept(l, '('))
        return literal_fail(l, "shape", "not a tuple", err);
    while (!literal_accept(l, ')')) {
        if (!comma)
            return literal_fail(l, "shape", "',' or ')' is missing", err);
        if (header->rank == FILE_MAX_RANK)
            return literal_fail(l, "shape", "more than 64 dimensions", err);
        yoke_status status = read_dimension(l, &header->shape[header->rank], err);
        if (status != YOKE_OK)
            return status;
        header->rank++;
        comma = literal_accept(l, ',');
    }
    if (header->rank == 1 && !comma)
        return literal_fail(l, "shape", "a number in parentheses, not a tuple", err);
    return YOKE_OK;
}

typedef yoke_status read_value(literal *l, npy_header *header, yoke_error *err);

static const struct {
    const char *key;
    read_value *read;
} KEYS[] = {{"descr", read_descr}, {"fortran_order", read_fortran_order}, {"shape", read_shape}};
enum { KEY_COUNT = sizeof KEYS / sizeof *KEYS };

/* 'key': value */
static yoke_status read_item(literal *l, npy_header *header, unsigned *seen, yoke_error *err)
{
    char key[24];
    if (!literal_string(l, key, sizeof key))
        return literal_fail(l, "key", "not a short string in quotes", err);
    size_t number = 0;
    while (number < KEY_COUNT && strcmp(key, KEYS[number].key) != 0)
        number++;
    if (number == KEY_COUNT)
        return literal_fail(l, key, "unknown key", err);
    if (*seen & (1u << number))
        return literal_fail(l, key, "the key appears twice", err);
    *seen |= 1u << number;
    if (!literal_accept(l, ':'))
        return literal_fail(l, key, "':' is missing", err);
    return KEYS[number].read(l, header, err);
}

yoke_status npy_header_parse(const char *text, size_t length, const char *path, size_t start,
                             npy_header *header, yoke_error *err)
{
    literal l = {.text = text, .length = length, .path = path, .start = start};
    unsigned seen = 0;
    bool comma = true;
    *header = (npy_header){0};
    if (!literal_accept(&l, '{'))
        return literal_fail(&l, "dictionary", "'{' is missing", err);
    while (!literal_accept(&l, '}')) {
        if (!comma)
            return literal_fail(&l, "dictionary", "',' or '}' is missing", err);
        yoke_status status = read_item(&l, header, &seen, err);
        if (status != YOKE_OK)
            return status;
        comma = literal_accept(&l, ',');
    }
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (!(seen & (1u << i)))
            return literal_fail(&l, KEYS[i].key, "the key is missing", err);
    literal_peek(&l);
    return l.at == l.length ? YOKE_OK : literal_fail(&l, "dictionary", "more follows it", err);
}
