/* The record: measurements with everything needed to trust and repeat them. */
#ifndef YOKE_RECORD_H
#define YOKE_RECORD_H

#include "yoke/engine.h"
#include "yoke/host.h"
#include "yoke/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YOKE_RECORD_SCHEMA 1 /* grows when a field changes its meaning, not when one is added */

/* Which weight was measured. "" and 0 mean not known. */
typedef struct yoke_identity {
    char kind[32];   /* "random", or the file's: "gguf v3" */
    char path[1024]; /* of the file (part) that holds it */
    char tensor[512];
    uint64_t seed; /* of a random one */
    yoke_format format;
    size_t n, k;       /* outputs (rows) and inputs (columns) */
    uint64_t bytes;    /* stored */
    char hash[24];     /* hexadecimal */
    char hash_of[96];  /* what the hash covers, and which one it is */
    double zero_pages; /* fraction of the sampled pages that hold only zeros */
} yoke_identity;

/* An engine that took part, or one that could not: not ready, with the reason. */
typedef struct yoke_record_engine {
    char specification[128];
    yoke_engine_info info;
    yoke_prepare_report prepared; /* of the weight; elapsed_ns 0 when it was not prepared */
} yoke_record_engine;

/* One measured case. Text "", size 0 and NaN mean not known or not applicable, and are left out of
 * the JSON. Figures that belong to several rows (a fit over sizes, the turning point over M) stand
 * on each row that took part. */
typedef struct yoke_record_row {
    char suite[16];     /* "read", "compute", "dispatch", "wake", "contention", "split", "ane" */
    char what[32];      /* the case within the suite: "size", "m", "k padding", "call", "task",
                         * "alone", "beside", "single", "split", "window"; "preparation" when it
                         * failed before any */
    char engine[128];   /* specification; "" when no engine takes part */
    char other[128];    /* contention: the engine it is paired with */
    yoke_format format; /* of the weight as given */
    yoke_format prepared_format; /* as the engine keeps it */
    yoke_format x_format;
    char precision[16]; /* how exactly x was used: "full", "bf16_x", "int8_x" */
    char wait[16];      /* "block", "poll" */
    char path[64];      /* how the engine says it computed */
    char placement[64]; /* what proves where it ran, or "unproved" */
    char check[16];     /* verdict on the answer: "right", "wrong", ... */
    char reason[512];   /* why it failed */
    size_t m, n, k;
    uint64_t bytes;          /* of the part of the weight that one product reads, as stored */
    uint64_t prepared_bytes; /*   as the engine keeps it: what it really reads */
    uint64_t logical_bytes;  /*   with the elements of quantised blocks counted as f16 */

    yoke_series samples;       /* wall time of each product, ns */
    yoke_series limit_samples; /* the plain read measured in turns with it, ns */
    yoke_statistics time;      /* of samples; count 0 when there are none */
    double device_ns;          /* median time the device itself reports */

    double naive_gbps;       /* bytes / median */
    double mean_gbps;        /* bytes / mean: of records from tools that know no median */
    double slope_gbps;       /* from the fit of time over bytes */
    double slope_error_gbps; /*   its standard error */
    double fixed_ns;         /* what a call costs beside its bytes, from the fit */
    double fixed_error_ns;
    double fit_residual;     /* root mean square, relative */
    double limit_gbps;       /* the machine's own read rate, by the same method as the figure it is
                              * compared with: the fit's slope, else bytes / median */
    double limit_naive_gbps; /* bytes / median of limit_samples */
    double counted_bytes;    /* from and to memory for one product, by the machine's counters */
    char counted_bytes_by[96]; /*   which ones */
    double counted_joules;     /* energy of one product, likewise */
    char counted_joules_by[96];
    double tflops;       /* 10^12 operations per second, 2 per multiply-add */
    double limit_tflops; /* registers only, mean of before and after */
    double limit_before_tflops, limit_after_tflops;
    double fraction_of_limit;
    double turn_m;           /* M at which the product turns from read-bound to compute-bound */
    double turn_m_predicted; /*   as the two limits predict it */
    double k_padding_cost;   /* time per column over that of the round K, minus 1 */
    double task_ns;          /* wake: how long the task is */
    double wake_added_ns;    /* wake: what blocking adds over polling, medians */
    double retained;         /* contention: what it keeps of its rate beside the other, median */
    double retained_low, retained_high; /*   its 95 % confidence interval */
    double together; /* contention: both rates side by side over the sum of both alone */
    double together_low, together_high; /*   from the intervals of what each retains */
    char sharing[24];                   /* contention: "adds up", "shared ceiling", "not clear" */
    char best_single[128];              /* split: the fastest engine alone */
    double best_single_ns;              /*   its median, in turns with the split */
    double ideal_ns;                    /*   work over the sum of the contended rates alone */
    double efficiency;                  /*   ideal_ns over the median of the split */
    double predicted_ns;                /* split and window: what the plan expects */
    char axis[8];                       /* window: "N", of outputs, or "M", of rows */
    double share;                       /*   its part of them */
    double window_ns;                   /*   what it took, in one product */
    size_t weights;                     /* ane: so many were prepared with one call, */
    double prepare_ns;                  /*   which took so long */
    char idle_states[16];               /* wake: "allowed", or "held off" by /dev/cpu_dma_latency */
    double check_worst;                 /* largest error over its bound */

    bool cached; /* the weight fits the caches too well for a figure about memory */
    bool failed; /* no rate; see reason */
} yoke_record_row;

/* A list of texts, "key=value" or plain. */
typedef struct yoke_record_texts {
    char **texts;
    size_t count;
} yoke_record_texts;

typedef struct yoke_record {
    yoke_record_texts versions;     /* "key=value": of yoke and what it was built with */
    char time_utc[32];              /* when it began, ISO 8601 */
    uint64_t begin_ns;              /*   on the monotonic clock */
    double elapsed_seconds;         /* NaN until yoke_record_finish */
    yoke_host *host;                /* NULL when it could not be read */
    double load_before, load_after; /* one-minute load average; NaN not known */
    yoke_identity artefact;
    yoke_record_texts method;  /* "key=value": what the figures are, "headline=median" */
    yoke_sampling sampling;    /* of the read suite; the others' differences are notes */
    yoke_record_texts options; /* "key=value" */
    yoke_record_texts notes;   /* what was left out and why, warnings */
    yoke_record_engine *engines;
    size_t engine_count;
    yoke_record_row **rows; /* stay where they are */
    size_t row_count;
} yoke_record;

/* Begins a record: the time, the host, the load. Free with yoke_record_free.
 * Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_create(yoke_record **record, yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_record_free(yoke_record *record);

/* Ends it: the elapsed time and the load after. */
YOKE_API void yoke_record_finish(yoke_record *record);

/* Adds a row with nothing known but its suite and case. Owned by the record.
 * Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_add_row(yoke_record *record, const char *suite, const char *what,
                                         yoke_record_row **row, yoke_error *err);

/* Adds an engine. Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_add_engine(yoke_record *record, const yoke_record_engine *engine,
                                            yoke_error *err);

/* Adds a note or an option, printf-formatted, once: a text already there is not added again.
 * Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_add_text(yoke_record_texts *list, yoke_error *err,
                                          const char *format, ...) YOKE_PRINTF(3, 4);

/* Computes the row's statistics from its samples; does nothing when there are none.
 * Errors: those of yoke_statistics_of. */
YOKE_API yoke_status yoke_record_row_summarise(yoke_record_row *row, yoke_error *err);

/* Marks the row as failed, with the reason, and takes its rates away. */
YOKE_API void yoke_record_row_fail(yoke_record_row *row, const char *reason);

/* How many rows failed. */
YOKE_API size_t yoke_record_failed(const yoke_record *record);

/* The record as JSON text; the caller frees *text with free. Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_json(const yoke_record *record, char **text, yoke_error *err);

/* Reads what yoke_record_json writes, so that writing it again gives the same text. `name` stands
 * for the record in messages. Absent fields are not known, as above; fields and CPU features of a
 * later yoke are passed over. begin_ns is 0: that clock was another machine's.
 * Errors: YOKE_ERR_FORMAT (no JSON: the byte; a field that is missing or of the wrong kind: its
 * path, as "rows[3].median_ns"), YOKE_ERR_UNSUPPORTED (another schema: which), YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_record_parse(const char *json, size_t length, const char *name,
                                       yoke_record **record, yoke_error *err);

/* The same from a file. Errors: also YOKE_ERR_IO. */
YOKE_API yoke_status yoke_record_load(const char *path, yoke_record **record, yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
