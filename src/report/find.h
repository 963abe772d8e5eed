/* Finding rows of a record. */
#ifndef REPORT_FIND_H
#define REPORT_FIND_H

#include "yoke/record.h"

bool find_is(const yoke_record_row *row, const char *suite, const char *what);

/* The next row of that suite and case from *at on, which then stands behind it; NULL when there is
 * none. Begin with *at = 0. */
const yoke_record_row *find_next(const yoke_record *record, const char *suite, const char *what,
                                 size_t *at);
bool find_any(const yoke_record *record, const char *suite, const char *what);

/* Whether no earlier row of the same suite and case has the same engine. `at` as find_next left
 * it. */
bool find_first_of_engine(const yoke_record *record, size_t at);

/* The engine's place in the record, which decides its colour. */
size_t find_engine(const yoke_record *record, const char *specification);

/* The row of the engine that carries its fit; NULL when there is no fit. */
const yoke_record_row *find_fit(const yoke_record *record, const char *engine);

/* The value of "key=value"; NULL when there is none. */
const char *find_text(const yoke_record_texts *list, const char *key);

#endif
