/* The summary of a file: how many tensors it has, and how many elements and bytes of each type. */
#ifndef CLI_INSPECT_TYPES_H
#define CLI_INSPECT_TYPES_H

#include <stdbool.h>

#include "yoke/file.h"

/* Which tensors have no bytes of their own: they are joined of others, or further names of one, as
 * functions of a Core ML program have them. By their number; NULL when memory is out. */
bool *inspect_repeats(const yoke_file *file);

void inspect_types_count(const yoke_file *file, const bool *repeats);

/* False when memory is out. */
bool inspect_types_print(const yoke_file *file, const bool *repeats);

#endif
