/* The Neural Engine's driver says in the IORegistry what it drives. */
#include <string.h>

#include "apple/core_foundation.h"
#include "apple/framework.h"
#include "host/darwin.h"

typedef uint32_t io_object; /* a Mach port */

typedef struct io_kit {
    core_foundation cf;
    cf_ref (*IOServiceMatching)(const char *);
    int (*IOServiceGetMatchingServices)(io_object main_port, cf_ref matching, io_object *iterator);
    io_object (*IOIteratorNext)(io_object);
    cf_ref (*IORegistryEntryCreateCFProperty)(io_object, cf_ref key, cf_ref allocator,
                                              uint32_t options);
    int (*IOObjectRelease)(io_object);
} io_kit;

static const char *const drivers[] = {"H11ANEIn", "ANEDriver"};

static yoke_status load(io_kit *io)
{
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"IOServiceMatching", &io->IOServiceMatching},
        {"IOServiceGetMatchingServices", &io->IOServiceGetMatchingServices},
        {"IOIteratorNext", &io->IOIteratorNext},
        {"IORegistryEntryCreateCFProperty", &io->IORegistryEntryCreateCFProperty},
        {"IOObjectRelease", &io->IOObjectRelease},
    };
    void *library;
    yoke_status status = core_foundation_load(&io->cf, NULL);
    if (status == YOKE_OK)
        status = apple_framework_open("IOKit", &library, NULL);
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == YOKE_OK; i++)
        status = apple_framework_function(library, "IOKit", functions[i].name,
                                          functions[i].function, NULL);
    return status;
}

static size_t larger(size_t known, const core_foundation *cf, cf_ref properties, const char *key)
{
    int64_t value = 0;
    core_foundation_integer(cf, core_foundation_get(cf, properties, key), &value);
    return value > 0 && (size_t)value > known ? (size_t)value : known;
}

/* Two engines may be told by two entries or by one: the largest number that any gives stands. */
static void read_entry(const io_kit *io, io_object entry, yoke_host *host)
{
    const core_foundation *cf = &io->cf;
    cf_ref key = core_foundation_string(cf, "DeviceProperties");
    cf_ref properties = key ? io->IORegistryEntryCreateCFProperty(entry, key, NULL, 0) : NULL;
    core_foundation_text(
        cf, core_foundation_get(cf, properties, "ANEDevicePropertyTypeANEArchitectureTypeStr"),
        host->ane, sizeof host->ane);
    host->ane_count = larger(host->ane_count, cf, properties, "ANEDevicePropertyNumANEs");
    host->ane_cores = larger(host->ane_cores, cf, properties, "ANEDevicePropertyNumANECores");
    core_foundation_release(cf, properties);
    core_foundation_release(cf, key);
}

static size_t read_driver(const io_kit *io, const char *driver, yoke_host *host)
{
    io_object entries = 0, entry;
    size_t count = 0;
    cf_ref matching = io->IOServiceMatching(driver); /* which the next call takes */
    if (!matching || io->IOServiceGetMatchingServices(0, matching, &entries) != 0)
        return 0;
    for (; (entry = io->IOIteratorNext(entries)); count++) {
        read_entry(io, entry, host);
        io->IOObjectRelease(entry);
    }
    io->IOObjectRelease(entries);
    return count;
}

void darwin_ane(yoke_host *host)
{
    io_kit io;
    host->ane[0] = '\0';
    host->ane_count = host->ane_cores = 0;
    if (load(&io) != YOKE_OK)
        return;
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers && host->ane_count == 0; i++) {
        size_t entries = read_driver(&io, drivers[i], host);
        if (entries > host->ane_count)
            host->ane_count = entries;
    }
}
