/* Who defines a name: the operations of a function and of the blocks within it. */
#ifndef FILES_COREML_SCOPE_H
#define FILES_COREML_SCOPE_H

#include "files/coreml/mil.h"
#include "files/names.h"

/* See decompress.h. */
typedef struct stored_tensor stored_tensor;

typedef struct scope_entry {
    const mil_operation *operation; /* that defines it */
    size_t output;                  /* which of its outputs */
    bool used, used_compressed;     /* by operations that compute; by those that decompress */
    const mil_operation *product;   /* the first conv, linear or matmul whose weight it is */
    bool transposed;                /* in it: stored inputs by outputs */
    stored_tensor *stored;          /* what it stands for, once that was asked */
    size_t tensor_plus_1;           /* its number in the file, when it is listed */
} scope_entry;

/* One function's; outputs in the order of their definition. */
typedef struct scope {
    scope_entry *entries;
    size_t count, capacity;
    names names;
} scope;

/* Errors: YOKE_ERR_FORMAT (a name that is defined twice), YOKE_ERR_MEMORY. */
yoke_status scope_create(const mil_function *function, uint64_t seed, const char *path, scope *out,
                         yoke_error *err);
void scope_free(scope *s);

/* NULL for the function's own inputs, and for names that nothing defines. */
scope_entry *scope_find(const scope *s, const char *name);

/* The value of an argument or attribute, also through the const that it names; NULL when there is
 * none or it is computed. */
const mil_value *scope_value(const scope *s, const mil_operation *operation, const char *name);

/* The variable of an argument, or NULL. */
const char *scope_variable(const mil_operation *operation, const char *name);

/* A truth value or an integer of an argument or attribute; the default when there is none. */
bool scope_bool(const scope *s, const mil_operation *operation, const char *name, bool missing);
int64_t scope_integer(const scope *s, const mil_operation *operation, const char *name,
                      int64_t missing);

bool scope_is_constexpr(const mil_operation *operation);

#endif
