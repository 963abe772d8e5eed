/* Stands in for the functions of CoreFoundation that the library and the stand-ins call. Its
 * objects are those of Foundation's stand-in, as on the real system. */
#ifndef STANDIN_COREFOUNDATION_H
#define STANDIN_COREFOUNDATION_H

#include <stdbool.h>
#include <stdint.h>

typedef long CFIndex;
typedef unsigned long CFTypeID;
typedef const void *CFTypeRef, *CFStringRef, *CFNumberRef, *CFDictionaryRef, *CFArrayRef,
    *CFDataRef, *CFBooleanRef;
typedef void *CFMutableDictionaryRef, *CFMutableArrayRef;

enum { kCFStringEncodingUTF8 = 0x08000100 };

/* CFNumberType */
enum {
    kCFNumberSInt8Type = 1,
    kCFNumberSInt16Type = 2,
    kCFNumberSInt32Type = 3,
    kCFNumberSInt64Type = 4,
    kCFNumberFloat32Type = 5,
    kCFNumberFloat64Type = 6,
    kCFNumberCharType = 7,
    kCFNumberShortType = 8,
    kCFNumberIntType = 9,
    kCFNumberLongType = 10,
    kCFNumberLongLongType = 11,
    kCFNumberFloatType = 12,
    kCFNumberDoubleType = 13,
    kCFNumberCFIndexType = 14
};

/* Their content does not matter here: every dictionary and array retains. */
typedef struct callbacks {
    CFIndex version;
    const void *functions[5];
} callbacks;
extern const callbacks kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks,
    kCFTypeArrayCallBacks;

CFTypeRef CFRetain(CFTypeRef object);
void CFRelease(CFTypeRef object);
CFTypeID CFGetTypeID(CFTypeRef object);
CFTypeID CFStringGetTypeID(void);
CFTypeID CFNumberGetTypeID(void);
CFTypeID CFDictionaryGetTypeID(void);
CFTypeID CFArrayGetTypeID(void);

CFStringRef CFStringCreateWithCString(const void *allocator, const char *text, uint32_t encoding);
bool CFStringGetCString(CFStringRef string, char *to, CFIndex room, uint32_t encoding);
const char *CFStringGetCStringPtr(CFStringRef string, uint32_t encoding);

CFNumberRef CFNumberCreate(const void *allocator, CFIndex type, const void *value);
bool CFNumberGetValue(CFNumberRef number, CFIndex type, void *to);

CFMutableDictionaryRef CFDictionaryCreateMutable(const void *allocator, CFIndex capacity,
                                                 const callbacks *on_keys,
                                                 const callbacks *on_values);
void CFDictionarySetValue(CFMutableDictionaryRef dictionary, const void *key, const void *value);
const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key);

CFMutableArrayRef CFArrayCreateMutable(const void *allocator, CFIndex capacity,
                                       const callbacks *on_values);
void CFArrayAppendValue(CFMutableArrayRef array, const void *value);
CFIndex CFArrayGetCount(CFArrayRef array);
const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index);

#endif
