/* The tables that are open, and who in them belongs together. */
#ifndef CHIPS_CHIPS_H
#define CHIPS_CHIPS_H

#include <stdbool.h>

#include "chips/csv.h"
#include "yoke/chips.h"

/* One table: its text, and the CSV whose fields lie in that. */
typedef struct chips_table {
    char *text;
    csv fields;
} chips_table;

struct yoke_chips {
    chips_table tables[3];
    yoke_chip_measurement *measurements;
    yoke_chip_fact *facts;
    yoke_chip_statement *statements;
    size_t measurement_count, fact_count, statement_count;
};

/* May the two stand in one column: same engine, artefact, method and mode? */
bool chips_comparable(const yoke_chip_measurement *a, const yoke_chip_measurement *b);

bool chips_same_chip(const yoke_chip_measurement *a, const yoke_chip_measurement *b);

/* System bandwidth: what the row states, else the fact; NaN when not known. */
double chips_system_gbps(const yoke_chips *chips, const yoke_chip_measurement *of);

/* The part of a combined row's artefact "A+B" that begins at *at, and its length; false when there
 * is no more. Begin with *at = the artefact. */
bool chips_next_part(const char **at, const char **part, size_t *length);

/* Does the combined row name its parts, as "A+B"? If not, all that ran at once are meant. */
bool chips_names_parts(const yoke_chip_measurement *combined);

/* Is the row's artefact one of the combined row's? */
bool chips_is_part(const yoke_chip_measurement *row, const yoke_chip_measurement *combined);

/* The fastest solo row of the same chip, engine and method that read one of the parts; NULL if
 * there is none. Rows in doubt do not count, unless the combined row is one. */
const yoke_chip_measurement *chips_best_solo(const yoke_chips *chips,
                                             const yoke_chip_measurement *combined);

#endif
