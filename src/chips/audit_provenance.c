/* What a row must say to be repeated. */
#include <math.h>
#include <stddef.h>

#include "chips/audit.h"
#include "chips/value.h"

#define AT(field) offsetof(yoke_chip_measurement, field)

void audit_provenance(yoke_chip_audit *audit, const yoke_chips *chips)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {{"a source", AT(source)},    {"their provenance", AT(provenance)},
                  {"a chip", AT(chip)},        {"a method", AT(method)},
                  {"an engine", AT(engine)},   {"how many runs", AT(runs)},
                  {"the warm-up", AT(warmup)}, {"the system", AT(os)}};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        audit_rows rows = {0};
        for (size_t i = 0; i < chips->measurement_count; i++) {
            const yoke_chip_measurement *row = &chips->measurements[i];
            if (!**(const char *const *)((const char *)row + fields[f].offset))
                audit_rows_add(&rows, row->row);
        }
        if (rows.count > 0)
            audit_add(audit, YOKE_CHIP_WARNING, NULL, "provenance",
                      "%zu of %zu rows do not say %s: rows %s", rows.count,
                      chips->measurement_count, fields[f].name, audit_rows_end(&rows));
    }
    audit_rows ram = {0}, empty = {0};
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!value_known(row->ram_gb))
            audit_rows_add(&ram, row->row);
        if (isnan(yoke_chip_rate(row, NULL)))
            audit_rows_add(&empty, row->row);
    }
    if (ram.count > 0)
        audit_add(audit, YOKE_CHIP_WARNING, NULL, "provenance",
                  "%zu of %zu rows do not say the memory of the machine: rows %s", ram.count,
                  chips->measurement_count, audit_rows_end(&ram));
    if (empty.count > 0)
        audit_add(audit, YOKE_CHIP_WARNING, NULL, "provenance",
                  "%zu of %zu rows have no rate, and none to be had from size and time: rows %s",
                  empty.count, chips->measurement_count, audit_rows_end(&empty));
}
