/* Several weights in as few programs as hold them. */
#ifndef ANE_WEIGHTS_H
#define ANE_WEIGHTS_H

#include "engines/ane/weight.h"

/* out[i] and reports[i] are those of w[i]. All or none; *at: of an error that one of them is the
 * reason of, else as it was. YOKE_ERR_ENGINE: such programs are refused, or do not run. Other
 * errors: those of ane_weight_prepare. */
yoke_status ane_weights_prepare(const ane_maker *maker, const yoke_matrix *w, size_t count,
                                void **out, yoke_prepare_report *reports, size_t *at,
                                yoke_error *err);

#endif
