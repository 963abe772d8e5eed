/* What the framework's errors come to. */
#ifndef ANE_ERROR_H
#define ANE_ERROR_H

#include "apple/runtime.h"

/* "engine ane: CALL failed: text (domain, code 8)" for this NSError (nil: no reason given).
 * Returns YOKE_ERR_UNSUPPORTED: this process, or this system, may not use it; YOKE_ERR_TIMEOUT: of
 * the driver; YOKE_ERR_IO: of the program's files; YOKE_ERR_ENGINE: anything else. */
yoke_status ane_error_set(const apple *a, const char *call, apple_id error, yoke_error *err);

#endif
