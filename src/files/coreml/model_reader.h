/* What the parts of the protobuf reader share: where they are, and the first error. */
#ifndef FILES_COREML_MODEL_READER_H
#define FILES_COREML_MODEL_READER_H

#include "files/coreml/mil.h"
#include "files/coreml/mil_build.h"
#include "files/coreml/wire.h"

typedef struct model_reader {
    const uint8_t *start;
    mil_build build;
    const char *path;
    unsigned depth; /* of types, values and blocks within each other */
    yoke_status status;
    yoke_error *err;
} model_reader;

/* Takes the next field of `message`, which `what` names. False at its end and after an error. */
bool model_next(model_reader *reader, wire *message, wire_field *field, const char *what);

bool model_ok(const model_reader *reader);
void model_fail(model_reader *reader, const char *field, const uint8_t *at, const char *why);
void model_fail_memory(model_reader *reader);

/* A type, value or block begins, and ends; too many within each other are an error. */
bool model_enter(model_reader *reader, const wire *message, const char *what);
void model_leave(model_reader *reader);

/* The text of a field of bytes. Names are never NULL, and hold no NUL. */
mil_text model_text(model_reader *reader, const wire_field *field, const char *what);
const char *model_name(model_reader *reader, const wire_field *field, const char *what);

void model_push(model_reader *reader, const void *item, size_t size);
void *model_collect(model_reader *reader, size_t mark, size_t item_size, size_t *count);

mil_type model_read_type(model_reader *reader, wire message);
mil_value model_read_value(model_reader *reader, wire message);

#endif
