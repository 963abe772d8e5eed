/* A record as it is stored: its JSON on one line, and what a listing shows of it. */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yoke/record.h"

typedef struct store_record {
    char *json;          /* no line break; owned */
    char hash[40];       /* of json: the same record is kept once */
    char source[256];    /* "bench", or the file that it was imported from */
    char time_utc[32];   /* when it was measured; "" not known */
    char machine[128];   /* the CPU, or "" */
    char artefact[160];  /* what was measured: "output.weight f16 128256x4096" */
    char suites[96];     /* "read,dispatch" */
    char method[32];     /* the headline of the method: "median", "mean" */
    double figure;       /* the headline figure; NaN when every row failed or none has one */
    char figure_of[32];  /* the field that it is: "slope_gbps" */
    char engine[128];    /* whose figure it is */
    bool cached;         /* the figure's weight fits the caches */
    size_t rows, failed; /* how many rows, and how many of them failed */
    int64_t id;          /* in the history; 0 before */
    bool added;          /* false when it was there already */
} store_record;

/* From the JSON of a yoke record; `source` also stands for it in messages.
 * Errors: those of yoke_record_parse. Free with store_record_free. */
yoke_status store_record_make(const char *json, size_t length, const char *source,
                              store_record *record, yoke_error *err);

/* Takes NULL. */
void store_record_free(store_record *record);

#endif
