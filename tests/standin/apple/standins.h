/* What tests do with the stand-ins for Apple's frameworks. */
#ifndef STANDIN_APPLE_STANDINS_H
#define STANDIN_APPLE_STANDINS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin/apple/foundation/control.h"

/* GNU's runtime never frees its tables. What our objects hold is watched by standins_live. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libobjc.so";
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
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* of child processes, for the same reason */
}

/* "name,name=value": from here on they behave so; "" for well. */
static inline void standins_switch(const char *switches)
{
    setenv(STANDIN_SWITCHES, switches, 1);
}

/* Whatever the stand-ins count that lives, named; "" for nothing. */
static inline const char *standins_live(void)
{
    static char names[1024];
    void (*name_them)(char *, size_t) = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "standin_name_live_objects");
    memcpy(&name_them, &symbol, sizeof symbol);
    names[0] = '\0';
    if (name_them)
        name_them(names, sizeof names);
    return names;
}

#endif
