/* A program for so many rows of x, compiled and loaded, with the memory of its input and outputs.
 */
#ifndef COREML_FORM_H
#define COREML_FORM_H

#include "engines/coreml/api.h"
#include "engines/coreml/package.h"
#include "engines/coreml/plan.h"

typedef struct coreml_form {
    size_t rows;
    apple_id model;
    apple_id provider; /* of `x` */
    apple_id options;  /* `y` as output backings */
    void *x;           /* rows by k */
    void *y;           /* part after part, each rows by part->rows */
    coreml_placement placement;
    char compiled[sizeof((coreml_package *)0)->path + 64]; /* the .mlmodelc; "" for none */
} coreml_form;

/* Writes the program into the package, compiles and loads it; may take minutes. Free it with
 * coreml_form_free after an error, too. Needs an autorelease pool.
 * Errors: YOKE_ERR_ENGINE (the call and Core ML's words), YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status coreml_form_make(const apple *a, coreml_units units, const coreml_layout *l,
                             const coreml_package *package, size_t rows, coreml_form *out,
                             yoke_error *err);
void coreml_form_free(const apple *a, const coreml_layout *l, coreml_form *form); /* not on disk */

/* Computes y from x, or from other memory of its size. Needs an autorelease pool.
 * Errors: YOKE_ERR_ENGINE. */
yoke_status coreml_form_run(const apple *a, const coreml_layout *l, const coreml_form *form,
                            void *x, yoke_error *err);

/* A part's result. */
yoke_matrix coreml_form_result(const coreml_layout *l, const coreml_form *form,
                               const coreml_part *part);

/* The format of x and y. */
yoke_format coreml_form_format(const coreml_layout *l);

#endif
