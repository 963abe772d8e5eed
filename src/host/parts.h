/* The parts that yoke_host_read puts together, one file each. `root` stands before every absolute
 * path that is read: "" but in tests. */
#ifndef HOST_PARTS_H
#define HOST_PARTS_H

#include <hwloc.h>

#include "yoke/host.h"

/* topology.c: packages to caches, and the core sets within `usable`. */
void topology_describe(hwloc_topology_t topology, hwloc_const_cpuset_t usable, yoke_host *host);

/* Loads the topology of this machine, describes it within the calling thread's affinity mask, and
 * tells how many logical CPUs that mask has. */
yoke_status topology_read(yoke_host *host, size_t *usable_cpus, yoke_error *err);

/* x86.c. The words of CPUID that name features, and XCR0. */
typedef struct x86_words {
    uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx, leaf7_edx, leaf7_1_eax;
    uint64_t xcr0;        /* register state that the system saves; 0 without OSXSAVE */
    bool tiles_permitted; /* the system let this process use AMX tiles */
} x86_words;

uint32_t x86_features_of(const x86_words *words);
uint32_t x86_features(void);                            /* 0 on other processors */
const char *x86_hypervisor_name(const char *signature); /* NULL when the signature is not known */
void x86_hypervisor(char *out, size_t out_bytes);       /* "" on bare metal and other processors */

/* arm.c */
uint32_t arm_features(void); /* 0 on other processors */

/* limits.c: the tightest CPU quota of this process's control groups, in CPUs; infinite without. */
double limits_quota(const char *root);

/* Fills usable_threads and usable_reason from the core sets, the affinity mask and the quota. */
void limits_apply(yoke_host *host, size_t usable_cpus, double quota);

/* linux.c, darwin.c: what the operating system tells: os, cpu, machine, hypervisor, memory, power.
 */
void system_describe(const char *root, yoke_host *host);

#endif
