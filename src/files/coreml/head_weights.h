/* The weight file of a head that is written. */
#ifndef FILES_COREML_HEAD_WEIGHTS_H
#define FILES_COREML_HEAD_WEIGHTS_H

#include "files/coreml/head_layout.h"

/* Creates the file. Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY, YOKE_ERR_INTERRUPTED. */
yoke_status head_weights_write(const head_layout *layout, const yoke_coreml_head *head,
                               const char *path, yoke_error *err);

#endif
