/* Records: one of few fields, and the one of tests/data that has them all. */
#include <stdlib.h>

#include "seeds.h"
#include "yoke/record.h"

static void seed_record(const char *folder, const char *name, const yoke_record *record)
{
    char *text;
    yoke_error err = {0};
    seed_require(yoke_record_json(record, &text, &err), &err);
    FILE *seed = seed_begin(folder, "record", name);
    fputs(text, seed);
    seed_end(seed);
    free(text);
}

/* Without a host: that would be this machine. */
static void seed_small(const char *folder)
{
    yoke_record *record;
    yoke_record_row *row;
    yoke_error err = {0};
    seed_require(yoke_record_create(&record, &err), &err);
    free(record->host);
    record->host = NULL;
    seed_require(yoke_record_add_row(record, "read", "size", &row, &err), &err);
    row->n = row->k = 64;
    for (unsigned i = 0; i < 3; i++)
        seed_require(yoke_series_add(&row->samples, 1000 + i, &err), &err);
    seed_require(yoke_record_row_summarise(row, &err), &err);
    yoke_record_finish(record);
    seed_record(folder, "small", record);
    yoke_record_free(record);
}

void seeds_record(const char *folder)
{
    yoke_record *record;
    yoke_error err = {0};
    seed_small(folder);
    seed_require(yoke_record_load(YOKE_TEST_DATA "/record.json", &record, &err), &err);
    seed_record(folder, "full", record);
    yoke_record_free(record);
}
