/* Compiling in a process of its own: a compiler that hangs or is killed does not take the caller
 * with it, and the framework's limit of compiles is one of a process. */
#ifndef ANE_HELPER_H
#define ANE_HELPER_H

#include <stdbool.h>
#include <stddef.h>

#include "engines/ane/options.h"

/* The helper's path: YOKE/yoke-ane-compile in the folder of the library; false when it is not
 * there. */
bool ane_helper_find(char *out, size_t capacity);

/* Has it compile the program in the folder, for as long as the options allow.
 * Errors: YOKE_ERR_TIMEOUT, YOKE_ERR_INTERRUPTED, YOKE_ERR_ENGINE (also: the signal that killed
 * it), YOKE_ERR_UNSUPPORTED (also: it cannot be started), YOKE_ERR_IO; else with its own line. */
yoke_status ane_helper_compile(const char *helper, const char *folder, const ane_options *options,
                               yoke_error *err);

#endif
