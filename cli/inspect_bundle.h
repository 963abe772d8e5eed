/* The part of yoke inspect that Core ML bundles have and other files do not. */
#ifndef INSPECT_BUNDLE_H
#define INSPECT_BUNDLE_H

#include "yoke/coreml.h"

/* Prints the functions: inputs, outputs and how many operations of each kind. False when memory is
 * out. */
bool inspect_bundle_print(const yoke_file *file, bool wide);

#endif
