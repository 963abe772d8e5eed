/* Several models at once: the parts add up to the whole, and the whole against the best alone says
 * whether there is more than one path to the weights. */
#include <math.h>
#include <string.h>

#include "chips/audit.h"
#include "chips/value.h"

#define SUM_RULE       "sum of each"
#define SUM_TOLERANCE  0.05
#define SIZE_TOLERANCE 0.01
#define REPEATABLE     1.01
#define GAIN           1.1 /* above it one engine alone cannot have done it */

/* Same machine and publication, as far as they say. */
static bool is_same_run(const yoke_chip_measurement *a, const yoke_chip_measurement *b)
{
    return value_same_name(a->chip, b->chip) && value_same_name(a->engine, b->engine) &&
           value_same_name(a->method, b->method) && strcmp(a->source, b->source) == 0 &&
           strcmp(a->variant, b->variant) == 0 &&
           !(a->ram_gb.value != b->ram_gb.value && value_known(a->ram_gb) &&
             value_known(b->ram_gb));
}

/* The row of mode `each` that read this part. */
static const yoke_chip_measurement *find_each(const yoke_chips *chips,
                                              const yoke_chip_measurement *combined,
                                              const char *part, size_t length)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (row->mode == YOKE_CHIP_EACH && is_same_run(row, combined) &&
            strlen(row->artefact) == length && memcmp(row->artefact, part, length) == 0)
            return row;
    }
    return NULL;
}

/* What the parts come to. */
typedef struct total {
    double rate, megabytes;
    size_t parts;
} total;

static void total_add(total *to, const yoke_chip_measurement *each)
{
    to->rate += yoke_chip_rate(each, NULL);
    to->megabytes += each->megabytes.value;
    to->parts++;
}

/* Adds up the parts that the combined row names; false, and said so, when one has no row. */
static bool add_named_parts(yoke_chip_audit *audit, const yoke_chips *chips,
                            const yoke_chip_measurement *combined, total *sum)
{
    const char *at = combined->artefact, *part;
    size_t length;
    while (chips_next_part(&at, &part, &length)) {
        const yoke_chip_measurement *each = find_each(chips, combined, part, length);
        if (!each) {
            audit_add(audit, YOKE_CHIP_WARNING, combined, SUM_RULE, "has no row 'each' for %.*s",
                      (int)length, part);
            return false;
        }
        total_add(sum, each);
    }
    return true;
}

/* The combined row names no parts: every row 'each' of its run is one. */
static bool add_all_parts(yoke_chip_audit *audit, const yoke_chips *chips,
                          const yoke_chip_measurement *combined, total *sum)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (row->mode == YOKE_CHIP_EACH && is_same_run(row, combined))
            total_add(sum, row);
    }
    if (sum->parts == 0)
        audit_add(audit, YOKE_CHIP_WARNING, combined, SUM_RULE, "has no rows 'each'");
    return sum->parts > 0;
}

static void check_sum(yoke_chip_audit *audit, const yoke_chips *chips,
                      const yoke_chip_measurement *combined)
{
    total sum = {0};
    bool complete = chips_names_parts(combined) ? add_named_parts(audit, chips, combined, &sum)
                                                : add_all_parts(audit, chips, combined, &sum);
    if (!complete)
        return;
    double whole = yoke_chip_rate(combined, NULL);
    if (audit_apart(sum.rate, whole, SUM_TOLERANCE, 0))
        audit_add(audit, YOKE_CHIP_ERROR, combined, SUM_RULE,
                  "the %zu parts add up to %.2f GB/s, combined says %.2f: %.1f %% apart", sum.parts,
                  sum.rate, whole, fabs(sum.rate / whole - 1) * 100);
    if (audit_apart(sum.megabytes, combined->megabytes.value, SIZE_TOLERANCE, 0))
        audit_add(audit, YOKE_CHIP_ERROR, combined, SUM_RULE,
                  "the %zu parts hold %g MB, combined says %g", sum.parts, sum.megabytes,
                  combined->megabytes.value);
}

/* How far solo runs of one part on the machine of `best` lie apart, as a ratio, and of which. */
static double solo_spread(const yoke_chips *chips, const yoke_chip_measurement *best,
                          const yoke_chip_measurement *combined, audit_text *of)
{
    double widest = 1;
    const char *at = combined->artefact, *part;
    size_t length;
    while (chips_next_part(&at, &part, &length)) {
        double least = INFINITY, most = 0;
        for (size_t i = 0; i < chips->measurement_count; i++) {
            const yoke_chip_measurement *row = &chips->measurements[i];
            double rate = yoke_chip_rate(row, NULL);
            if (row->mode != YOKE_CHIP_SOLO || !(rate > 0) || !is_same_run(row, best) ||
                strlen(row->artefact) != length || memcmp(row->artefact, part, length) != 0)
                continue;
            least = fmin(least, rate);
            most = fmax(most, rate);
        }
        if (most <= least * widest)
            continue;
        widest = most / least;
        *of = (audit_text){0};
        audit_write(of, "%.*s", (int)length, part);
    }
    return widest;
}

static void add_gain(yoke_chip_audit *audit, const yoke_chips *chips,
                     const yoke_chip_measurement *combined, const char *compared)
{
    const yoke_chip_fact *count = yoke_chips_fact(chips, combined->chip, "ane_count");
    if (!count)
        audit_add(audit, YOKE_CHIP_WARNING, combined, "combined/solo",
                  "%s: more than one engine gives; how many this chip has is not known", compared);
    else if (count->number < 2)
        audit_add(audit, YOKE_CHIP_ERROR, combined, "combined/solo",
                  "%s: more than one engine gives, and this chip has one", compared);
    else
        audit_add(audit, YOKE_CHIP_NOTE, combined, "combined/solo",
                  "%s: its %g engines add to each other", compared, count->number);
}

static void check_gain(yoke_chip_audit *audit, const yoke_chips *chips,
                       const yoke_chip_measurement *combined)
{
    const yoke_chip_measurement *best = chips_best_solo(chips, combined);
    if (!best) {
        audit_add(audit, YOKE_CHIP_NOTE, combined, "combined/solo", "has no solo row to compare");
        return;
    }
    double whole = yoke_chip_rate(combined, NULL), alone = yoke_chip_rate(best, NULL);
    double gain = whole / alone;
    audit_text compared = {0};
    audit_write(&compared, "combined %.2f against %.2f alone (row %zu) is %.3f", whole, alone,
                best->row, gain);
    if (gain > GAIN) {
        add_gain(audit, chips, combined, compared.text);
        return;
    }
    audit_text of = {0};
    double spread = solo_spread(chips, best, combined, &of);
    if (spread > REPEATABLE && spread > gain)
        audit_write(&compared, "; solo runs of %s differ by %.1f %% themselves", of.text,
                    (spread - 1) * 100);
    audit_add(audit, YOKE_CHIP_NOTE, combined, "combined/solo",
              "%s: no gain; the models share one limit, and nothing speaks for a second cluster",
              compared.text);
}

void audit_combined(yoke_chip_audit *audit, const yoke_chips *chips)
{
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (row->mode != YOKE_CHIP_COMBINED || !(yoke_chip_rate(row, NULL) > 0))
            continue;
        check_sum(audit, chips, row);
        check_gain(audit, chips, row);
    }
}
