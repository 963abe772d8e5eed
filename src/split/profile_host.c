/* Whose rates a profile holds, and where it is kept. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "split/profile.h"
#include "yoke/host.h"

#define GIB ((uint64_t)1 << 30)

#ifdef __APPLE__
#define CACHE_FOLDER "Library/Caches"
#else
#define CACHE_FOLDER ".cache"
#endif

yoke_status profile_host_read(profile_host *host, yoke_error *err)
{
    yoke_host *read = malloc(sizeof *read); /* too large for a small stack */
    if (!read)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory to read this machine into");
    yoke_status status = yoke_host_read(read, err);
    if (status == YOKE_OK) {
        *host = (profile_host){.cores = read->cores,
                               .memory_gib = (size_t)((read->memory_bytes + GIB - 1) / GIB)};
        snprintf(host->cpu, sizeof host->cpu, "%s", read->cpu);
        snprintf(host->machine, sizeof host->machine, "%s", read->machine);
    }
    free(read);
    return status;
}

/* "amd-epyc-9r14-1f3a5b7c": the processor for people, the hash to tell its machines apart where
 * several share a home folder. */
static void host_file_name(const profile_host *host, char *out, size_t out_bytes)
{
    char all[320], name[48];
    snprintf(all, sizeof all, "%s|%s|%zu|%zu", host->cpu, host->machine, host->cores,
             host->memory_gib);
    size_t length = 0;
    for (const char *c = host->cpu; *c && length + 1 < sizeof name; c++) {
        if (isalnum((unsigned char)*c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (length > 0 && name[length - 1] != '-')
            name[length++] = '-';
    }
    name[length] = '\0';
    snprintf(out, out_bytes, "%s%s%08" PRIx32, name,
             length > 0 && name[length - 1] == '-' ? "" : "-",
             (uint32_t)hash_bytes(HASH_BASIS, all, strlen(all)));
}

yoke_status yoke_profile_default_path(char *out, size_t out_bytes, yoke_error *err)
{
    profile_host host;
    yoke_status status = profile_host_read(&host, err);
    if (status != YOKE_OK)
        return status;
    char name[64];
    host_file_name(&host, name, sizeof name);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    /* A relative XDG_CACHE_HOME is to be ignored, says the specification. */
    if (cache && cache[0] == '/')
        length = snprintf(out, out_bytes, "%s/yoke/profile-%s.json", cache, name);
    else if (home && home[0] == '/')
        length = snprintf(out, out_bytes, "%s/" CACHE_FOLDER "/yoke/profile-%s.json", home, name);
    else
        return yoke_error_set(
            err, YOKE_ERR_IO,
            "no place for a profile: neither XDG_CACHE_HOME nor HOME names a folder");
    if (length < 0 || (size_t)length >= out_bytes)
        return yoke_error_set(err, YOKE_ERR_USAGE, "the path of the profile has %d characters",
                              length);
    return YOKE_OK;
}
