/* safetensors: a length, a JSON header, the data. https://huggingface.co/docs/safetensors */
#ifndef FILES_SAFETENSORS_H
#define FILES_SAFETENSORS_H

#include "files/file.h"

/* What the format's own reader allows a header to be. */
#define SAFETENSORS_HEADER_LIMIT 100000000u

/* Reads the newest part of `file`: adds its tensors. */
yoke_status safetensors_read_part(yoke_file *file, yoke_error *err);

/* The same for a file on its own. */
yoke_status safetensors_read(yoke_file *file, yoke_error *err);

/* Reads a *.safetensors.index.json: adds the parts that it names, which lie in its folder or below.
 * `path` is that of the index. */
yoke_status safetensors_index_read(yoke_file *file, const char *path, const mapping *index,
                                   yoke_error *err);

#endif
