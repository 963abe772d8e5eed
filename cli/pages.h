/* What is made from the tables of the verbs beside the program: pages of the manual, and what
 * shells complete the command line by. */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include <stdio.h>

#include "verb.h"

#define PAGES_ENGINES "ane coreml cpu metal opencl ref" /* names that --engine begins with */

/* yoke(1), and yoke-VERB(1). */
void pages_man_program(FILE *out);
void pages_man_verb(FILE *out, const verb *v);

void pages_bash(FILE *out);
void pages_zsh(FILE *out);
void pages_fish(FILE *out);

/* The names of all verbs, a blank between them. */
void pages_verb_names(FILE *out);

/* What completes a value: the choices, or the engines; NULL for anything else. */
const char *pages_choices(verb_value value, const char *choices);

#endif
