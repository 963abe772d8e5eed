/* The Neural Engine of this machine, as far as this process may have it. */
#ifndef ANE_DEVICE_H
#define ANE_DEVICE_H

#include "engines/ane/framework.h"
#include "host/darwin.h"

/* Loads the framework and looks for the device. Errors: those of ane_framework_load and
 * ane_framework_device; YOKE_ERR_UNSUPPORTED: the Mac says that it translates this process. */
yoke_status ane_device_find(const darwin *mac, ane_framework *f, ane_device *out, yoke_error *err);

#endif
