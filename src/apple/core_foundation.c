#include "apple/core_foundation.h"

#include "apple/framework.h"

#define ENCODING_UTF8 UINT32_C(0x08000100)
#define NUMBER_SINT64 4

yoke_status core_foundation_load(core_foundation *cf, yoke_error *err)
{
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"CFRelease", &cf->CFRelease},
        {"CFGetTypeID", &cf->CFGetTypeID},
        {"CFStringGetTypeID", &cf->CFStringGetTypeID},
        {"CFNumberGetTypeID", &cf->CFNumberGetTypeID},
        {"CFDictionaryGetTypeID", &cf->CFDictionaryGetTypeID},
        {"CFArrayGetTypeID", &cf->CFArrayGetTypeID},
        {"CFStringCreateWithCString", &cf->CFStringCreateWithCString},
        {"CFStringGetCString", &cf->CFStringGetCString},
        {"CFNumberGetValue", &cf->CFNumberGetValue},
        {"CFDictionaryGetValue", &cf->CFDictionaryGetValue},
        {"CFArrayGetCount", &cf->CFArrayGetCount},
        {"CFArrayGetValueAtIndex", &cf->CFArrayGetValueAtIndex},
    };
    void *library;
    yoke_status status = apple_framework_open("CoreFoundation", &library, err);
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == YOKE_OK; i++)
        status = apple_framework_function(library, "CoreFoundation", functions[i].name,
                                          functions[i].function, err);
    return status;
}

cf_ref core_foundation_string(const core_foundation *cf, const char *text)
{
    return cf->CFStringCreateWithCString(NULL, text, ENCODING_UTF8);
}

static bool is(const core_foundation *cf, cf_ref object, unsigned long (*type)(void))
{
    return object && cf->CFGetTypeID(object) == type();
}

bool core_foundation_text(const core_foundation *cf, cf_ref string, char *out, size_t room)
{
    out[0] = '\0';
    return is(cf, string, cf->CFStringGetTypeID) &&
           cf->CFStringGetCString(string, out, (long)room, ENCODING_UTF8);
}

bool core_foundation_integer(const core_foundation *cf, cf_ref number, int64_t *value)
{
    return is(cf, number, cf->CFNumberGetTypeID) &&
           cf->CFNumberGetValue(number, NUMBER_SINT64, value);
}

cf_ref core_foundation_get(const core_foundation *cf, cf_ref dictionary, const char *key)
{
    if (!is(cf, dictionary, cf->CFDictionaryGetTypeID))
        return NULL;
    cf_ref name = core_foundation_string(cf, key);
    cf_ref found = name ? cf->CFDictionaryGetValue(dictionary, name) : NULL;
    core_foundation_release(cf, name);
    return found;
}

size_t core_foundation_count(const core_foundation *cf, cf_ref array)
{
    return is(cf, array, cf->CFArrayGetTypeID) ? (size_t)cf->CFArrayGetCount(array) : 0;
}

cf_ref core_foundation_item(const core_foundation *cf, cf_ref array, size_t index)
{
    return index < core_foundation_count(cf, array) ? cf->CFArrayGetValueAtIndex(array, (long)index)
                                                    : NULL;
}

void core_foundation_release(const core_foundation *cf, cf_ref object)
{
    if (object)
        cf->CFRelease(object);
}
