/* A temporary folder that stands for "/" in tests of what the kernel's files say. */
#ifndef HOST_FIXTURE_H
#define HOST_FIXTURE_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    char root[64];
} fixture;

static inline fixture fixture_make(void)
{
    fixture f = {"/tmp/yoke-host-XXXXXX"};
    if (!mkdtemp(f.root))
        abort();
    return f;
}

/* Writes a file below the root, making the folders on the way. */
static inline void fixture_file(const fixture *f, const char *path, const char *text)
{
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", f->root, path);
    for (char *slash = full + strlen(f->root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static inline int fixture_unlink(const char *path, const struct stat *is, int flag, struct FTW *at)
{
    (void)is, (void)flag, (void)at;
    return remove(path);
}

static inline void fixture_remove(const fixture *f)
{
    nftw(f->root, fixture_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
