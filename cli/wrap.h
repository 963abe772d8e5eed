/* Prose broken between words to fit the width of the program's output. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Prints text, as far as a line break if there is one, from `column`, where the line stands, and
 * ends the line; the lines that follow are indented. */
void wrap_print(FILE *out, const char *text, size_t column, size_t indent);

#endif
