/* Values of a program, written in its text or stored in a blob file, to tensors. */
#ifndef STANDIN_ANE_VALUE_H
#define STANDIN_ANE_VALUE_H

#include "image.h"
#include "tensor.h"

/* False, with why, when it is no tensor, or the blob file does not have it as the text says. */
bool value_read(const image *files, const mil_value *value, tensor *out, char *why, size_t room);

/* Elements of `bits` each, one behind the other from the lowest bit on. */
float value_of_bits(mil_element element, const uint8_t *bytes, size_t index);

#endif
