/* A program's functions as yoke/coreml.h shows them. */
#ifndef FILES_COREML_SUMMARY_H
#define FILES_COREML_SUMMARY_H

#include "files/coreml/bundle.h"

/* Fills bundle->functions. Errors: YOKE_ERR_MEMORY. */
yoke_status summary_make(yoke_file *file, bundle *of, yoke_error *err);

#endif
