/* The sections of the page, one file each. A section without rows of its kind writes nothing. */
#ifndef REPORT_SECTION_H
#define REPORT_SECTION_H

#include <stdio.h>

#include "report/report.h"

/* One record on the page. */
typedef struct page {
    FILE *out;
    const yoke_record *record;
    const yoke_chips *chips;
    size_t number; /* of the record, from 1 */
} page;

/* A heading, and what the numbers below it mean, in a sentence or two. */
void section_begin(const page *p, const char *id, const char *title, const char *meaning);
void section_end(const page *p);

/* What to know of a row before relying on it: "cached, drifting"; "" when there is nothing. */
const char *section_remark(const yoke_record_row *row);

void section_summary(const page *p);
void section_machine(const page *p);
void section_engines(const page *p);
void section_read(const page *p);
void section_roofline(const page *p);
void section_compute(const page *p);
void section_calls(const page *p);
void section_contention(const page *p);
void section_split(const page *p);
void section_other(const page *p);
void section_published(const page *p);
void section_trust(const page *p);

/* Several records side by side, as far as they can be compared. */
void section_compare(FILE *out, const report_input *input);

#endif
