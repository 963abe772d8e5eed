/* Numbers of MIL text: written exactly, so that reading them again gives the same bits. */
#ifndef FILES_COREML_MIL_NUMBER_H
#define FILES_COREML_MIL_NUMBER_H

#include "files/coreml/mil.h"

enum { MIL_NUMBER_LENGTH = 128 }; /* longer ones are refused */

/* Reads a number or a truth value as one element into `out` (mil_element_bytes of it).
 * NULL, or why it cannot be read. Whatever the locale is. */
const char *mil_number_read(mil_element element, const char *text, size_t length, void *out);

/* Writes an element as text with a NUL: floats in hexadecimal, integers in decimal. */
void mil_number_write(mil_element element, const void *from, char text[MIL_NUMBER_LENGTH]);

#endif
