/* Size over time is the stated rate. */
#include <math.h>
#include <stdlib.h>

#include "chips/audit.h"
#include "chips/value.h"

#define TOLERANCE 0.01
#define FEW       3   /* rows that are off alike point to one cause */
#define ALIKE     0.2 /* ratios this close to their median are alike */
#define ROWS_SEEN 256 /* enough to tell */
#define RULE      "size/time"

static bool is_complete(const yoke_chip_measurement *row)
{
    return row->megabytes.value > 0 && row->milliseconds.value > 0 && row->gbps.value > 0;
}

static double implied(const yoke_chip_measurement *row)
{
    return row->megabytes.value / row->milliseconds.value;
}

static bool is_off(const yoke_chip_measurement *row)
{
    return is_complete(row) &&
           audit_apart(implied(row), row->gbps.value, TOLERANCE, audit_implied_rounding(row));
}

static void check_row(yoke_chip_audit *audit, const yoke_chip_measurement *row)
{
    if (is_off(row))
        audit_add(audit, YOKE_CHIP_ERROR, row, RULE,
                  "%g MB in %g ms is %.2f GB/s, stated %g: %.2f times", row->megabytes.value,
                  row->milliseconds.value, implied(row), row->gbps.value,
                  implied(row) / row->gbps.value);
}

/* More than rounding and less than an error: one note for all of them. */
static void note_small_differences(yoke_chip_audit *audit, const yoke_chips *chips)
{
    audit_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!is_complete(row) || is_off(row) ||
            !audit_apart(implied(row), row->gbps.value, 0, audit_implied_rounding(row)))
            continue;
        audit_write(&text, "%srow %zu %.2f for %g", count++ > 0 ? ", " : "", row->row, implied(row),
                    row->gbps.value);
    }
    if (count > 0)
        audit_add(audit, YOKE_CHIP_NOTE, NULL, RULE,
                  "off by more than rounding and at most 1 %%: %s", text.text);
}

static int rising(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Many rows of one artefact that are off by the same ratio: a whole column belongs elsewhere. */
static void check_common_cause(yoke_chip_audit *audit, const yoke_chips *chips,
                               const yoke_chip_measurement *first)
{
    double ratios[ROWS_SEEN];
    audit_rows rows = {0};
    size_t count = 0;
    for (size_t i = 0; i < chips->measurement_count && count < ROWS_SEEN; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!is_off(row) || !chips_comparable(row, first))
            continue;
        if (row < first && !*row->doubt)
            return; /* said there */
        ratios[count++] = implied(row) / row->gbps.value;
        audit_rows_add(&rows, row->row);
    }
    if (count < FEW)
        return;
    qsort(ratios, count, sizeof *ratios, rising);
    double middle = ratios[count / 2];
    if (ratios[0] < middle * (1 - ALIKE) || ratios[count - 1] > middle * (1 + ALIKE))
        return;
    audit_add(audit, YOKE_CHIP_WARNING, NULL, RULE,
              "%s: %zu rows are off alike, by %.2f to %.2f times: their sizes or times belong to "
              "another artefact (rows %s)",
              first->artefact, count, ratios[0], ratios[count - 1], audit_rows_end(&rows));
}

void audit_size_time(yoke_chip_audit *audit, const yoke_chips *chips)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        check_row(audit, row);
        if (is_off(row) && !*row->doubt)
            check_common_cause(audit, chips, row);
    }
    note_small_differences(audit, chips);
}
