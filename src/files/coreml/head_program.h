/* The program of a head that is written. */
#ifndef FILES_COREML_HEAD_PROGRAM_H
#define FILES_COREML_HEAD_PROGRAM_H

#include "files/coreml/head_layout.h"

/* The text of its model.mil, which the caller frees; the opset is spelled as given: "ios18".
 * Errors: YOKE_ERR_MEMORY. */
yoke_status head_program_text(const head_layout *layout, char **text, yoke_error *err);

/* Its model.mlmodel, which the caller frees. Errors: YOKE_ERR_MEMORY. */
yoke_status head_program_model(const head_layout *layout, uint8_t **bytes, size_t *size,
                               yoke_error *err);

#endif
