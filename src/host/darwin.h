/* What macOS tells of the machine. Built on every system: it is asked through a table, in whose
 * place a test puts what other Macs have said. */
#ifndef HOST_DARWIN_H
#define HOST_DARWIN_H

#include "yoke/host.h"

typedef struct darwin {
    /* Copies the value of the sysctl of that name, of at most *bytes, and says its size there;
     * false when there is none. */
    bool (*sysctl)(const void *arg, const char *name, void *value, size_t *bytes);
    const void *arg;
} darwin;

/* darwin.c: what this system says; nothing where it is no macOS, but for a stand-in. */
extern const darwin darwin_here;

/* darwin_sysctl.c: a text; "" where false is returned. An integer of 4 or 8 bytes; 0 when there is
 * none. */
bool darwin_text(const darwin *mac, const char *name, char *out, size_t out_bytes);
uint64_t darwin_integer(const darwin *mac, const char *name);

/* Does it run this process under Rosetta? */
bool darwin_is_translated(const darwin *mac);

/* darwin_facts.c: os, cpu, machine, hypervisor, translated, memory. The processor is the one that
 * this process was built for. */
void darwin_describe(const darwin *mac, const char *processor, yoke_host *host);

/* darwin_cores.c: the core sets and their caches by performance levels; leaves what is there on a
 * Mac without them. */
void darwin_core_sets(const darwin *mac, yoke_host *host);

/* darwin_ane.c: the Neural Engine, from the IORegistry. */
void darwin_ane(yoke_host *host);

/* darwin_power.c: low-power mode, and whether a battery feeds it. */
void darwin_power(yoke_host *host);

#endif
