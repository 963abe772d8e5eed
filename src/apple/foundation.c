#include "apple/foundation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

apple_id apple_string(const apple *a, const char *text)
{
    typedef apple_id call(apple_id, apple_sel, const char *);
    apple_sel sel;
    apple_id class = apple_class(a, "NSString");
    call *method = (call *)apple_method(a, class, "stringWithUTF8String:", &sel);
    return method ? method(class, sel, text) : NULL;
}

apple_id apple_number(const apple *a, int64_t value)
{
    typedef apple_id call(apple_id, apple_sel, long long);
    apple_sel sel;
    apple_id class = apple_class(a, "NSNumber");
    call *method = (call *)apple_method(a, class, "numberWithLongLong:", &sel);
    return method ? method(class, sel, value) : NULL;
}

apple_id apple_file_url(const apple *a, const char *path)
{
    return apple_send_id(a, apple_class(a, "NSURL"), "fileURLWithPath:", apple_string(a, path));
}

apple_id apple_data(const apple *a, const void *bytes, size_t count)
{
    typedef apple_id call(apple_id, apple_sel, const void *, unsigned long, apple_bool);
    apple_sel sel;
    apple_id class = apple_class(a, "NSData");
    call *method = (call *)apple_method(a, class, "dataWithBytesNoCopy:length:freeWhenDone:", &sel);
    return method ? method(class, sel, bytes, count, 0) : NULL;
}

apple_id apple_array(const apple *a, const apple_id *objects, size_t count)
{
    typedef apple_id call(apple_id, apple_sel, const apple_id *, unsigned long);
    apple_sel sel;
    apple_id class = apple_class(a, "NSArray");
    call *method = (call *)apple_method(a, class, "arrayWithObjects:count:", &sel);
    return method ? method(class, sel, objects, count) : NULL;
}

apple_id apple_dictionary(const apple *a, const apple_id *keys, const apple_id *values,
                          size_t count)
{
    typedef apple_id call(apple_id, apple_sel, const apple_id *, const apple_id *, unsigned long);
    apple_sel sel;
    apple_id class = apple_class(a, "NSDictionary");
    call *method = (call *)apple_method(a, class, "dictionaryWithObjects:forKeys:count:", &sel);
    return method ? method(class, sel, values, keys, count) : NULL;
}

bool apple_text(const apple *a, apple_id string, char *out, size_t capacity)
{
    const char *text = (const char *)apple_send(a, string, "UTF8String");
    int length = snprintf(out, capacity, "%s", text ? text : "");
    return length >= 0 && (size_t)length < capacity;
}

int64_t apple_integer(const apple *a, apple_id number)
{
    return (int64_t)apple_send_u64(a, number, "longLongValue");
}

size_t apple_array_count(const apple *a, apple_id array)
{
    return apple_responds(a, array, "objectAtIndex:") ? apple_send_u64(a, array, "count") : 0;
}

apple_id apple_array_get(const apple *a, apple_id array, size_t index)
{
    typedef apple_id call(apple_id, apple_sel, unsigned long);
    if (index >= apple_array_count(a, array))
        return NULL;
    apple_sel sel;
    call *method = (call *)apple_method(a, array, "objectAtIndex:", &sel);
    return method ? method(array, sel, index) : NULL;
}

apple_id apple_dictionary_get(const apple *a, apple_id dictionary, const char *key)
{
    return apple_send_id(a, dictionary, "objectForKey:", apple_string(a, key));
}

int64_t apple_error_code(const apple *a, apple_id error)
{
    return (int64_t)apple_send_u64(a, error, "code");
}

yoke_status apple_error_set(const apple *a, yoke_error *err, yoke_status status, const char *engine,
                            const char *call, apple_id error)
{
    if (!error)
        return yoke_error_set(err, status, "engine %s: %s failed: no reason given", engine, call);
    char text[320], domain[64];
    apple_text(a, apple_send(a, error, "localizedDescription"), text, sizeof text);
    apple_text(a, apple_send(a, error, "domain"), domain, sizeof domain);
    return yoke_error_set(err, status, "engine %s: %s failed: %s (%s, code %" PRId64 ")", engine,
                          call, text, domain, apple_error_code(a, error));
}
