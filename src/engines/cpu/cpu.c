#include "engines/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/cpu/accelerate.h"
#include "engines/cpu/device.h"
#include "yoke/host.h"

/* isa=NAME: the newest instruction set a product may use. */
typedef struct isa {
    const char *name;
    uint32_t features;
} isa;

#define X86_AVX512 (YOKE_CPU_AVX2 | YOKE_CPU_AVX512)
static const isa isas[] = {
    {"portable", 0},
    {"avx2", YOKE_CPU_AVX2},
    {"avx512", X86_AVX512},
    {"avx512_vbmi", X86_AVX512 | YOKE_CPU_AVX512_VBMI},
    {"avx512_bf16", X86_AVX512 | YOKE_CPU_AVX512_BF16},
    {"avx512_vnni", X86_AVX512 | YOKE_CPU_AVX512_VNNI},
    {"amx", X86_AVX512 | YOKE_CPU_AVX512_VBMI | YOKE_CPU_AVX512_BF16 | YOKE_CPU_AVX512_VNNI |
                YOKE_CPU_AMX_BF16 | YOKE_CPU_AMX_INT8},
    {"neon", YOKE_CPU_NEON},
    {"sme", YOKE_CPU_NEON | YOKE_CPU_SME},
};

/* What a specification asks for. */
typedef struct request {
    unsigned cpus[YOKE_HOST_MAX_CPUS];
    size_t cpu_count;
    size_t threads;
    bool caller_joins;
    uint32_t features;
    uint32_t forced; /* of them: what was asked for by name, whatever its rate */
} request;

static void set_facts(yoke_engine_facts *facts, uint32_t features)
{
    *facts = (yoke_engine_facts){
        .accumulate = YOKE_F32,
        .granule_m = 1,
        .granule_n = PANEL_N,
        .on_host_cpu = true,
        .zeroes_subnormals =
            (features & (YOKE_CPU_AVX512_BF16 | YOKE_CPU_AMX_BF16 | FEATURE_ACCELERATE)) != 0,
    };
    for (yoke_format f = YOKE_FORMAT_NONE; f < YOKE_FORMAT_COUNT; f++)
        if (layout_native(f))
            facts->native_formats |= UINT64_C(1) << f;
}

static void describe(yoke_engine_info *info, const yoke_host *host, const char *set,
                     const request *r)
{
    char features[128];
    *info = (yoke_engine_info){.ready = true};
    snprintf(info->name, sizeof info->name, "cpu%s%s", *set ? ":" : "", set);
    yoke_host_features_text(r->features, features, sizeof features);
    snprintf(info->description, sizeof info->description, "%.80s, %zu thread%s, %.80s%s", host->cpu,
             r->threads, r->threads == 1 ? "" : "s", *features ? features : "portable code",
             r->features & FEATURE_ACCELERATE ? ", Accelerate" : "");
    set_facts(&info->facts, r->features);
    info->facts.computes_on_caller = r->caller_joins;
}

/* The digits that text begins with, and what follows them; false when there are none. */
static bool read_number(const char *text, size_t *number, const char **end)
{
    char *after;
    if (*text < '0' || *text > '9')
        return false;
    *number = strtoul(text, &after, 10);
    *end = after;
    return true;
}

/* "" is every core worth using, "2" the core set of that number, "0-3" several together. */
static yoke_status choose_cpus(const char *set, const yoke_host *host, request *r, yoke_error *err)
{
    size_t first = 0, last = host->core_set_count - 1;
    if (*set) {
        const char *end;
        bool numbers = read_number(set, &first, &end);
        last = first;
        if (numbers && *end == '-')
            numbers = read_number(end + 1, &last, &end);
        if (!numbers || *end || first > last)
            return yoke_error_set(err, YOKE_ERR_USAGE,
                                  "cpu:%s: a core set is a number or a range, as cpu:0 or cpu:0-3",
                                  set);
    }
    if (last >= host->core_set_count)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "cpu:%s: this machine has %zu core set%s",
                              set, host->core_set_count, host->core_set_count == 1 ? "" : "s");
    r->cpu_count = 0;
    for (size_t s = first; s <= last; s++)
        for (size_t i = 0; i < host->core_sets[s].cpu_count; i++)
            if (r->cpu_count < YOKE_HOST_MAX_CPUS)
                r->cpus[r->cpu_count++] = host->core_sets[s].cpus[i];
    if (r->cpu_count == 0)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: no core may be used");
    r->threads = r->cpu_count < host->usable_threads ? r->cpu_count : host->usable_threads;
    return YOKE_OK;
}

static yoke_status choose_isa(const char *name, const yoke_host *host, request *r, yoke_error *err)
{
    r->features = host->features;
    if (!name)
        return YOKE_OK;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        if (strcmp(name, isas[i].name) != 0)
            continue;
        char missing[128];
        if (isas[i].features & ~host->features)
            return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                                  "cpu: isa=%s needs %s, which this machine does not have", name,
                                  yoke_host_features_text(isas[i].features & ~host->features,
                                                          missing, sizeof missing));
        r->features = isas[i].features;
        return YOKE_OK;
    }
    return yoke_error_set(
        err, YOKE_ERR_USAGE,
        "cpu: isa=%s: portable, avx2, avx512, avx512_vbmi, avx512_bf16, avx512_vnni, amx, "
        "neon or sme",
        name);
}

/* accelerate=0: never; accelerate=1: wherever it can; without it: where it is the faster, unless an
 * instruction set was asked for. */
static yoke_status choose_accelerate(const yoke_engine_config *config, request *r, yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, "accelerate");
    yoke_error reason = {0};
    if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "cpu: accelerate=%s: 0 or 1", text);
    if (text ? *text == '0' : yoke_engine_option_get(config, "isa") != NULL)
        return YOKE_OK;
    uint32_t feature = accelerate_feature(&reason);
    if (text && !feature)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "cpu: accelerate=1: %s", reason.text);
    r->features |= feature;
    r->forced = text ? feature : 0;
    return YOKE_OK;
}

static yoke_status choose_threads(const char *text, request *r, yoke_error *err)
{
    if (!text)
        return YOKE_OK;
    const char *end;
    size_t threads;
    if (!read_number(text, &threads, &end) || *end || threads < 1 || threads > YOKE_HOST_MAX_CPUS)
        return yoke_error_set(err, YOKE_ERR_USAGE, "cpu: threads=%s: a number from 1 to %d", text,
                              YOKE_HOST_MAX_CPUS);
    r->threads = threads;
    return YOKE_OK;
}

/* caller=1: the thread that waits computes too, wherever it runs; caller=0: it only waits. On its
 * own core set an engine computes on that set's cores alone. */
static yoke_status choose_caller(const yoke_engine_config *config, request *r, yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, "caller");
    r->caller_joins = text ? *text == '1' : !*config->device;
    if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return yoke_error_set(err, YOKE_ERR_USAGE, "cpu: caller=%s: 0 or 1", text);
    return YOKE_OK;
}

static yoke_status read_host(yoke_host **host, yoke_error *err)
{
    *host = malloc(sizeof **host);
    if (!*host)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory");
    yoke_status status = yoke_host_read(*host, err);
    if (status != YOKE_OK)
        free(*host);
    return status;
}

static yoke_status probe_device(const yoke_host *host, const char *set, yoke_engine_info *info,
                                yoke_error *err)
{
    request *r = calloc(1, sizeof *r);
    if (!r)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory");
    r->features = host->features;
    r->caller_joins = !*set;
    yoke_status status = choose_cpus(set, host, r, err);
    if (status == YOKE_OK)
        describe(info, host, set, r);
    free(r);
    return status;
}

static yoke_status probe(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err)
{
    yoke_host *host;
    yoke_status status = read_host(&host, err);
    if (status != YOKE_OK)
        return status;
    /* A single core set is all of "cpu": naming it again would list it twice. */
    size_t sets = host->core_set_count > 1 ? host->core_set_count : 0;
    *count = 1 + sets;
    for (size_t i = 0; i < *count && i < capacity && status == YOKE_OK; i++) {
        char set[24] = "";
        if (i > 0)
            snprintf(set, sizeof set, "%zu", i - 1);
        status = probe_device(host, set, &infos[i], err);
    }
    free(host);
    return status;
}

static yoke_status open_request(const yoke_engine_config *config, const yoke_host *host, request *r,
                                void **engine, yoke_engine_info *info, yoke_error *err)
{
    static const char *const known[] = {"accelerate", "caller", "isa", "threads", NULL};
    yoke_status status = yoke_engine_option_check(config, known, err);
    if (status == YOKE_OK)
        status = choose_cpus(config->device, host, r, err);
    if (status == YOKE_OK)
        status = choose_isa(yoke_engine_option_get(config, "isa"), host, r, err);
    if (status == YOKE_OK)
        status = choose_accelerate(config, r, err);
    if (status == YOKE_OK)
        status = choose_threads(yoke_engine_option_get(config, "threads"), r, err);
    if (status == YOKE_OK)
        status = choose_caller(config, r, err);
    device *d = NULL;
    if (status == YOKE_OK)
        status =
            device_create(r->cpus, r->cpu_count, r->threads, r->caller_joins, r->features, &d, err);
    if (status != YOKE_OK)
        return status;
    d->forced = r->forced;
    *engine = d;
    if (info)
        describe(info, host, config->device, r);
    return YOKE_OK;
}

static yoke_status open_cpu(const yoke_engine_config *config, void **engine, yoke_engine_info *info,
                            yoke_error *err)
{
    yoke_host *host;
    yoke_status status = read_host(&host, err);
    if (status != YOKE_OK)
        return status;
    request *r = calloc(1, sizeof *r);
    status = r ? open_request(config, host, r, engine, info, err)
               : yoke_error_set(err, YOKE_ERR_MEMORY, "cpu: out of memory");
    free(r);
    free(host);
    return status;
}

static void close_cpu(void *engine)
{
    device_free(engine);
}

const yoke_engine_class engine_cpu = {
    .abi = YOKE_ENGINE_ABI,
    .size = sizeof(yoke_engine_class),
    .name = "cpu",
    .summary = "the cores of this machine",
    .probe = probe,
    .open = open_cpu,
    .close = close_cpu,
    .prepare = device_prepare,
    .release = device_release,
    .submit = device_submit,
    .wait = device_wait,
    .limit = device_limit,
};
