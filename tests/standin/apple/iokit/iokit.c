/* Stands in for the calls of IOKit that the library makes. An entry is its number among the
 * services, from 1 on; an iterator is one of the numbers from ITERATORS on. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../corefoundation/corefoundation.h"
#include "../foundation/control.h"
#include "control.h"

#define ITERATORS 1000

static const standin_service *services;
static size_t service_count;
static const char *power;
static char wanted[64];
static size_t next;

CFDictionaryRef IOServiceMatching(const char *name);
int IOServiceGetMatchingServices(uint32_t main_port, CFDictionaryRef matching, uint32_t *iterator);
uint32_t IOIteratorNext(uint32_t iterator);
CFTypeRef IORegistryEntryCreateCFProperty(uint32_t entry, CFStringRef key, const void *allocator,
                                          uint32_t options);
int IOObjectRelease(uint32_t object);
CFTypeRef IOPSCopyPowerSourcesInfo(void);
CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef info);

void standin_iokit_set(const standin_service *list, size_t count, const char *power_source)
{
    services = list;
    service_count = count;
    power = power_source;
}

static void put(CFMutableDictionaryRef to, const char *key, CFTypeRef value)
{
    CFStringRef name = CFStringCreateWithCString(NULL, key, kCFStringEncodingUTF8);
    CFDictionarySetValue(to, name, value);
    CFRelease(name);
    CFRelease(value);
}

CFDictionaryRef IOServiceMatching(const char *name)
{
    CFMutableDictionaryRef matching = CFDictionaryCreateMutable(
        NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    put(matching, "IOProviderClass", CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8));
    return matching;
}

int IOServiceGetMatchingServices(uint32_t main_port, CFDictionaryRef matching, uint32_t *iterator)
{
    CFStringRef key = CFStringCreateWithCString(NULL, "IOProviderClass", kCFStringEncodingUTF8);
    CFStringGetCString(CFDictionaryGetValue(matching, key), wanted, sizeof wanted,
                       kCFStringEncodingUTF8);
    CFRelease(key);
    CFRelease(matching);
    next = 0;
    *iterator = ITERATORS;
    standin_count("io_object", 1);
    return main_port == 0 ? 0 : 1;
}

uint32_t IOIteratorNext(uint32_t iterator)
{
    while (iterator == ITERATORS && next < service_count)
        if (strcmp(services[next++].class_name, wanted) == 0) {
            standin_count("io_object", 1);
            return (uint32_t)next;
        }
    return 0;
}

int IOObjectRelease(uint32_t object)
{
    (void)object;
    standin_count("io_object", -1);
    return 0;
}

static void put_number(CFMutableDictionaryRef to, const char *key, int value)
{
    if (value)
        put(to, key, CFNumberCreate(NULL, kCFNumberIntType, &value));
}

CFTypeRef IORegistryEntryCreateCFProperty(uint32_t entry, CFStringRef key, const void *allocator,
                                          uint32_t options)
{
    (void)allocator, (void)options;
    const standin_service *s = &services[entry - 1];
    if (strcmp(CFStringGetCStringPtr(key, kCFStringEncodingUTF8), "DeviceProperties") != 0)
        return NULL;
    CFMutableDictionaryRef properties = CFDictionaryCreateMutable(
        NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    if (s->architecture)
        put(properties, "ANEDevicePropertyTypeANEArchitectureTypeStr",
            CFStringCreateWithCString(NULL, s->architecture, kCFStringEncodingUTF8));
    put_number(properties, "ANEDevicePropertyNumANEs", s->engines);
    put_number(properties, "ANEDevicePropertyNumANECores", s->cores);
    return properties;
}

CFTypeRef IOPSCopyPowerSourcesInfo(void)
{
    return power ? CFStringCreateWithCString(NULL, power, kCFStringEncodingUTF8) : NULL;
}

CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef info)
{
    return info;
}
