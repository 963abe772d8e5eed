#include "yoke/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "measure/record_fields.h"
#include "measure/record_parts.h"

/* Makes room for one more in an array of `count` items. NULL when there is none. */
static void *grow(void *items, size_t count, size_t item_bytes)
{
    size_t bytes;
    if (!size_mul(count + 1, item_bytes, &bytes))
        return NULL;
    return realloc(items, bytes);
}

static double load_average(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : (double)NAN;
}

static void read_time(char *out, size_t out_bytes)
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(out, out_bytes, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        out[0] = '\0';
}

/* A host that cannot be read is not known; the measurements stand without it. */
static yoke_host *read_host(void)
{
    yoke_host *host = calloc(1, sizeof *host);
    if (host && yoke_host_read(host, NULL) != YOKE_OK) {
        free(host);
        return NULL;
    }
    return host;
}

yoke_record *record_empty(void)
{
    yoke_record *record = calloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->elapsed_seconds = (double)NAN;
    record->load_before = (double)NAN;
    record->load_after = (double)NAN;
    record->artefact.zero_pages = (double)NAN;
    return record;
}

yoke_status yoke_record_create(yoke_record **record, yoke_error *err)
{
    yoke_record *r = record_empty();
    if (!r)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory");
    read_time(r->time_utc, sizeof r->time_utc);
    r->begin_ns = yoke_clock_ns();
    r->host = read_host();
    r->load_before = load_average();
    yoke_status status = record_describe(r, err);
    if (status != YOKE_OK) {
        yoke_record_free(r);
        return status;
    }
    *record = r;
    return YOKE_OK;
}

void yoke_record_finish(yoke_record *record)
{
    record->elapsed_seconds = 1e-9 * (double)(yoke_clock_ns() - record->begin_ns);
    record->load_after = load_average();
}

static void free_texts(yoke_record_texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->texts[i]);
    free(list->texts);
}

void yoke_record_free(yoke_record *record)
{
    if (!record)
        return;
    for (size_t i = 0; i < record->row_count; i++) {
        yoke_series_free(&record->rows[i]->samples);
        yoke_series_free(&record->rows[i]->limit_samples);
        free(record->rows[i]);
    }
    free(record->rows);
    free(record->engines);
    free_texts(&record->versions);
    free_texts(&record->method);
    free_texts(&record->options);
    free_texts(&record->notes);
    free(record->host);
    free(record);
}

static void forget_reals(yoke_record_row *row, record_kind kind)
{
    for (size_t i = 0; i < record_row_table.count; i++) {
        const record_field *field = &record_row_table.fields[i];
        if (field->kind == kind)
            *(double *)((char *)row + field->offset) = (double)NAN;
    }
}

yoke_status yoke_record_add_row(yoke_record *record, const char *suite, const char *what,
                                yoke_record_row **row, yoke_error *err)
{
    yoke_record_row **rows = grow(record->rows, record->row_count, sizeof *rows);
    if (rows)
        record->rows = rows;
    yoke_record_row *added = rows ? calloc(1, sizeof *added) : NULL;
    if (!added)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory for a row");
    snprintf(added->suite, sizeof added->suite, "%s", suite);
    snprintf(added->what, sizeof added->what, "%s", what);
    forget_reals(added, RECORD_REAL);
    forget_reals(added, RECORD_RATE);
    record->rows[record->row_count++] = added;
    *row = added;
    return YOKE_OK;
}

yoke_status yoke_record_add_engine(yoke_record *record, const yoke_record_engine *engine,
                                   yoke_error *err)
{
    yoke_record_engine *engines = grow(record->engines, record->engine_count, sizeof *engines);
    if (!engines)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory for an engine");
    engines[record->engine_count++] = *engine;
    record->engines = engines;
    return YOKE_OK;
}

static bool has_text(const yoke_record_texts *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->texts[i], text) == 0)
            return true;
    return false;
}

yoke_status record_append_text(yoke_record_texts *list, const char *text, yoke_error *err)
{
    char **texts = grow(list->texts, list->count, sizeof *texts);
    if (texts)
        list->texts = texts;
    char *copy = texts ? strdup(text) : NULL;
    if (!copy)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "record: no memory for a text");
    list->texts[list->count++] = copy;
    return YOKE_OK;
}

yoke_status yoke_record_add_text(yoke_record_texts *list, yoke_error *err, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return has_text(list, text) ? YOKE_OK : record_append_text(list, text, err);
}

yoke_status yoke_record_row_summarise(yoke_record_row *row, yoke_error *err)
{
    if (row->samples.count == 0)
        return YOKE_OK;
    return yoke_statistics_of(row->samples.samples_ns, row->samples.count, &row->time, err);
}

void yoke_record_row_fail(yoke_record_row *row, const char *reason)
{
    row->failed = true;
    snprintf(row->reason, sizeof row->reason, "%s", reason);
    forget_reals(row, RECORD_RATE);
}

size_t yoke_record_failed(const yoke_record *record)
{
    size_t failed = 0;
    for (size_t i = 0; i < record->row_count; i++)
        failed += record->rows[i]->failed;
    return failed;
}
