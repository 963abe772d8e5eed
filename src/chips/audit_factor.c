/* A stated factor is the rate over that of the stated baseline, which is one chip. */
#include <math.h>
#include <string.h>

#include "chips/audit.h"
#include "chips/value.h"

#define RULE            "factor"
#define MOST_CANDIDATES 6

static bool has_factor(const yoke_chip_measurement *row)
{
    return value_known(row->factor) && yoke_chip_rate(row, NULL) > 0;
}

static double factor_against(const yoke_chip_measurement *row,
                             const yoke_chip_measurement *baseline)
{
    return yoke_chip_rate(row, NULL) / yoke_chip_rate(baseline, NULL);
}

static bool fits(const yoke_chip_measurement *row, const yoke_chip_measurement *baseline)
{
    /* A hair more than half a digit: values on the border may be rounded either way. */
    return !audit_apart(factor_against(row, baseline), row->factor.value, 0,
                        row->factor.half * 1.001);
}

/* May `row` be what the factors of `of` refer to? */
static bool is_candidate(const yoke_chip_measurement *row, const yoke_chip_measurement *of)
{
    return *row->chip && chips_comparable(row, of) && yoke_chip_rate(row, NULL) > 0;
}

static const yoke_chip_measurement *find_baseline(const yoke_chips *chips,
                                                  const yoke_chip_measurement *of)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (is_candidate(row, of) && value_same_name(row->chip, of->baseline))
            return row;
    }
    return NULL;
}

/* Rows that share their baseline and column with `first`. */
static bool is_of_group(const yoke_chip_measurement *row, const yoke_chip_measurement *first)
{
    return has_factor(row) && chips_comparable(row, first) &&
           value_same_name(row->baseline, first->baseline);
}

/* Says how many factors hold if `baseline` is what they refer to, and names one that does not. */
static void write_fit(audit_text *text, const yoke_chips *chips,
                      const yoke_chip_measurement *baseline, const yoke_chip_measurement *first)
{
    size_t good = 0, all = 0;
    const yoke_chip_measurement *worst = NULL;
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!is_of_group(row, first))
            continue;
        all++;
        good += fits(row, baseline);
        if (!fits(row, baseline) &&
            (!worst || fabs(factor_against(row, baseline) - row->factor.value) >
                           fabs(factor_against(worst, baseline) - worst->factor.value)))
            worst = row;
    }
    audit_write(text, "; %s (%.2f) fits %zu of %zu", baseline->chip, yoke_chip_rate(baseline, NULL),
                good, all);
    if (worst)
        audit_write(text, " (not %s: %.3f, stated %g)", worst->chip,
                    factor_against(worst, baseline), worst->factor.value);
}

/* The baseline names no row: which ones could it be? Those whose own factor is 1, and those whose
 * name it begins with. */
static void check_vague_baseline(yoke_chip_audit *audit, const yoke_chips *chips,
                                 const yoke_chip_measurement *first)
{
    audit_text text = {0};
    if (*first->baseline)
        audit_write(&text, "the baseline '%s' is not one chip of the table", first->baseline);
    else
        audit_write(&text, "the factors name no baseline");
    size_t candidates = 0;
    for (size_t i = 0; i < chips->measurement_count && candidates < MOST_CANDIDATES; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        size_t length = strlen(row->chip);
        bool named = *row->chip && strncmp(first->baseline, row->chip, length) == 0 &&
                     (first->baseline[length] == ' ' || first->baseline[length] == '\0');
        if (is_candidate(row, first) &&
            (named || (has_factor(row) && fits(row, row) && row->factor.value <= 1))) {
            write_fit(&text, chips, row, first);
            candidates++;
        }
    }
    audit_add(audit, YOKE_CHIP_ERROR, first, RULE, "%s", text.text);
}

static bool is_first_of_group(const yoke_chips *chips, const yoke_chip_measurement *row)
{
    for (const yoke_chip_measurement *before = chips->measurements; before < row; before++)
        if (is_of_group(before, row))
            return false;
    return true;
}

void audit_factor(yoke_chip_audit *audit, const yoke_chips *chips)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!has_factor(row))
            continue;
        const yoke_chip_measurement *baseline = find_baseline(chips, row);
        if (!baseline) {
            if (is_first_of_group(chips, row))
                check_vague_baseline(audit, chips, row);
        } else if (!fits(row, baseline)) {
            audit_add(audit, YOKE_CHIP_ERROR, row, RULE, "%.2f over %.2f of %s is %.3f, stated %g",
                      yoke_chip_rate(row, NULL), yoke_chip_rate(baseline, NULL), baseline->chip,
                      factor_against(row, baseline), row->factor.value);
        }
    }
}
