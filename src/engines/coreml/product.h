/* One product: submit hands it to the engine's thread, finish sees it through. */
#ifndef COREML_PRODUCT_H
#define COREML_PRODUCT_H

#include "engines/coreml/prepare.h"

yoke_status coreml_product_submit(coreml_engine *e, coreml_prepared *w, const yoke_task *task,
                                  yoke_ticket *ticket, yoke_error *err);

yoke_status coreml_product_finish(coreml_engine *e, yoke_ticket *ticket, yoke_wait_how how,
                                  uint64_t predicted_end_ns, uint64_t deadline_ns,
                                  yoke_timing *timing, yoke_error *err);

#endif
