/* What the stand-in for IOKit tells: tests set it through standin_iokit_set, found by dlsym. */
#ifndef STANDIN_IOKIT_CONTROL_H
#define STANDIN_IOKIT_CONTROL_H

#include <stddef.h>

typedef struct standin_service {
    const char *class_name;   /* as matched by IOServiceMatching */
    const char *architecture; /* NULL: its properties have none */
    int engines, cores;       /* 0: its properties have none */
} standin_service;

/* The services that are registered, and what feeds the machine ("AC Power"; NULL: not known). Kept
 * by reference. */
void standin_iokit_set(const standin_service *services, size_t count, const char *power);

#endif
