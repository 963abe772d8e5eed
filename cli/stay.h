/* Where the program's own thread computes. */
#ifndef CLI_STAY_H
#define CLI_STAY_H

#include "yoke/yoke.h"

/* Keeps the calling thread on the cores of the first engine that computes on its caller and has a
 * core set ("cpu:0,caller=1"): elsewhere it would work on a core that is another engine's. Does
 * nothing where there is none, or threads cannot be kept. After all engines are opened, as those
 * use what the calling thread may use. */
void stay_on_its_cores(yoke_engine *const *engines, size_t count);

#endif
