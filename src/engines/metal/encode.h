/* The commands of one product. */
#ifndef METAL_ENCODE_H
#define METAL_ENCODE_H

#include "engines/metal/prepare.h"
#include "engines/metal/slot.h"

/* Places x and the result, and encodes the product into s->commands.
 * Errors: YOKE_ERR_ENGINE, YOKE_ERR_UNSUPPORTED (beyond the device's largest buffer). */
yoke_status metal_encode(metal_engine *e, metal_slot *s, const metal_prepared *w,
                         const yoke_task *task, yoke_error *err);

#endif
