#include "bench_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_rows.h"
#include "report/number.h"
#include "tensor.h"

/* The tensor's name comes from the file: it is shown so that a terminal takes no harm. */
static void print_weight(const yoke_identity *w)
{
    printf("weight   %s %zu x %zu (outputs x inputs), %s", bench_format_name(w->format), w->n, w->k,
           number_bytes(w->bytes).text);
    if (!w->path[0]) {
        printf(", random, seed %llu\n", (unsigned long long)w->seed);
        return;
    }
    char *name = tensor_text(w->tensor, strlen(w->tensor));
    printf(", %s\n         %s of %s\n", w->kind, name ? name : "?", w->path);
    free(name);
}

static void print_heading(const yoke_record *record)
{
    print_weight(&record->artefact);
    if (record->host)
        printf("machine  %s, %zu threads (%s)\n", record->host->cpu, record->host->usable_threads,
               record->host->usable_reason);
    for (size_t i = 0; i < record->engine_count; i++)
        if (record->engines[i].info.ready)
            printf("engine   %s: %s\n", record->engines[i].specification,
                   record->engines[i].info.description);
}

static void print_failures(const yoke_record *record)
{
    if (yoke_record_failed(record) > 0)
        printf("\n");
    for (size_t i = 0; i < record->row_count; i++) {
        const yoke_record_row *row = record->rows[i];
        if (!row->failed)
            continue;
        printf("FAILED %s, %s, %s", row->suite, row->what, row->engine);
        if (row->m > 0)
            printf(", %zu x %zu x %zu", row->m, row->n, row->k);
        printf(": %s\n", row->reason);
    }
}

static void print_notes(const yoke_record *record)
{
    for (size_t i = 0; i < record->notes.count; i++)
        printf("note: %s\n", record->notes.texts[i]);
}

void bench_print(const yoke_record *record)
{
    print_heading(record);
    bench_print_alone(record);
    bench_print_ane(record);
    bench_print_together(record);
    print_failures(record);
    printf("\n");
    bench_print_legend(record);
    print_notes(record);
}
