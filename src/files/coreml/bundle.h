/* An open bundle: its program, and the weight files that the program refers to. */
#ifndef FILES_COREML_BUNDLE_H
#define FILES_COREML_BUNDLE_H

#include "files/coreml/mil.h"
#include "files/file.h"
#include "yoke/coreml.h"

/* Is the folder a .mlmodelc (it holds model.mil) or a .mlpackage (it holds Manifest.json)? */
bool bundle_is_folder(const char *path);

/* The path of such a folder's program, model.mil or model.mlmodel, which the caller frees.
 * Errors: YOKE_ERR_FORMAT (Manifest.json), YOKE_ERR_IO, YOKE_ERR_UNSUPPORTED (no ML Program),
 * YOKE_ERR_MEMORY. */
yoke_status bundle_find(const char *folder, char **program, yoke_error *err);

/* The same for the bundle that a file in its weights/ is part of; NULL when there is none.
 * Errors: YOKE_ERR_MEMORY. */
yoke_status bundle_of_weights(const char *path, char **program, yoke_error *err);

typedef struct bundle {
    mil_program program;
    const char *path;                /* of the program, which is part 0 */
    size_t root_length;              /* of the path: the folder that "@model_path/" stands for */
    yoke_coreml_function *functions; /* one for each of the program */
} bundle;

/* The part that a BLOBFILE path names; opened when it is the first to name it.
 * Errors: YOKE_ERR_IO (missing), YOKE_ERR_FORMAT (the path leaves the bundle, or the file is no
 * weight file), YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY. */
yoke_status bundle_part(yoke_file *file, const bundle *from, mil_text path, size_t *part,
                        yoke_error *err);

#endif
