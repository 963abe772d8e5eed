/* The results, as a table in markdown on standard output and as JSON in a file. */
#ifndef CPU_TABLE_H
#define CPU_TABLE_H

#include <jansson.h>

#include "roster.h"

/* What comes before the rows. machine: what the engine "cpu" says of it. */
void table_begin(const roster *r, const char *machine);
void table_row(const roster *r, const bench_case *c, const outcome *o);

/* The same for a JSON document; NULL without memory. */
json_t *table_json_begin(const roster *r, const char *machine);
bool table_json_row(json_t *document, const roster *r, const bench_case *c, const outcome *o);

#endif
