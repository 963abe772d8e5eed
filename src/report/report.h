/* Records as one HTML page that stands alone: no network, readable without scripts, on a phone and
 * on paper. For the program; the library has none of it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "yoke/chips.h"
#include "yoke/record.h"

typedef struct report_input {
    const yoke_record *const *records;
    const char *const *names; /* what to call each: the name of its file */
    size_t count;             /* at least 1 */
    const yoke_chips *chips;  /* published figures to stand beside */
} report_input;

/* Writes the page. The same input gives the same bytes. What could not be written shows in
 * ferror(out). */
void report_write(FILE *out, const report_input *input);

#endif
