/* Counts what lives, by name. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "control.h"

enum { MAX_NAMES = 256 };

static struct {
    const char *name;
    size_t live;
} counts[MAX_NAMES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void standin_count(const char *name, int change)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAX_NAMES; i++) {
        if (!counts[i].name)
            counts[i].name = name;
        if (strcmp(counts[i].name, name) == 0) {
            counts[i].live += (size_t)change;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

size_t standin_live_objects(const char *class_name)
{
    size_t live = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAX_NAMES && counts[i].name; i++)
        if (!class_name || strcmp(counts[i].name, class_name) == 0)
            live += counts[i].live;
    pthread_mutex_unlock(&lock);
    return live;
}

void standin_name_live_objects(char *to, size_t room)
{
    size_t used = 0;
    to[0] = '\0';
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MAX_NAMES && counts[i].name; i++)
        if (counts[i].live > 0 && used < room)
            used += (size_t)snprintf(to + used, room - used, "%s%zu %s", used ? ", " : "",
                                     counts[i].live, counts[i].name);
    pthread_mutex_unlock(&lock);
}
