/* The tables of data/chips, put into the program when it is built. */
#ifndef CHIPS_BUILTIN_H
#define CHIPS_BUILTIN_H

#include <stddef.h>

typedef struct chips_builtin {
    const char *name;
    const unsigned char *text;
    size_t size;
} chips_builtin;

extern const chips_builtin chips_builtin_measurements, chips_builtin_facts,
    chips_builtin_statements;

#endif
