/* Core ML bundles as weight files. */
#ifndef FILES_COREML_COREML_H
#define FILES_COREML_COREML_H

#include "files/file.h"

/* Is it MIL text; or a model specification, which has no magic but whose name says so? */
bool coreml_is_program(const mapping *map, const char *path);

/* Reads the program that is the file's one part, and the weights that it refers to.
 * Errors: YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED, YOKE_ERR_IO (a weight file is missing),
 * YOKE_ERR_MEMORY. */
yoke_status coreml_read(yoke_file *file, yoke_error *err);

/* Lists the blobs of a weight file that belongs to no bundle: a vector each, "blob64" for the one
 * whose metadata is at byte 64. The file's one part. Errors: YOKE_ERR_FORMAT, YOKE_ERR_MEMORY. */
yoke_status coreml_read_blobs(yoke_file *file, yoke_error *err);

#endif
