/* A weight kept as it is stored: the prepared form of engines that need no layout of their own. */
#ifndef ENGINES_COPY_H
#define ENGINES_COPY_H

#include "yoke/engine.h"

/* Copies w without gaps between its rows, and fills the report. Free with copy_free.
 * Errors: YOKE_ERR_MEMORY, YOKE_ERR_SHAPE. */
yoke_status copy_create(const yoke_matrix *w, yoke_matrix **copy, yoke_prepare_report *report,
                        yoke_error *err);
void copy_free(yoke_matrix *copy);

/* Bits of the formats that the reference product multiplies as they are. */
uint64_t copy_readable_formats(void);

#endif
