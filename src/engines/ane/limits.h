/* What the framework allows a process, whichever engine uses it up. */
#ifndef ANE_LIMITS_H
#define ANE_LIMITS_H

#include "yoke/status.h"

/* Counts a compile in this process. Errors: YOKE_ERR_UNSUPPORTED, once there were too many. */
yoke_status ane_limits_compile(yoke_error *err);

/* Counts a loaded program, and one that is loaded no more. Errors: YOKE_ERR_UNSUPPORTED. */
yoke_status ane_limits_load(yoke_error *err);
void ane_limits_unload(void);

#endif
