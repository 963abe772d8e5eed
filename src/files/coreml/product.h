/* Which tensors of a function are the weights of its matrix products, and which way round. */
#ifndef FILES_COREML_PRODUCT_H
#define FILES_COREML_PRODUCT_H

#include "files/coreml/scope.h"

/* Fills used, used_compressed, product and transposed of each entry. */
void product_mark(const mil_function *function, scope *definitions);

/* The two dimensions that count of the weight of a product, as stored: outputs and inputs, or the
 * other way round when entry->transposed. */
void product_dimensions(const scope_entry *weight, uint64_t dimensions[2]);

#endif
