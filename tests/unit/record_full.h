/* A record of which every field is known, each with a value of its own. */
#ifndef RECORD_FULL_H
#define RECORD_FULL_H

#include "yoke/record.h"

/* Call it within a cmocka test. Free with yoke_record_free. */
yoke_record *record_full(void);

#endif
