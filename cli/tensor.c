#include "tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at text that may be shown as it is; 0 when there is none: control
 * characters (C0, DEL, C1), backslash, and what is not the shortest form of a code point. */
static size_t showable(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {
        {0x80, 0x00, 0x20}, {0xe0, 0xc0, 0xa0}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    size_t form = 0;
    while (form < 4 && (text[0] & forms[form].mask) != forms[form].lead)
        form++;
    if (form == 4 || form + 1 > length)
        return 0;
    uint32_t code = text[0] & (unsigned char)~forms[form].mask;
    for (size_t i = 1; i <= form; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < forms[form].least || code > 0x10ffff || surrogate || code == 0x7f || code == '\\')
        return 0;
    return form + 1;
}

char *tensor_text(const char *name, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    if (length > (SIZE_MAX - 1) / 4)
        return NULL;
    char *text = malloc(length * 4 + 1);
    if (!text)
        return NULL;
    char *to = text;
    for (size_t i = 0; i < length;) {
        const unsigned char *from = (const unsigned char *)name + i;
        size_t bytes = showable(from, length - i);
        if (bytes > 0) {
            memcpy(to, from, bytes);
            to += bytes;
            i += bytes;
        } else {
            *to++ = '\\';
            *to++ = 'x';
            *to++ = digits[*from >> 4];
            *to++ = digits[*from & 15];
            i++;
        }
    }
    *to = '\0';
    return text;
}

char *tensor_name_text(const yoke_tensor *tensor)
{
    return tensor_text(tensor->name, tensor->name_length);
}

char *tensor_shape_text(const yoke_tensor *tensor, char *out, size_t out_bytes)
{
    size_t used = (size_t)snprintf(out, out_bytes, "%s", tensor->rank == 0 ? "scalar" : "");
    for (unsigned d = 0; d < tensor->rank && used < out_bytes; d++) {
        int length = snprintf(out + used, out_bytes - used, "%s%" PRIu64, d > 0 ? "x" : "",
                              tensor->shape[d]);
        used += length > 0 ? (size_t)length : 0;
    }
    return out;
}

uint64_t tensor_elements(const yoke_tensor *tensor)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < tensor->rank; d++)
        count *= tensor->shape[d];
    return count;
}

/* By the name as a listing shows it. */
static const yoke_tensor *find_shown(const yoke_file *file, const char *name)
{
    const yoke_tensor *tensor;
    for (size_t i = 0; (tensor = yoke_file_tensor(file, i)); i++) {
        char *text = tensor_name_text(tensor);
        bool same = text && strcmp(text, name) == 0;
        free(text);
        if (same)
            return tensor;
    }
    return NULL;
}

yoke_status tensor_find(const yoke_file *file, const char *name, const yoke_tensor **tensor,
                        yoke_error *err)
{
    size_t count = yoke_file_tensor_count(file);
    if (!name && count != 1)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: has %zu tensors; choose one with --tensor",
                              yoke_file_part(file, 0), count);
    if (!name) {
        *tensor = yoke_file_tensor(file, 0);
        return YOKE_OK;
    }
    *tensor = yoke_file_find(file, name, strlen(name));
    if (!*tensor)
        *tensor = find_shown(file, name);
    if (!*tensor)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: has no tensor '%s'",
                              yoke_file_part(file, 0), name);
    return YOKE_OK;
}
