/* How far an engine's results may be from the exact ones. */
#ifndef ENGINES_ERROR_MODEL_H
#define ENGINES_ERROR_MODEL_H

#include "yoke/engine.h"

/* Of its sums by its facts, of x by the precision asked for. */
yoke_error_model error_model_of(const yoke_engine_facts *facts, yoke_precision precision);

#endif
