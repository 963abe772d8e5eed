/* The fake engine: right results and simulated time, by a script; for tests of everything that must
 * cope with engines that are slow, wrong or gone. */
#ifndef FAKE_FAKE_H
#define FAKE_FAKE_H

#include "yoke/engine.h"

#ifndef YOKE_ENGINE_PLUGIN
extern const yoke_engine_class engine_fake;
#endif

#endif
