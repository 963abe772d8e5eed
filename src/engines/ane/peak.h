/* What the device's arithmetic reaches, for the engine's entry `limit`. */
#ifndef ANE_PEAK_H
#define ANE_PEAK_H

#include "engines/ane/engine.h"

/* The engine's entry. Errors: those of ane_chain_create and ane_chain_measure;
 * YOKE_ERR_INTERRUPTED; YOKE_ERR_TIMEOUT; YOKE_ERR_UNSUPPORTED: of reading, as it has no plain read
 * of memory. */
yoke_status ane_peak_measure(void *engine, const yoke_limit_request *request, double *per_second,
                             yoke_error *err);

#endif
