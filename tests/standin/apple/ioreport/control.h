/* What the stand-in for IOReport counts: tests set it through standin_ioreport_set, found by dlsym.
 */
#ifndef STANDIN_IOREPORT_CONTROL_H
#define STANDIN_IOREPORT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANDIN_STATES 40

typedef struct standin_channel {
    const char *group, *subgroup, *name;
    const char *unit;    /* "" for one without */
    bool unsubscribable; /* it is listed, and no subscription gives a sample of it */
    int64_t step;        /* a simple integer: what it grows by from one sample to the next */
    struct {
        const char *name;
        int64_t step;
    } states[STANDIN_STATES]; /* of a channel of states, as far as they have names */
} standin_channel;

/* The channels there are. Kept by reference. */
void standin_ioreport_set(const standin_channel *channels, size_t count);

#endif
