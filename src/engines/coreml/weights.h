/* The weight file of a program. */
#ifndef COREML_WEIGHTS_H
#define COREML_WEIGHTS_H

#include "engines/coreml/layout.h"

/* Creates the file. Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status coreml_weights_write(const coreml_layout *l, const yoke_matrix *w, const char *path,
                                 yoke_error *err);

#endif
