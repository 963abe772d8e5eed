/* A program as the protobuf of a package's model.mlmodel. */
#ifndef FILES_COREML_MODEL_WRITE_H
#define FILES_COREML_MODEL_WRITE_H

#include "files/coreml/mil.h"
#include "yoke/status.h"

/* Writes the program, which model_parse reads as it was, and a description of its first function's
 * inputs and outputs. The caller frees *bytes. Errors: YOKE_ERR_MEMORY. */
yoke_status model_write(const mil_program *program, uint64_t specification, uint8_t **bytes,
                        size_t *size, yoke_error *err);

#endif
