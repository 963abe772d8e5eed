/* Compressed weights that yoke has a format for: palettes, and integers with a scale, whose tables
 * serve whole rows. They are used as they are stored, not decoded.
 *
 * A product with them takes (q - zero) * scale as fp32 has it. Core ML rounds that to fp16 where
 * the operation's result is fp16; the values then differ by up to half a unit of fp16's last place.
 */
#ifndef FILES_COREML_NATIVE_H
#define FILES_COREML_NATIVE_H

#include "files/coreml/dense.h"

typedef struct native {
    yoke_format format; /* YOKE_FORMAT_NONE: it has to be decoded */
    size_t table_rows;  /* rows that an entry of its table serves */
} native;

/* The form of a weight that is stored row by row. */
native native_of(const dense *values, size_t rows, size_t cols);

/* The stored elements; they are the matrix's as they are, unless they are unsigned integers. */
const array *native_elements(const dense *values);
bool native_is_as_stored(const dense *values);

/* Writes the elements, which take `bytes`. */
void native_write_elements(const dense *values, size_t bytes, uint8_t *to);

/* The stored palettes, if they are the matrix's table as they are; else NULL. */
const array *native_stored_table(const dense *values);

/* Writes the table, each entry `repeat` times. False when memory is out. */
bool native_write_table(const dense *values, size_t repeat, uint8_t *to);

#endif
