#include "engines/ane/limits.h"

#include <stdatomic.h>

/* The 120th compile of a process failed where it was tried; so did loading, between the 110th and
 * the 128th program. */
enum { COMPILES_MOST = 118, PROGRAMS_MOST = 108 };

/* The limits are the process's, so the counts are too. */
static atomic_uint compiles, programs;

yoke_status ane_limits_compile(yoke_error *err)
{
    if (atomic_fetch_add(&compiles, 1) < COMPILES_MOST)
        return YOKE_OK;
    atomic_fetch_sub(&compiles, 1);
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "engine ane: this process has compiled %d programs, and the framework "
                          "fails soon after: compile in the helper process",
                          COMPILES_MOST);
}

yoke_status ane_limits_load(yoke_error *err)
{
    if (atomic_fetch_add(&programs, 1) < PROGRAMS_MOST)
        return YOKE_OK;
    atomic_fetch_sub(&programs, 1);
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "engine ane: this process has %d programs loaded, and the framework "
                          "fails soon after: free some weights",
                          PROGRAMS_MOST);
}

void ane_limits_unload(void)
{
    atomic_fetch_sub(&programs, 1);
}
