#include "unit/record_full.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "measure/record_fields.h"

/* The i-th field's own value. */
static void set_field(const record_field *field, size_t i, void *at)
{
    switch (field->kind) {
    case RECORD_TEXT: snprintf(at, field->room, "%s \"%zu\"", field->name, i); break;
    case RECORD_FORMAT: *(yoke_format *)at = YOKE_Q8_0; break;
    case RECORD_SIZE: *(size_t *)at = 1000 + i; break;
    case RECORD_BYTES: *(uint64_t *)at = (UINT64_C(1) << 62) + i; break;
    case RECORD_REAL:
    case RECORD_RATE: *(double *)at = 1.0 / 3 + (double)i; break;
    case RECORD_BOOL: *(bool *)at = true; break;
    case RECORD_FLAG: *(int *)at = i % 2; break;
    }
}

static void set_all(const record_table *table, void *object)
{
    for (size_t i = 0; i < table->count; i++)
        set_field(&table->fields[i], i, (char *)object + table->fields[i].offset);
}

static void add_row(yoke_record *record)
{
    yoke_record_row *row;
    assert_int_equal(yoke_record_add_row(record, "read", "size", &row, NULL), YOKE_OK);
    set_all(&record_row_table, row);
    row->failed = false; /* a failed one has no rates */
    row->cached = true;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(yoke_series_add(&row->samples, 1e9 / 7 + (double)i, NULL), YOKE_OK);
        assert_int_equal(yoke_series_add(&row->limit_samples, 15e6, NULL), YOKE_OK);
    }
    row->samples.warmup_count = 7;
    row->samples.warmup_settled = true;
    row->time.count = 4;
    row->time.outliers_mild = 2;
    row->time.outliers_severe = 1;
    row->time.unstable = true;
}

static void fill_host(yoke_host *host)
{
    set_all(&record_host_table, host);
    host->features = YOKE_CPU_AVX2 | YOKE_CPU_NEON_I8MM;
    host->core_set_count = YOKE_HOST_MAX_CORE_SETS;
    for (unsigned i = 0; i < YOKE_HOST_MAX_CORE_SETS; i++) {
        set_all(&record_core_set_table, &host->core_sets[i]);
        host->core_sets[i].cpu_count = 2;
        host->core_sets[i].cpus[0] = i;
        host->core_sets[i].cpus[1] = 100 + i;
    }
}

yoke_record *record_full(void)
{
    yoke_record *record;
    yoke_record_engine engine = {0};
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    set_all(&record_own_table, record);
    snprintf(record->time_utc, sizeof record->time_utc, "2026-01-31T12:00:00Z");
    assert_non_null(record->host);
    fill_host(record->host);
    set_all(&record_artefact_table, &record->artefact);
    set_all(&record_sampling_table, &record->sampling);
    set_all(&record_engine_table, &engine);
    assert_int_equal(yoke_record_add_engine(record, &engine, NULL), YOKE_OK);
    assert_int_equal(yoke_record_add_text(&record->options, NULL, "seconds=90=a"), YOKE_OK);
    assert_int_equal(yoke_record_add_text(&record->notes, NULL, "\xc3\xa9t\xc3\xa9\n"), YOKE_OK);
    add_row(record);
    add_row(record);
    return record;
}
