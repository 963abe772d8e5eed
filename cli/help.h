/* What the program says of itself. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "verb.h"

#define HELP_EXIT_STATUS "0 done, 1 a measurement failed or was stopped, 2 bad input or usage"

/* The list of verbs. */
void help_program(FILE *out);

/* A verb, on stdout. */
void help_verb(const verb *v);

#endif
