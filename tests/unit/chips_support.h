/* Tables of chips out of text, and what an audit says of them. */
#ifndef CHIPS_SUPPORT_H
#define CHIPS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/chips.h"

/* Opens `size` bytes as measurements, or as facts. */
yoke_status chips_open_bytes(const char *bytes, size_t size, bool as_facts, yoke_chips **chips,
                             yoke_error *err);

/* Measurements that must open; text is NUL-terminated. */
yoke_chips *chips_of(const char *text);

/* The finding of a rule on a row whose text has `part`; NULL when there is none. */
const yoke_chip_finding *find(const yoke_chip_audit *audit, const char *rule, size_t row,
                              const char *part);

#endif
