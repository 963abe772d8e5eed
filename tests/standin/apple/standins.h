/* What tests do with the stand-ins for Apple's frameworks. */
#ifndef STANDIN_APPLE_STANDINS_H
#define STANDIN_APPLE_STANDINS_H

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "standin/apple/foundation/control.h"

/* GNU's runtime never frees its tables. What our objects hold is watched by standins_live. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libobjc.so";
}

/* Where temporary files go meanwhile, and where the stand-ins keep what they compiled. */
static char standins_home[] = "/tmp/yoke-standins-XXXXXX";
static char standins_temporary[64];

static inline int standins_remove_one(const char *path, const struct stat *about, int kind,
                                      struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static inline void standins_clean(void)
{
    nftw(standins_home, standins_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void standins_make_home(void)
{
    char cache[64];
    if (!mkdtemp(standins_home))
        abort();
    atexit(standins_clean);
    snprintf(cache, sizeof cache, "%s/compiled", standins_home);
    snprintf(standins_temporary, sizeof standins_temporary, "%s/tmp", standins_home);
    mkdir(standins_temporary, 0700);
    setenv("YOKE_STANDIN_CACHE", cache, 1);
    setenv("TMPDIR", standins_temporary, 1);
}

/* First in main: the library finds the stand-ins from here on. Ends the program, with the reason,
 * where there are none. */
static inline void standins_use(void)
{
    if (!*YOKE_APPLE_STANDINS) {
        printf("skipped: %s\n", YOKE_APPLE_STANDINS_MISSING);
        exit(77);
    }
    setenv("YOKE_APPLE_STANDINS", YOKE_APPLE_STANDINS, 0);
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* of child processes, for the reason above */
    standins_make_home();
}

/* The name of something that is left in the folder for temporary files; "" when it is empty. */
static inline const char *standins_left_behind(void)
{
    static char name[256];
    DIR *folder = opendir(standins_temporary);
    name[0] = '\0';
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            snprintf(name, sizeof name, "%s", entry->d_name);
    if (folder)
        closedir(folder);
    return name;
}

/* A function of the stand-ins; false while they are not loaded. */
static inline bool standins_find(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol)
        memcpy(function, &symbol, sizeof symbol); /* ISO C has no cast between the two */
    return symbol != NULL;
}

/* "name,name=value": from here on they behave so; "" for well. */
static inline void standins_switch(const char *switches)
{
    void (*tell)(void);
    setenv(STANDIN_SWITCHES, switches, 1);
    if (standins_find("standin_switched", &tell))
        tell();
}

/* Whatever the stand-ins count that lives, named; "" for nothing. */
static inline const char *standins_live(void)
{
    static char names[1024];
    void (*name_them)(char *, size_t);
    names[0] = '\0';
    if (standins_find("standin_name_live_objects", &name_them))
        name_them(names, sizeof names);
    return names;
}

/* The same, once threads that were given up have had the time to end. */
static inline const char *standins_live_at_last(void)
{
    for (int i = 0; i < 20000 && *standins_live(); i++)
        usleep(1000);
    return standins_live();
}

#endif
