/* Stands in for the calls of IOReport that the library makes. A channel is a dictionary with its
 * number among those of the test; a sample's channel also has the number of samples taken so far,
 * and a delta's the difference. */
#include <stdlib.h>
#include <string.h>

#include "../corefoundation/corefoundation.h"
#include "../foundation/control.h"
#include "control.h"

static const standin_channel *channels;
static size_t channel_count;

CFMutableDictionaryRef IOReportCopyChannelsInGroup(CFStringRef group, CFStringRef subgroup,
                                                   uint64_t a, uint64_t b, uint64_t c);
void *IOReportCreateSubscription(void *a, CFMutableDictionaryRef wanted,
                                 CFMutableDictionaryRef *subscribed, uint64_t b, CFTypeRef c);
CFDictionaryRef IOReportCreateSamples(void *subscription, CFMutableDictionaryRef subscribed,
                                      CFTypeRef a);
CFDictionaryRef IOReportCreateSamplesDelta(CFDictionaryRef from, CFDictionaryRef to, CFTypeRef a);
CFStringRef IOReportChannelGetChannelName(CFDictionaryRef channel);
CFStringRef IOReportChannelGetUnitLabel(CFDictionaryRef channel);
int32_t IOReportChannelGetFormat(CFDictionaryRef channel);
int64_t IOReportSimpleGetIntegerValue(CFDictionaryRef channel, int32_t a);
int32_t IOReportStateGetCount(CFDictionaryRef channel);
CFStringRef IOReportStateGetNameForIndex(CFDictionaryRef channel, int32_t index);
int64_t IOReportStateGetResidency(CFDictionaryRef channel, int32_t index);

void standin_ioreport_set(const standin_channel *list, size_t count)
{
    channels = list;
    channel_count = count;
}

static CFStringRef text(const char *value)
{
    return CFStringCreateWithCString(NULL, value, kCFStringEncodingUTF8);
}

/* A string that nobody releases, as the real ones belong to their channel. */
static CFStringRef lasting(const char *value)
{
    return standin_immortal((void *)text(value));
}

static void put(CFMutableDictionaryRef to, const char *key, CFTypeRef value)
{
    CFStringRef name = text(key);
    CFDictionarySetValue(to, name, value);
    CFRelease(name);
    CFRelease(value);
}

static int64_t get(CFDictionaryRef from, const char *key)
{
    int64_t value = 0;
    CFStringRef name = text(key);
    CFNumberRef number = CFDictionaryGetValue(from, name);
    CFRelease(name);
    if (number)
        CFNumberGetValue(number, kCFNumberSInt64Type, &value);
    return value;
}

static CFTypeRef number(int64_t value)
{
    return CFNumberCreate(NULL, kCFNumberSInt64Type, &value);
}

static CFMutableDictionaryRef new_dictionary(void)
{
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks,
                                     &kCFTypeDictionaryValueCallBacks);
}

static CFMutableDictionaryRef list_of(CFArrayRef array)
{
    CFMutableDictionaryRef list = new_dictionary();
    put(list, "IOReportChannels", array);
    return list;
}

static CFArrayRef array_of(CFDictionaryRef list)
{
    CFStringRef name = text("IOReportChannels");
    CFArrayRef array = CFDictionaryGetValue(list, name);
    CFRelease(name);
    return array;
}

static bool is(CFStringRef string, const char *value)
{
    return !string || strcmp(CFStringGetCStringPtr(string, kCFStringEncodingUTF8), value) == 0;
}

CFMutableDictionaryRef IOReportCopyChannelsInGroup(CFStringRef group, CFStringRef subgroup,
                                                   uint64_t a, uint64_t b, uint64_t c)
{
    (void)a, (void)b, (void)c;
    CFMutableArrayRef found = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
    for (size_t i = 0; i < channel_count; i++) {
        if (!is(group, channels[i].group) || !is(subgroup, channels[i].subgroup))
            continue;
        CFMutableDictionaryRef channel = new_dictionary();
        put(channel, "number", number((int64_t)i));
        CFArrayAppendValue(found, channel);
        CFRelease(channel);
    }
    if (CFArrayGetCount(found) > 0)
        return list_of(found);
    CFRelease(found);
    return NULL;
}

static const standin_channel *channel_of(CFDictionaryRef channel)
{
    return &channels[get(channel, "number")];
}

/* As the real one: a single channel that cannot be had empties the whole subscription. */
void *IOReportCreateSubscription(void *a, CFMutableDictionaryRef wanted,
                                 CFMutableDictionaryRef *subscribed, uint64_t b, CFTypeRef c)
{
    (void)a, (void)b, (void)c;
    CFArrayRef array = array_of(wanted);
    for (CFIndex i = 0; i < CFArrayGetCount(array); i++)
        if (channel_of(CFArrayGetValueAtIndex(array, i))->unsubscribable)
            return NULL;
    *subscribed = (CFMutableDictionaryRef)CFRetain(wanted);
    return new_dictionary();
}

static CFDictionaryRef with_count(CFArrayRef from, int64_t count)
{
    CFMutableArrayRef to = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
    for (CFIndex i = 0; i < CFArrayGetCount(from); i++) {
        CFMutableDictionaryRef channel = new_dictionary();
        put(channel, "number", number(get(CFArrayGetValueAtIndex(from, i), "number")));
        put(channel, "count", number(count));
        CFArrayAppendValue(to, channel);
        CFRelease(channel);
    }
    return list_of(to);
}

CFDictionaryRef IOReportCreateSamples(void *subscription, CFMutableDictionaryRef subscribed,
                                      CFTypeRef a)
{
    (void)a;
    int64_t count = get(subscription, "count") + 1;
    put(subscription, "count", number(count));
    return with_count(array_of(subscribed), count);
}

CFDictionaryRef IOReportCreateSamplesDelta(CFDictionaryRef from, CFDictionaryRef to, CFTypeRef a)
{
    (void)a;
    CFArrayRef before = array_of(from), after = array_of(to);
    if (CFArrayGetCount(before) == 0)
        return NULL;
    return with_count(after, get(CFArrayGetValueAtIndex(after, 0), "count") -
                                 get(CFArrayGetValueAtIndex(before, 0), "count"));
}

CFStringRef IOReportChannelGetChannelName(CFDictionaryRef channel)
{
    return lasting(channel_of(channel)->name);
}

CFStringRef IOReportChannelGetUnitLabel(CFDictionaryRef channel)
{
    const char *unit = channel_of(channel)->unit;
    return unit && *unit ? lasting(unit) : NULL;
}

int32_t IOReportChannelGetFormat(CFDictionaryRef channel)
{
    return channel_of(channel)->states[0].name ? 2 : 1;
}

int64_t IOReportSimpleGetIntegerValue(CFDictionaryRef channel, int32_t a)
{
    (void)a;
    return channel_of(channel)->step * get(channel, "count");
}

int32_t IOReportStateGetCount(CFDictionaryRef channel)
{
    int32_t count = 0;
    while (count < STANDIN_STATES && channel_of(channel)->states[count].name)
        count++;
    return count;
}

CFStringRef IOReportStateGetNameForIndex(CFDictionaryRef channel, int32_t index)
{
    return lasting(channel_of(channel)->states[index].name);
}

int64_t IOReportStateGetResidency(CFDictionaryRef channel, int32_t index)
{
    return channel_of(channel)->states[index].step * get(channel, "count");
}
