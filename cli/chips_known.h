/* What is known and what is said of chips, beside their measurements. */
#ifndef CLI_CHIPS_KNOWN_H
#define CLI_CHIPS_KNOWN_H

#include "yoke/chips.h"

/* The same name, upper or lower case and with '-', '_' or ' ' between its words. */
bool chips_same_word(const char *a, const char *b);

/* Every fact of a chip with its source; those that differ one below the other. */
void chips_print_facts(const yoke_chips *chips, const char *chip);

/* Statements that contradict each other and what the data says to each; of one chip, or of all
 * (NULL). */
void chips_print_statements(const yoke_chips *chips, const char *chip);

#endif
