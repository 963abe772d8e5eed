/* What this machine is. */
#ifndef YOKE_HOST_H
#define YOKE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YOKE_HOST_MAX_CPUS      1024
#define YOKE_HOST_MAX_CORE_SETS 16

/* CPU features: the instruction is announced and the operating system lets us use it. */
typedef enum yoke_cpu_feature {
    YOKE_CPU_AVX2 = 1u << 0,   /* with FMA and F16C */
    YOKE_CPU_AVX512 = 1u << 1, /* F, BW, DQ, VL */
    YOKE_CPU_AVX512_BF16 = 1u << 2,
    YOKE_CPU_AVX512_FP16 = 1u << 3,
    YOKE_CPU_AVX512_VNNI = 1u << 4,
    YOKE_CPU_AMX_BF16 = 1u << 5, /* tile state permitted by the kernel for this process */
    YOKE_CPU_AMX_INT8 = 1u << 6,
    YOKE_CPU_NEON = 1u << 7,
    YOKE_CPU_NEON_FP16 = 1u << 8,
    YOKE_CPU_NEON_BF16 = 1u << 9,
    YOKE_CPU_NEON_DOTPROD = 1u << 10,
    YOKE_CPU_NEON_I8MM = 1u << 11,
    YOKE_CPU_AVX512_VBMI = 1u << 12,
    YOKE_CPU_SME = 1u << 13 /* with vectors of 512 bits */
} yoke_cpu_feature;

/* A set of cores that share a last-level cache and a kind (performance, efficiency); each is an
 * engine of its own, "cpu:0" and up. Where all cores would be one set (and there are no more than
 * YOKE_HOST_MAX_CORE_SETS), each core is a set. */
typedef struct yoke_core_set {
    unsigned cpus[YOKE_HOST_MAX_CPUS]; /* logical CPUs (OS numbers), one for each physical core */
    size_t cpu_count;
    char kind[16]; /* "", or "performance", "efficiency" where the machine has both */
} yoke_core_set;

/* 0, "" and -1 (where said) mean not known. */
typedef struct yoke_host {
    char os[128];        /* "Linux 6.1.0 x86_64", "macOS 15.1 (24B83) arm64" */
    char cpu[128];       /* the exact brand string, or "unknown" */
    char machine[128];   /* model as the firmware names it, or "" */
    char hypervisor[64]; /* "" on bare metal, else a name or "unknown" */
    bool translated;     /* an x86-64 process under Rosetta */
    uint32_t features;   /* yoke_cpu_feature bits */
    size_t packages, numa_nodes, cores, logical_cpus;
    size_t l1d_bytes, l2_bytes, l3_bytes; /* of one cache */
    size_t cache_bytes;                   /* last-level caches of the usable cores, together */
    size_t cache_line_bytes;
    uint64_t memory_bytes;
    size_t usable_threads;   /* how many threads are worth running here */
    char usable_reason[128]; /* "2 physical cores", "affinity mask of 1 CPU", "cgroup quota of 2.0
                                CPUs" */
    yoke_core_set core_sets[YOKE_HOST_MAX_CORE_SETS];
    size_t core_set_count;
    double load_average; /* one minute; -1 not known */
    char governor[32];   /* of CPU 0 */
    int low_power;       /* 1 yes, 0 no, -1 not known */
    int on_battery;      /* likewise */
    char ane[32];        /* the Neural Engine's architecture, "h16g"; "" where none is known of */
    size_t ane_count, ane_cores;
} yoke_host;

/* Looks. *host belongs to the caller (it is large; do not put it on a small stack).
 * Errors: YOKE_ERR_MEMORY, YOKE_ERR_UNSUPPORTED (topology cannot be read). Thread-safe. */
YOKE_API yoke_status yoke_host_read(yoke_host *host, yoke_error *err);

/* The features as text, "avx2 avx512 avx512_bf16", into out (cut to fit). Returns out. */
YOKE_API char *yoke_host_features_text(uint32_t features, char *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
