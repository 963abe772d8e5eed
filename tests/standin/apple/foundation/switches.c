/* The switches, read anew each time: tests change them between calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"

/* Where the value of a switch begins; NULL when it is not set. */
static const char *find(const char *name)
{
    const char *at = getenv(STANDIN_SWITCHES);
    const size_t length = strlen(name);
    while (at && *at) {
        if (strncmp(at, name, length) == 0 && strchr(",=", at[length]))
            return at + length + (at[length] == '=');
        at = strchr(at, ',');
        at += at != NULL;
    }
    return NULL;
}

static unsigned generation;

unsigned standin_generation(void)
{
    return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

void standin_switched(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_ACQ_REL);
}

bool standin_switch(const char *name)
{
    return find(name) != NULL;
}

unsigned long long standin_number(const char *name, unsigned long long missing)
{
    const char *value = find(name);
    return value ? strtoull(value, NULL, 0) : missing;
}

bool standin_word(const char *name, char *to, size_t room)
{
    const char *value = find(name);
    if (value)
        snprintf(to, room, "%.*s", (int)strcspn(value, ","), value);
    return value != NULL;
}
