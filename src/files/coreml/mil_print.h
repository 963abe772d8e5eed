/* A program as MIL text. */
#ifndef FILES_COREML_MIL_PRINT_H
#define FILES_COREML_MIL_PRINT_H

#include "files/coreml/mil.h"

/* Writes the program so that reading it gives an equal one; scalars are spelled as the program's
 * version does (1.0: tensor<fp16, []>, later: fp16). Names from a protobuf that are no names in
 * text are written as they are. The caller frees *text with free. Errors: YOKE_ERR_MEMORY. */
yoke_status mil_print(const mil_program *program, char **text, yoke_error *err);

/* A type as a program of that version spells it. The caller frees it; NULL when memory is out. */
char *mil_print_type(const mil_type *type, const char *version);

#endif
