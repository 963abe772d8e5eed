/* Core Foundation's values, as the C libraries of the system hand them out. */
#ifndef APPLE_CORE_FOUNDATION_H
#define APPLE_CORE_FOUNDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

typedef const void *cf_ref; /* an object of any type; NULL is none */

typedef struct core_foundation {
    void (*CFRelease)(cf_ref);
    unsigned long (*CFGetTypeID)(cf_ref);
    unsigned long (*CFStringGetTypeID)(void);
    unsigned long (*CFNumberGetTypeID)(void);
    unsigned long (*CFDictionaryGetTypeID)(void);
    unsigned long (*CFArrayGetTypeID)(void);
    cf_ref (*CFStringCreateWithCString)(cf_ref allocator, const char *, uint32_t encoding);
    unsigned char (*CFStringGetCString)(cf_ref, char *, long room, uint32_t encoding);
    unsigned char (*CFNumberGetValue)(cf_ref, long type, void *);
    cf_ref (*CFDictionaryGetValue)(cf_ref, cf_ref key);
    long (*CFArrayGetCount)(cf_ref);
    cf_ref (*CFArrayGetValueAtIndex)(cf_ref, long);
} core_foundation;

/* Errors: YOKE_ERR_UNSUPPORTED, with the reason. */
yoke_status core_foundation_load(core_foundation *cf, yoke_error *err);

/* A new string, to be released; NULL when there is no memory. */
cf_ref core_foundation_string(const core_foundation *cf, const char *text);

/* Copies a string; false, and "", for anything else and for what does not fit. */
bool core_foundation_text(const core_foundation *cf, cf_ref string, char *out, size_t room);

/* False for anything but a number. */
bool core_foundation_integer(const core_foundation *cf, cf_ref number, int64_t *value);

/* What a dictionary has under that key, still its own; NULL when it has none or is none. */
cf_ref core_foundation_get(const core_foundation *cf, cf_ref dictionary, const char *key);

/* An array's items, still its own; 0 and NULL for anything else and past the end. */
size_t core_foundation_count(const core_foundation *cf, cf_ref array);
cf_ref core_foundation_item(const core_foundation *cf, cf_ref array, size_t index);

/* Takes NULL. */
void core_foundation_release(const core_foundation *cf, cf_ref object);

#endif
