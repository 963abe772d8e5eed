/* An engine kept busy by a thread of its own while another is measured. */
#ifndef SPLIT_RIVAL_H
#define SPLIT_RIVAL_H

#include "split/load.h"

typedef struct rival rival;

/* Idle at first. *l is the rival's between rival_begin and rival_end, and the caller's else.
 * Errors: YOKE_ERR_MEMORY, YOKE_ERR_ENGINE (no thread). */
yoke_status rival_create(load *l, rival **out, yoke_error *err);
void rival_free(rival *r); /* idle; takes NULL */

/* Has it run its load again and again; returns once the first product is done, so that what comes
 * next finds it at work. */
void rival_begin(rival *r);

/* Returns once its last product is done. Errors: of the first product that failed, after which it
 * ran no more. */
yoke_status rival_end(rival *r, yoke_error *err);

#endif
