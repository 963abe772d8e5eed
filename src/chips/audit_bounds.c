/* Rates are above 0 and not above the system bandwidth; that bandwidth is the chip's own; the
 * stated use of it is their quotient. */
#include <math.h>

#include "chips/audit.h"
#include "chips/value.h"

#define SYSTEM_TOLERANCE 0.005 /* vendors round: 68 for 68.25 */
#define PERCENT_POINTS   1.0   /* tables round the rate first */

static void check_positive(yoke_chip_audit *audit, const yoke_chip_measurement *row)
{
    const struct {
        const char *name;
        yoke_chip_number number;
    } all[] = {{"GB/s", row->gbps},
               {"ms", row->milliseconds},
               {"MB", row->megabytes},
               {"GB/s of the system", row->system_gbps}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].number.value <= 0)
            audit_add(audit, YOKE_CHIP_ERROR, row, "above 0",
                      "%g %s; what is not known is left empty", all[i].number.value, all[i].name);
}

static void check_limit(yoke_chip_audit *audit, const yoke_chips *chips,
                        const yoke_chip_measurement *row)
{
    bool derived;
    double rate = yoke_chip_rate(row, &derived), system = chips_system_gbps(chips, row);
    double hidden = derived ? audit_implied_rounding(row) : row->gbps.half;
    if (!(system > 0) || !(rate - hidden > system))
        return;
    if (derived)
        audit_add(audit, YOKE_CHIP_WARNING, row, "system bandwidth",
                  "size over time is %.2f GB/s, above the %g of the whole chip: not all of it came "
                  "from memory",
                  rate, system);
    else
        audit_add(audit, YOKE_CHIP_ERROR, row, "system bandwidth",
                  "%.2f GB/s is above the %g of the whole chip", rate, system);
}

static void check_system(yoke_chip_audit *audit, const yoke_chips *chips,
                         const yoke_chip_measurement *row)
{
    const yoke_chip_fact *fact = yoke_chips_fact(chips, row->chip, "system_gbps");
    if (!fact || !value_known(row->system_gbps) ||
        !audit_apart(row->system_gbps.value, fact->number, SYSTEM_TOLERANCE, 0))
        return;
    audit_add(audit, YOKE_CHIP_WARNING, row, "system bandwidth", "%g GB/s here, %g by %s",
              row->system_gbps.value, fact->number, fact->source);
}

static void check_utilisation(yoke_chip_audit *audit, const yoke_chips *chips,
                              const yoke_chip_measurement *row)
{
    double system = chips_system_gbps(chips, row), rate = yoke_chip_rate(row, NULL);
    if (!value_known(row->utilisation) || !(system > 0) || !(rate > 0))
        return;
    double percent = rate / system * 100;
    if (fabs(percent - row->utilisation.value) > PERCENT_POINTS)
        audit_add(audit, YOKE_CHIP_ERROR, row, "utilisation",
                  "%g %% stated, %.2f of %g GB/s is %.1f %%", row->utilisation.value, rate, system,
                  percent);
}

void audit_bounds(yoke_chip_audit *audit, const yoke_chips *chips)
{
    audit_rows unbounded = {0};
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        check_positive(audit, row);
        check_limit(audit, chips, row);
        check_system(audit, chips, row);
        check_utilisation(audit, chips, row);
        if (isnan(chips_system_gbps(chips, row)))
            audit_rows_add(&unbounded, row->row);
    }
    if (unbounded.count > 0)
        audit_add(
            audit, YOKE_CHIP_NOTE, NULL, "system bandwidth",
            "not known for the chips of %zu rows, so their rates have no upper bound: rows %s",
            unbounded.count, audit_rows_end(&unbounded));
}
