#include "report/find.h"

#include <math.h>
#include <string.h>

bool find_is(const yoke_record_row *row, const char *suite, const char *what)
{
    return strcmp(row->suite, suite) == 0 && strcmp(row->what, what) == 0;
}

const yoke_record_row *find_next(const yoke_record *record, const char *suite, const char *what,
                                 size_t *at)
{
    while (*at < record->row_count) {
        const yoke_record_row *row = record->rows[(*at)++];
        if (find_is(row, suite, what))
            return row;
    }
    return NULL;
}

bool find_any(const yoke_record *record, const char *suite, const char *what)
{
    size_t at = 0;
    return find_next(record, suite, what, &at) != NULL;
}

bool find_first_of_engine(const yoke_record *record, size_t at)
{
    const yoke_record_row *row = record->rows[at - 1];
    for (size_t i = 0; i + 1 < at; i++)
        if (find_is(record->rows[i], row->suite, row->what) &&
            strcmp(record->rows[i]->engine, row->engine) == 0)
            return false;
    return true;
}

size_t find_engine(const yoke_record *record, const char *specification)
{
    size_t i = 0;
    while (i < record->engine_count && strcmp(record->engines[i].specification, specification) != 0)
        i++;
    return i;
}

const yoke_record_row *find_fit(const yoke_record *record, const char *engine)
{
    const yoke_record_row *row;
    for (size_t at = 0; (row = find_next(record, "read", "size", &at));)
        if (strcmp(row->engine, engine) == 0 && isfinite(row->slope_gbps))
            return row;
    return NULL;
}

const char *find_text(const yoke_record_texts *list, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->texts[i], key, length) == 0 && list->texts[i][length] == '=')
            return list->texts[i] + length + 1;
    return NULL;
}
