/* The elements of a tensor where they are stored: in a blob file, or in the program. */
#ifndef FILES_COREML_ARRAY_H
#define FILES_COREML_ARRAY_H

#include "files/coreml/mil.h"

typedef struct array {
    mil_element element;
    unsigned bits; /* from one element to the next; below 8 packed from the low bit on */
    const uint8_t *data;
    size_t count;
} array;

/* Elements [first, first + count) as f32: floats and integers by value, the latter rounded. */
void array_floats(const array *from, size_t first, size_t count, float *out);

/* Packed bits at [first, first + 1): for masks. */
static inline bool array_bit(const array *from, size_t index)
{
    return from->data[index / 8] >> index % 8 & 1;
}

/* How many of the first `count` bits are set. */
size_t array_bits_set(const array *from, size_t count);

#endif
