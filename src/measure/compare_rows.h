/* Whether two rows may be compared, and why not. */
#ifndef MEASURE_COMPARE_ROWS_H
#define MEASURE_COMPARE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/record.h"

/* The same case of the same engine, whatever it computed. */
bool rows_same_case(const yoke_record_row *a, const yoke_record_row *b);

/* They computed the same: weight of that size and format, precision. Otherwise says what differs.
 */
bool rows_same_work(const yoke_record_row *a, const yoke_record_row *b, char *why,
                    size_t why_bytes);

/* It has times that can be trusted: of a right answer. Otherwise says what is wrong; `side` stands
 * for it in the text. */
bool row_sound(const char *side, const yoke_record_row *row, char *why, size_t why_bytes);

/* Its samples tell how sure its median is: there are enough, and they do not drift. */
bool row_steady(const char *side, const yoke_record_row *row, char *why, size_t why_bytes);

/* The records measured the same weight. Otherwise says what differs. */
bool records_same_weight(const yoke_record *a, const yoke_record *b, char *why, size_t why_bytes);

/* Their figures mean the same. Otherwise says what differs. */
bool records_same_method(const yoke_record *a, const yoke_record *b, char *why, size_t why_bytes);

#endif
