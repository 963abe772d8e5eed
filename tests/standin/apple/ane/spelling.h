/* The two dialects of MIL text. program(1.0) writes every scalar as a tensor of rank 0:
 * tensor<string, []>("x"). program(1.3) also has string("x"). */
#ifndef STANDIN_ANE_SPELLING_H
#define STANDIN_ANE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* Is the text in the spelling of its own version? Bare scalars may be refused in all of them: some
 * systems are said to. The text need not be a program otherwise. */
bool spelling_fits(const char *text, size_t size, bool bare_scalars);

#endif
