#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_show(const char *what)
{
    if (isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "\r\033[K%s", what);
}

void progress_end(void)
{
    progress_show("");
}
