/* MIL text to a program.
 *
 *     program    := "program" "(" number ")" attributes "{" function+ "}"
 *     function   := "func" name "<" name ">" parameters [attributes] body ";"
 *     parameters := "(" [type name {"," type name}] ")"
 *     body       := "{" statement* "}" "->" "(" name {"," name} ")"
 *     statement  := type name {"," type name} "=" name "(" [argument {"," argument}] ")"
 *                   [attributes] block* ";"
 *     block      := parameters body         of while_loop and cond, in our own spelling
 *     argument   := name "=" (operand | "(" operand {"," operand} ")")
 *     operand    := name | typed
 *     attributes := "[" [name "=" typed {"," name "=" typed}] "]"
 *     typed      := type "(" value ")"
 */
#ifndef FILES_COREML_MIL_PARSE_H
#define FILES_COREML_MIL_PARSE_H

#include "files/arena.h"
#include "files/coreml/mil.h"

/* Reads a program; all of it lives in the arena, nothing refers to the text. Linear in the size.
 * Errors: YOKE_ERR_FORMAT (the text names path, line and column), YOKE_ERR_MEMORY. */
yoke_status mil_parse(const char *text, size_t size, const char *path, arena *memory,
                      mil_program *program, yoke_error *err);

#endif
