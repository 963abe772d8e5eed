/* One program at a time, at a file that is read first and written at the end. */
#ifndef CLI_TURN_H
#define CLI_TURN_H

#include <limits.h>

#include "yoke/yoke.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

typedef struct turn {
    int file;            /* locked; -1: there is none */
    char path[PATH_MAX]; /*   and its name, that of the file and ".lock" */
} turn;

/* Waits until no other program has its turn at the file, and says so. Where nothing can be locked,
 * everybody has. Followed by turn_end. Errors: YOKE_ERR_INTERRUPTED (a signal). */
yoke_status turn_take(turn *t, const char *verb, const char *path, yoke_error *err);
void turn_end(turn *t);

#endif
