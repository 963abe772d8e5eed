#include <stdlib.h>
#include <string.h>

#include "../foundation/foundation.h"
#include "corefoundation.h"

const callbacks kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks,
    kCFTypeArrayCallBacks;

CFTypeRef CFRetain(CFTypeRef object)
{
    if (!object)
        abort(); /* as the real one */
    return [(id)object retain];
}

void CFRelease(CFTypeRef object)
{
    if (!object)
        abort();
    [(id)object release];
}

/* The address of the class that the others derive from. */
CFTypeID CFGetTypeID(CFTypeRef object)
{
    const Class kinds[] = {
        [NSString class], [NSNumber class], [NSDictionary class], [NSArray class], [NSData class]};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ([(id)object isKindOfClass:kinds[i]])
            return (CFTypeID)kinds[i];
    return (CFTypeID)[(id)object class];
}

CFTypeID CFStringGetTypeID(void)
{
    return (CFTypeID)[NSString class];
}

CFTypeID CFNumberGetTypeID(void)
{
    return (CFTypeID)[NSNumber class];
}

CFTypeID CFDictionaryGetTypeID(void)
{
    return (CFTypeID)[NSDictionary class];
}

CFTypeID CFArrayGetTypeID(void)
{
    return (CFTypeID)[NSArray class];
}

CFStringRef CFStringCreateWithCString(const void *allocator, const char *text, uint32_t encoding)
{
    (void)allocator, (void)encoding;
    return [[NSString alloc] initWithUTF8String:text];
}

bool CFStringGetCString(CFStringRef string, char *to, CFIndex room, uint32_t encoding)
{
    (void)encoding;
    const char *text = [(NSString *)string UTF8String];
    const size_t bytes = strlen(text) + 1;
    if (room < 0 || bytes > (size_t)room)
        return false;
    memcpy(to, text, bytes);
    return true;
}

const char *CFStringGetCStringPtr(CFStringRef string, uint32_t encoding)
{
    (void)encoding;
    return [(NSString *)string UTF8String];
}

CFNumberRef CFNumberCreate(const void *allocator, CFIndex type, const void *value)
{
    (void)allocator;
    NSNumber *number = nil;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: number = [NSNumber numberWithInt:*(const int8_t *)value]; break;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: number = [NSNumber numberWithInt:*(const int16_t *)value]; break;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: number = [NSNumber numberWithInt:*(const int32_t *)value]; break;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: number = [NSNumber numberWithFloat:*(const float *)value]; break;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: number = [NSNumber numberWithDouble:*(const double *)value]; break;
    default: number = [NSNumber numberWithLongLong:*(const int64_t *)value]; break;
    }
    return [number retain];
}

bool CFNumberGetValue(CFNumberRef number, CFIndex type, void *to)
{
    NSNumber *from = (NSNumber *)number;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: *(int8_t *)to = (int8_t)[from intValue]; break;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: *(int16_t *)to = (int16_t)[from intValue]; break;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: *(int32_t *)to = [from intValue]; break;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: *(float *)to = [from floatValue]; break;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: *(double *)to = [from doubleValue]; break;
    default: *(int64_t *)to = [from longLongValue]; break;
    }
    return true;
}

CFMutableDictionaryRef CFDictionaryCreateMutable(const void *allocator, CFIndex capacity,
                                                 const callbacks *on_keys,
                                                 const callbacks *on_values)
{
    (void)allocator, (void)capacity, (void)on_keys, (void)on_values;
    return [NSMutableDictionary new];
}

void CFDictionarySetValue(CFMutableDictionaryRef dictionary, const void *key, const void *value)
{
    [(NSMutableDictionary *)dictionary setObject:(id)value forKey:(id)key];
}

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key)
{
    return [(NSDictionary *)dictionary objectForKey:(id)key];
}

CFMutableArrayRef CFArrayCreateMutable(const void *allocator, CFIndex capacity,
                                       const callbacks *on_values)
{
    (void)allocator, (void)capacity, (void)on_values;
    return [NSMutableArray new];
}

void CFArrayAppendValue(CFMutableArrayRef array, const void *value)
{
    [(NSMutableArray *)array addObject:(id)value];
}

CFIndex CFArrayGetCount(CFArrayRef array)
{
    return (CFIndex)[(NSArray *)array count];
}

const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index)
{
    return [(NSArray *)array objectAtIndex:(NSUInteger)index];
}
