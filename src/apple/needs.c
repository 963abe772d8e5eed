#include "apple/needs.h"

#include <string.h>

/* Past a type between brackets, nested ones included; NULL when it does not close. */
static const char *skip_brackets(const char *at)
{
    size_t depth = 0;
    for (; *at; at++) {
        if (strchr("{[(", *at))
            depth++;
        else if (strchr("}])", *at) && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Past one type, with its qualifiers and without the offset behind it; NULL when it is none. */
static const char *skip_type(const char *at)
{
    while (*at && strchr("rnNoORVA^", *at))
        at++;
    if (!*at)
        return NULL;
    if (strchr("{[(", *at))
        return skip_brackets(at);
    if (*at++ != '@')
        return at;
    if (*at == '?') /* a block */
        return at + 1;
    if (*at != '"') /* @"NSString" */
        return at;
    at = strchr(at + 1, '"');
    return at ? at + 1 : NULL;
}

/* One letter for the type at `at`. */
static char letter_of(const char *at)
{
    while (*at && strchr("rnNoORVA", *at))
        at++;
    return *at && strchr("cCB", *at) ? 'B' : *at == '*' ? '^' : *at;
}

bool apple_needs_reduce(const char *encoding, char *out, size_t capacity)
{
    size_t used = 0;
    for (size_t i = 0; *encoding; i++) {
        const char *end = skip_type(encoding);
        if (!end || used + 2 > capacity)
            return false;
        if (i != 1 && i != 2) /* self, the selector */
            out[used++] = letter_of(encoding);
        encoding = end + strspn(end, "0123456789+-");
    }
    if (used == 0)
        return false;
    out[used] = '\0';
    return true;
}

static yoke_status check(const apple *a, const apple_need *need, yoke_error *err)
{
    const char *sign = need->of_class ? "+" : "";
    apple_id class = apple_class(a, need->class_name);
    if (!class)
        return need->optional ? YOKE_OK
                              : yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "class %s is missing",
                                               need->class_name);
    if (need->of_class)
        class = apple_class_of(a, class);
    void *method = a->class_getInstanceMethod(class, a->sel_registerName(need->selector));
    if (!method)
        return need->optional ? YOKE_OK
                              : yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "class %s lacks %s%s",
                                               need->class_name, sign, need->selector);
    const char *encoding = a->method_getTypeEncoding(method);
    char found[64];
    if (encoding &&
        (!apple_needs_reduce(encoding, found, sizeof found) || strcmp(found, need->types) != 0))
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                              "class %s: %s%s has the types %s, not those known (%s)",
                              need->class_name, sign, need->selector, encoding, need->types);
    return YOKE_OK;
}

yoke_status apple_needs_check(const apple *a, const apple_need *needs, size_t count,
                              yoke_error *err)
{
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < count && status == YOKE_OK; i++)
        status = check(a, &needs[i], err);
    return status;
}
