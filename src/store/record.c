#include "store/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/plain.h"

/* The text without the blanks between its tokens: nothing of JSON is lost by that. */
static char *on_one_line(const char *json, size_t length)
{
    char *line = malloc(length + 1), *to = line;
    if (!line)
        return NULL;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (!quoted && strchr(" \t\r\n", json[i]))
            continue;
        *to++ = json[i];
        if (json[i] == '"')
            quoted = !quoted;
        else if (quoted && json[i] == '\\' && i + 1 < length)
            *to++ = json[++i];
    }
    *to = '\0';
    return line;
}

static void set_hash(store_record *record)
{
    size_t length = strlen(record->json);
    uint64_t hash = hash_bytes(HASH_BASIS, record->json, length);
    snprintf(record->hash, sizeof record->hash, "%016llx-%zu", (unsigned long long)hash, length);
}

/* ---- What a listing shows ---- */

static const char *value_of(const yoke_record_texts *pairs, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < pairs->count; i++)
        if (strncmp(pairs->texts[i], key, length) == 0 && pairs->texts[i][length] == '=')
            return pairs->texts[i] + length + 1;
    return "";
}

static void set_artefact(const yoke_identity *from, store_record *record)
{
    char shape[64] = "";
    if (from->n > 0 && from->k > 0)
        snprintf(shape, sizeof shape, " %s %zux%zu", yoke_format_get(from->format)->name, from->n,
                 from->k);
    snprintf(record->artefact, sizeof record->artefact, "%.90s%s",
             from->tensor[0] ? from->tensor : from->kind, shape);
}

static void add_suite(const char *suite, store_record *record)
{
    char list[sizeof record->suites + 2], name[sizeof((yoke_record_row *)0)->suite + 2];
    snprintf(list, sizeof list, ",%s,", record->suites);
    snprintf(name, sizeof name, ",%s,", suite);
    if (strstr(list, name))
        return;
    size_t used = strlen(record->suites);
    snprintf(record->suites + used, sizeof record->suites - used, "%s%s", used > 0 ? "," : "",
             suite);
}

/* The figures a record may be known by, the most telling first. */
static const struct {
    const char *field, *suite; /* "": any */
    size_t offset;
    bool least; /* the smallest is the best */
} figures[] = {
    {"slope_gbps", "read", offsetof(yoke_record_row, slope_gbps), false},
    {"mean_gbps", "read", offsetof(yoke_record_row, mean_gbps), false},
    {"naive_gbps", "read", offsetof(yoke_record_row, naive_gbps), false},
    {"tflops", "compute", offsetof(yoke_record_row, tflops), false},
    {"together", "contention", offsetof(yoke_record_row, together), false},
    {"median_ns", "", offsetof(yoke_record_row, time.median), true},
};

/* A figure of memory goes before one of a weight that fits the caches. */
static bool is_better(const yoke_record_row *row, double figure, bool least,
                      const store_record *best)
{
    if (!isfinite(figure))
        return false;
    if (!isfinite(best->figure))
        return true;
    if (row->cached != best->cached)
        return best->cached;
    return least ? figure < best->figure : figure > best->figure;
}

static void set_figure(const yoke_record *from, store_record *record)
{
    record->figure = (double)NAN;
    for (size_t f = 0; !isfinite(record->figure) && f < sizeof figures / sizeof *figures; f++)
        for (size_t i = 0; i < from->row_count; i++) {
            const yoke_record_row *row = from->rows[i];
            double figure = *(const double *)((const char *)row + figures[f].offset);
            bool of_suite = !figures[f].suite[0] || strcmp(figures[f].suite, row->suite) == 0;
            if (!of_suite || !is_better(row, figure, figures[f].least, record))
                continue;
            record->figure = figure;
            record->cached = row->cached;
            snprintf(record->figure_of, sizeof record->figure_of, "%s", figures[f].field);
            snprintf(record->engine, sizeof record->engine, "%s", row->engine);
        }
}

static void summarise(const yoke_record *from, store_record *record)
{
    snprintf(record->time_utc, sizeof record->time_utc, "%s", from->time_utc);
    if (from->host)
        snprintf(record->machine, sizeof record->machine, "%s", from->host->cpu);
    snprintf(record->method, sizeof record->method, "%s", value_of(&from->method, "headline"));
    set_artefact(&from->artefact, record);
    for (size_t i = 0; i < from->row_count; i++)
        add_suite(from->rows[i]->suite, record);
    set_figure(from, record);
    char *const shown[] = {record->source, record->time_utc, record->machine, record->artefact,
                           record->suites, record->method,   record->engine};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        plain_text(shown[i]);
    record->rows = from->row_count;
    record->failed = yoke_record_failed(from);
}

yoke_status store_record_make(const char *json, size_t length, const char *source,
                              store_record *record, yoke_error *err)
{
    yoke_record *parsed;
    yoke_status status = yoke_record_parse(json, length, source, &parsed, err);
    if (status != YOKE_OK)
        return status;
    *record = (store_record){.json = on_one_line(json, length)};
    if (record->json) {
        snprintf(record->source, sizeof record->source, "%s", source);
        summarise(parsed, record);
        set_hash(record);
    }
    yoke_record_free(parsed);
    return record->json ? YOKE_OK : yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory", source);
}

void store_record_free(store_record *record)
{
    if (!record)
        return;
    free(record->json);
    record->json = NULL;
}
