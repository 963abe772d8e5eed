/* The same number under two chips, and two numbers for one. */
#include <math.h>

#include "chips/audit.h"
#include "chips/value.h"

#define SHARP        0.002 /* rounding that hides more proves nothing when numbers agree */
#define REPEAT_APART 0.01
#define METHOD_APART 0.05

/* Rates that the published digits allow. */
typedef struct range {
    double least, most;
} range;

static range range_of(const yoke_chip_measurement *row)
{
    range r = {0, INFINITY};
    if (value_known(row->gbps)) {
        r.least = row->gbps.value - row->gbps.half;
        r.most = row->gbps.value + row->gbps.half;
    }
    if (row->megabytes.value > 0 && row->milliseconds.value > 0) {
        double least = row->megabytes.value / (row->milliseconds.value + row->milliseconds.half);
        double most = row->megabytes.value / (row->milliseconds.value - row->milliseconds.half);
        /* Where time and rate disagree the rate stands alone: it is what tables copy. */
        if (!value_known(row->gbps) || (least <= r.most && most >= r.least)) {
            r.least = fmax(r.least, least);
            r.most = fmin(r.most, most);
        }
    }
    return r;
}

static bool is_sharp(range r)
{
    return r.least > 0 && r.most - r.least <= SHARP * r.most;
}

/* The number as it was published, for reading. */
static void write_number(audit_text *to, const yoke_chip_measurement *row)
{
    audit_write(to, "%s (row %zu) ", row->chip, row->row);
    if (value_known(row->gbps))
        audit_write(to, "%g GB/s", row->gbps.value);
    else
        audit_write(to, "%g ms", row->milliseconds.value);
}

static bool is_same_number(const yoke_chip_measurement *a, const yoke_chip_measurement *b)
{
    range left = range_of(a), right = range_of(b);
    return is_sharp(left) && is_sharp(right) && left.least < right.most && right.least < left.most;
}

/* Every row of another chip that has this row's number; a group is told once, at its first row. */
static void check_copies(yoke_chip_audit *audit, const yoke_chips *chips,
                         const yoke_chip_measurement *row)
{
    audit_text text = {0};
    bool found = false;
    const yoke_chip_measurement *end = chips->measurements + chips->measurement_count;
    for (const yoke_chip_measurement *other = chips->measurements; other < end; other++) {
        if (other == row || !*other->chip || chips_same_chip(row, other) ||
            !chips_comparable(row, other) || !is_same_number(row, other))
            continue;
        if (other < row)
            return;
        audit_write(&text, "%s", found ? ", " : "the same number under two chips: ");
        if (!found) {
            write_number(&text, row);
            audit_write(&text, ", ");
        }
        write_number(&text, other);
        found = true;
    }
    if (found)
        audit_add(audit, YOKE_CHIP_WARNING, row, "same number",
                  "%s; chance, a copy, or a row under the wrong name", text.text);
}

static bool is_first_of_chip(const yoke_chips *chips, const yoke_chip_measurement *row)
{
    for (const yoke_chip_measurement *before = chips->measurements; before < row; before++)
        if (chips_same_chip(before, row) && chips_comparable(before, row) && !*before->doubt)
            return false;
    return true;
}

static void check_repeats(yoke_chip_audit *audit, const yoke_chips *chips,
                          const yoke_chip_measurement *first)
{
    double least = INFINITY, most = 0;
    audit_rows rows = {0};
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        double rate = yoke_chip_rate(row, NULL);
        if (!chips_same_chip(row, first) || !chips_comparable(row, first) || *row->doubt ||
            !(rate > 0))
            continue;
        least = fmin(least, rate);
        most = fmax(most, rate);
        audit_rows_add(&rows, row->row);
    }
    if (rows.count > 1 && most > least * (1 + REPEAT_APART))
        audit_add(audit, YOKE_CHIP_WARNING, first, "repeats",
                  "%zu %s rows give %.2f to %.2f GB/s, %.1f %% apart (rows %s)", rows.count,
                  yoke_chip_mode_name(first->mode), least, most, (most / least - 1) * 100,
                  audit_rows_end(&rows));
}

/* One chip and artefact by two methods: not an error, but the reason not to mix them. */
static void check_methods(yoke_chip_audit *audit, const yoke_chips *chips,
                          const yoke_chip_measurement *row)
{
    for (const yoke_chip_measurement *before = chips->measurements; before < row; before++) {
        if (!chips_same_chip(before, row) || value_same_name(before->method, row->method) ||
            !*before->method || !*row->method)
            continue;
        yoke_chip_measurement alike = *before;
        alike.method = row->method;
        double a = yoke_chip_rate(before, NULL), b = yoke_chip_rate(row, NULL);
        if (!chips_comparable(&alike, row) || !audit_apart(a, b, METHOD_APART, 0))
            continue;
        audit_add(audit, YOKE_CHIP_NOTE, row, "methods",
                  "%.2f GB/s by %s, %.2f by %s (row %zu): not one column", b, row->method, a,
                  before->method, before->row);
        return;
    }
}

void audit_repeat(yoke_chip_audit *audit, const yoke_chips *chips)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!*row->chip)
            continue;
        check_copies(audit, chips, row);
        check_methods(audit, chips, row);
        if (!*row->doubt && is_first_of_chip(chips, row))
            check_repeats(audit, chips, row);
    }
}
