/* A package as a compiled model: the program as MIL text, its weights beside it. */
#ifndef STANDIN_COREML_COMPILE_H
#define STANDIN_COREML_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the .mlpackage and makes the .mlmodelc, which is not there yet. False, with why. */
bool standin_compile(const char *package, const char *compiled, char *why, size_t room);

#endif
