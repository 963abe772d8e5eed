/* What the rules of the audit share. Every rule is one function in a file of its subject. */
#ifndef CHIPS_AUDIT_H
#define CHIPS_AUDIT_H

#include "chips/chips.h"

/* A rule: adds what it finds. */
typedef void audit_rule(yoke_chip_audit *audit, const yoke_chips *chips);
audit_rule audit_bounds, audit_size_time, audit_combined, audit_factor, audit_repeat, audit_palette,
    audit_provenance;

/* Adds a finding on a row (NULL: on none), "CHIP, ARTEFACT: " before its text. On a row that is in
 * doubt already it is a note that says so. */
void audit_add(yoke_chip_audit *audit, yoke_chip_severity severity,
               const yoke_chip_measurement *row, const char *rule, const char *format, ...)
    YOKE_PRINTF(5, 6);

/* Text that grows to what fits, and then ends in "...". Zero-initialise. */
typedef struct audit_text {
    char text[700];
    size_t used;
} audit_text;

void audit_write(audit_text *to, const char *format, ...) YOKE_PRINTF(2, 3);

/* Rows of a finding as ranges: "rows 2-5, 9". Give them in rising order, then end. */
typedef struct audit_rows {
    audit_text text;
    size_t first, last, count; /* the range not yet written; 0 before the first */
} audit_rows;

void audit_rows_add(audit_rows *list, size_t row);
const char *audit_rows_end(audit_rows *list);

/* The chip, or "(chip not named)". */
const char *audit_chip(const yoke_chip_measurement *row);

/* Do the two differ by more than `tolerance`, as a ratio, beyond what their rounding explains? */
bool audit_apart(double a, double b, double tolerance, double rounding);

/* What rounding may hide of size over time, and of the stated rate. */
double audit_implied_rounding(const yoke_chip_measurement *row);

#endif
