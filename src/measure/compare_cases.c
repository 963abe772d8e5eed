#include "measure/compare_cases.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/size.h"
#include "measure/compare_rows.h"

/* A record, and which of its rows have their case. */
typedef struct source {
    const yoke_record *record;
    bool *taken;
    size_t after; /* where the last one was found: records are mostly in the same order */
} source;

/* Derived figures, as those of a window of a split. */
static bool is_untimed(const yoke_record_row *row)
{
    return !row->failed && row->samples.count == 0 && row->time.count == 0;
}

/* The row of a record for one of another, the same work if that is asked for; NULL: none. */
static const yoke_record_row *find(source *in, const yoke_record_row *like, bool same_work)
{
    char why[256];
    for (size_t i = 0; i < in->record->row_count; i++) {
        size_t at = (in->after + i) % in->record->row_count;
        const yoke_record_row *row = in->record->rows[at];
        if (!in->taken[at] && !is_untimed(row) && rows_same_case(like, row) &&
            (!same_work || rows_same_work(like, row, why, sizeof why))) {
            in->taken[at] = true;
            in->after = at + 1;
            return row;
        }
    }
    return NULL;
}

/* Begins a case with what is left of record `first`, and finds it in the later ones. */
static void sort_from(source *sources, size_t first, compare_cases *out)
{
    const size_t begin = out->count;
    source *base = &sources[first];
    for (size_t i = 0; i < base->record->row_count; i++) {
        const yoke_record_row *row = base->record->rows[i];
        if (is_untimed(row)) {
            out->untimed += first == 0;
        } else if (!base->taken[i]) {
            base->taken[i] = true;
            out->rows[out->count++ * out->records + first] = row;
        }
    }
    for (int same_work = 1; same_work >= 0; same_work--)
        for (size_t i = begin; i < out->count; i++) {
            const yoke_record_row **rows = out->rows + i * out->records;
            for (size_t r = first + 1; r < out->records; r++)
                if (!rows[r])
                    rows[r] = find(&sources[r], rows[first], same_work);
        }
}

static yoke_status make_room(source *sources, size_t rows, compare_cases *out, yoke_error *err)
{
    size_t cells;
    bool *taken = calloc(rows + 1, sizeof *taken);
    if (size_mul(rows + 1, out->records, &cells))
        out->rows = calloc(cells, sizeof *out->rows);
    if (!taken || !out->rows) {
        free(taken);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory for %zu rows", rows);
    }
    for (size_t i = 0; i < out->records; i++) {
        sources[i].taken = taken;
        taken += sources[i].record->row_count;
    }
    return YOKE_OK;
}

yoke_status compare_cases_sort(const yoke_record *const *records, size_t count, compare_cases *out,
                               yoke_error *err)
{
    size_t rows = 0;
    *out = (compare_cases){.records = count};
    source *sources = calloc(count, sizeof *sources);
    bool fits = sources != NULL;
    for (size_t i = 0; fits && i < count; i++) {
        sources[i].record = records[i];
        fits = size_add(rows, records[i]->row_count, &rows);
    }
    yoke_status status = fits && rows < SIZE_MAX
                             ? make_room(sources, rows, out, err)
                             : yoke_error_set(err, YOKE_ERR_MEMORY, "compare: no memory");
    for (size_t i = 0; status == YOKE_OK && i < count; i++)
        sort_from(sources, i, out);
    if (status == YOKE_OK)
        free(sources[0].taken);
    free(sources);
    return status;
}

void compare_cases_free(compare_cases *cases)
{
    free(cases->rows);
    *cases = (compare_cases){0};
}
