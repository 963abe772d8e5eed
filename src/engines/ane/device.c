#include "engines/ane/device.h"

/* Under Rosetta the framework is there, and finds no device. */
static yoke_status check_process(const darwin *mac, yoke_error *err)
{
    if (!darwin_is_translated(mac))
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "x86_64 process under Rosetta: the Neural Engine is hidden");
}

yoke_status ane_device_find(const darwin *mac, ane_framework *f, ane_device *out, yoke_error *err)
{
    yoke_status status = check_process(mac, err);
    if (status == YOKE_OK)
        status = ane_framework_load(f, err);
    if (status == YOKE_OK)
        status = ane_framework_device(f, out, err);
    return status;
}
