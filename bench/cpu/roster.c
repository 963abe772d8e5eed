#include "roster.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/host.h"

static yoke_status count_threads(size_t *threads, yoke_error *err)
{
    yoke_host *host = malloc(sizeof *host);
    if (!host)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the host's facts");
    yoke_status status = yoke_host_read(host, err);
    *threads = status == YOKE_OK ? host->usable_threads : 0;
    free(host);
    return status;
}

static void tell_threads(size_t threads)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", threads);
    setenv("OMP_NUM_THREADS", text, 1);
    setenv("OPENBLAS_NUM_THREADS", text, 1);
    setenv("BLIS_NUM_THREADS", text, 1);
}

static void add(roster *r, const peer *who)
{
    if (who && r->count < PEERS_MAX &&
        who->open(r->threads, r->versions[r->count], sizeof r->versions[0]))
        r->peers[r->count++] = who;
}

/* Each in a scope of its own: two versions of a library do not see each other. */
static const peer *load(const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        fprintf(stderr, "peers: %s\n", dlerror());
    return module ? dlsym(module, "peer_of_module") : NULL;
}

yoke_status roster_open(const char *modules, roster *out, yoke_error *err)
{
    *out = (roster){0};
    yoke_status status = count_threads(&out->threads, err);
    if (status != YOKE_OK)
        return status;
    tell_threads(out->threads);
    add(out, &peer_yoke);
    char *paths = strdup(modules), *state;
    if (!paths)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the modules' paths");
    for (char *path = strtok_r(paths, ":", &state); path; path = strtok_r(NULL, ":", &state))
        add(out, load(path));
    free(paths);
    add(out, &peer_openblas);
    add(out, &peer_blis);
    return YOKE_OK;
}
