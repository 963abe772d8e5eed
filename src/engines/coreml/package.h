/* A product as a Core ML package, in a folder of its own below the temporary one. */
#ifndef COREML_PACKAGE_H
#define COREML_PACKAGE_H

#include "engines/coreml/layout.h"

#define COREML_PACKAGE_PATH_BYTES 1024

typedef struct coreml_package {
    char folder[COREML_PACKAGE_PATH_BYTES];    /* "" when there is none */
    char path[COREML_PACKAGE_PATH_BYTES + 32]; /* of the .mlpackage in it */
} coreml_package;

/* Makes the folder and all of the package but its model.
 * Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY; nothing is left then. */
yoke_status coreml_package_create(const coreml_layout *l, const yoke_matrix *w,
                                  coreml_package *package, yoke_error *err);

/* Writes its model for so many rows of x, over that of others. */
yoke_status coreml_package_set_rows(const coreml_package *package, const coreml_layout *l,
                                    size_t rows, yoke_error *err);

/* Removes the folder with all that is in it. */
void coreml_package_remove(coreml_package *package);

/* Removes a folder with all that is in it. */
void coreml_folder_remove(const char *folder);

#endif
