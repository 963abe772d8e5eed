/* Palettised artefacts: the stored bytes may not be those that are read, and one artefact has one
 * size. */
#include <math.h>
#include <string.h>

#include "chips/audit.h"
#include "chips/value.h"

#define SIZE_TOLERANCE 0.001
#define PADDED_BITS    8.0

/* Bits of an index: as given, else as the name says ("..._lut6"); 0 for what is not palettised. */
static double index_bits(const yoke_chip_measurement *row)
{
    if (value_known(row->index_bits))
        return row->index_bits.value;
    const char *lut = strstr(row->artefact, "lut");
    return lut && lut[3] >= '1' && lut[3] <= '8' ? lut[3] - '0' : 0;
}

/* The rate if every index were read as 8 bits. */
static double padded_rate(const yoke_chip_measurement *row)
{
    double tables = value_known(row->table_mb) ? row->table_mb.value : 0;
    double stored = row->megabytes.value;
    double read = tables + (stored - tables) * PADDED_BITS / index_bits(row);
    return yoke_chip_rate(row, NULL) * read / stored;
}

static bool is_first_of_column(const yoke_chips *chips, const yoke_chip_measurement *row)
{
    for (const yoke_chip_measurement *before = chips->measurements; before < row; before++)
        if (chips_comparable(before, row))
            return false;
    return true;
}

static bool has_stated_rate(const yoke_chips *chips, const yoke_chip_measurement *like)
{
    for (size_t i = 0; i < chips->measurement_count; i++)
        if (chips_comparable(&chips->measurements[i], like) &&
            value_known(chips->measurements[i].gbps))
            return true;
    return false;
}

/* What the rates of a column become with padded indices, and where that is too much. */
static void check_padding(yoke_chip_audit *audit, const yoke_chips *chips,
                          const yoke_chip_measurement *first)
{
    audit_text text = {0};
    audit_write(&text, "the rates count stored %g-bit indices; were they read as 8 bits:",
                index_bits(first));
    const char *comma = "";
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!chips_comparable(row, first) || !(yoke_chip_rate(row, NULL) > 0) ||
            !(row->megabytes.value > 0))
            continue;
        double system = chips_system_gbps(chips, row), rate = padded_rate(row);
        audit_write(&text, "%s %s %.1f", comma, audit_chip(row), rate);
        if (rate > system)
            audit_write(&text, " (above its %g: not padded there)", system);
        comma = ",";
    }
    audit_add(audit, YOKE_CHIP_NOTE, first, "palette", "%s", text.text);
}

static void check_tables(yoke_chip_audit *audit, const yoke_chips *chips)
{
    audit_rows rows = {0};
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (index_bits(row) > 0 && !(value_known(row->index_bits) && value_known(row->table_mb)))
            audit_rows_add(&rows, row->row);
    }
    if (rows.count > 0)
        audit_add(audit, YOKE_CHIP_WARNING, NULL, "palette",
                  "palettised artefacts without the bits of an index or the bytes of the tables: "
                  "rows %s",
                  audit_rows_end(&rows));
}

static void check_size(yoke_chip_audit *audit, const yoke_chips *chips,
                       const yoke_chip_measurement *row)
{
    for (const yoke_chip_measurement *before = chips->measurements; before < row; before++) {
        if (strcmp(before->artefact, row->artefact) != 0 || !value_known(before->megabytes))
            continue;
        if (audit_apart(row->megabytes.value, before->megabytes.value, SIZE_TOLERANCE,
                        row->megabytes.half + before->megabytes.half))
            audit_add(audit, YOKE_CHIP_WARNING, row, "artefact size",
                      "%g MB here, %g in row %zu: one name, two artefacts", row->megabytes.value,
                      before->megabytes.value, before->row);
        return;
    }
}

void audit_palette(yoke_chip_audit *audit, const yoke_chips *chips)
{
    check_tables(audit, chips);
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        check_size(audit, chips, row);
        double bits = index_bits(row);
        if (bits > 0 && bits < PADDED_BITS && is_first_of_column(chips, row) &&
            has_stated_rate(chips, row))
            check_padding(audit, chips, row);
    }
}
