#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A terminal that can clear a line. */
static bool is_shown(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && terminal && strcmp(terminal, "dumb") != 0;
}

void progress_show(const char *what)
{
    if (is_shown())
        fprintf(stderr, "\r\033[K%s", what);
}

void progress_end(void)
{
    progress_show("");
}
