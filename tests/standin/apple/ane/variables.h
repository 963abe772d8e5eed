/* The tensors that an operation sees by name, and how it says what is wrong with it. */
#ifndef STANDIN_ANE_VARIABLES_H
#define STANDIN_ANE_VARIABLES_H

#include "image.h"
#include "tensor.h"

typedef struct named_tensor {
    const char *name;
    tensor value;
    mil_text text; /* of a string */
} named_tensor;

typedef struct variables variables;
struct variables {
    const variables *outer; /* the constants, when this one is a run's */
    named_tensor **list;
    size_t count;
    const image *files; /* for immediate values */
    bool shapes_only;   /* check, do not compute */
    char *why;          /* what is wrong */
    size_t room;
};

/* Says what is wrong with an operation; false. */
bool variables_refuse(variables *s, const mil_operation *operation, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes over the tensor's values. False when memory is out. */
bool variables_add(variables *s, const char *name, tensor value, mil_text text);

const named_tensor *variables_find(const variables *s, const char *name);

/* An argument, or attribute, of an operation; NULL and said when there is none. Immediate values
 * become part of the variables. */
const tensor *variables_operand(variables *s, const mil_operation *operation, const char *name);
bool variables_has(const mil_operation *operation, const char *name);

/* The i-th of a tuple argument. */
const tensor *variables_tuple_operand(variables *s, const mil_operation *operation,
                                      const char *name, size_t index);

/* A text, or "" (said). */
const char *variables_text(variables *s, const mil_operation *operation, const char *name);

/* Is it that many integers (or truth values), these? Said when not. */
bool variables_integers_are(variables *s, const mil_operation *operation, const char *name,
                            size_t count, long value);

/* One integer; `missing` (said) when it is not one. */
long variables_integer(variables *s, const mil_operation *operation, const char *name,
                       long missing);

void variables_free(variables *s);

#endif
