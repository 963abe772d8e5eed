/* A Core ML model specification (model.mlmodel, protobuf) to a program. */
#ifndef FILES_COREML_MODEL_H
#define FILES_COREML_MODEL_H

#include "files/arena.h"
#include "files/coreml/mil.h"

/* Reads the ML Program of a model; all of it lives in the arena, nothing refers to the bytes.
 * Errors: YOKE_ERR_FORMAT (the text names path, field and byte), YOKE_ERR_UNSUPPORTED (a model of
 * another kind, which the text names), YOKE_ERR_MEMORY. */
yoke_status model_parse(const uint8_t *bytes, size_t size, const char *path, arena *memory,
                        mil_program *program, yoke_error *err);

#endif
