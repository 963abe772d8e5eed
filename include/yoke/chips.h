/* Published measurements of chips, what is known of the chips themselves, and their audit. */
#ifndef YOKE_CHIPS_H
#define YOKE_CHIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "yoke/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Several models at once, or one? */
typedef enum yoke_chip_mode {
    YOKE_CHIP_SOLO = 0,    /* one model alone */
    YOKE_CHIP_EACH = 1,    /* one of several that ran at once */
    YOKE_CHIP_COMBINED = 2 /* all of those together; the artefact is "A+B" */
} yoke_chip_mode;

/* "solo", "each", "combined"; "?" for any other value. Static text. */
YOKE_API const char *yoke_chip_mode_name(yoke_chip_mode mode);

/* A number as it was published. */
typedef struct yoke_chip_number {
    double value; /* NaN: not published */
    double half;  /* half a unit of its last digit: what rounding may hide */
} yoke_chip_number;

/* One published measurement: a row of data/chips/measurements.csv. Texts are "" when not known. */
typedef struct yoke_chip_measurement {
    size_t row;             /* in its file; the header is row 1 */
    const char *chip;       /* "M4 Pro" */
    const char *variant;    /* what the source says of the machine */
    const char *engine;     /* "ANE", "GPU", "CPU" */
    const char *artefact;   /* what was read; never compared with another one */
    const char *method;     /* "predict-mean", "slope", "firmware", ...; the same */
    const char *runs;       /* "300", "5x50" */
    const char *warmup;     /* runs before */
    const char *os;         /* version of the system */
    const char *baseline;   /* the chip that `factor` refers to */
    const char *source;     /* where it was published */
    const char *provenance; /* "primary", "secondary", "derived" */
    const char *doubt;      /* why it is kept apart; "" when it is not */
    const char *note;
    yoke_chip_mode mode;
    yoke_chip_number megabytes;    /* read by one run, as stored; 10^6 bytes */
    yoke_chip_number milliseconds; /* of one run */
    yoke_chip_number gbps;         /* as stated */
    yoke_chip_number fixed_ms;     /* cost of a call beside its bytes */
    yoke_chip_number ram_gb;
    yoke_chip_number system_gbps; /* of the whole chip, as the row states it */
    yoke_chip_number factor;      /* rate over that of the baseline, as stated */
    yoke_chip_number utilisation; /* rate over system_gbps in percent, as stated */
    yoke_chip_number index_bits;  /* of a palettised artefact */
    yoke_chip_number table_mb;    /*   its tables; the rest of its bytes are indices */
} yoke_chip_measurement;

/* The rate in GB/s: as stated, else size over time (10^9 bytes); NaN when neither is known.
 * *derived (if not NULL) says which. */
YOKE_API double yoke_chip_rate(const yoke_chip_measurement *of, bool *derived);

/* One thing known of a chip: a row of data/chips/chips.csv. */
typedef struct yoke_chip_fact {
    size_t row;
    const char *chip;
    const char *fact; /* "system_gbps", "ane_count", "ane_cores", "gpu_cores", "ane_architecture" */
    const char *text; /* the value as written */
    double number;    /* NaN for ane_architecture */
    const char *source, *provenance, *note;
} yoke_chip_fact;

/* A sentence that someone published: a row of data/chips/statements.csv. Those of one topic
 * contradict each other. */
typedef struct yoke_chip_statement {
    size_t row;
    const char *topic, *who, *says, *source;
    const char *figure;           /* what decides, see docs/chips.md */
    const char *chip, *artefact;  /* that the figure is of */
    yoke_chip_number least, most; /* the statement holds for a figure within; NaN: no bound */
} yoke_chip_statement;

typedef enum yoke_chip_verdict {
    YOKE_CHIP_UNDECIDED = 0, /* the table has no such figure */
    YOKE_CHIP_SUPPORTED = 1,
    YOKE_CHIP_CONTRADICTED = 2
} yoke_chip_verdict;

/* Opaque. Not changed once opened: any number of threads may read it. */
typedef struct yoke_chips yoke_chips;

/* Opens a table of measurements and one of facts; NULL means the ones built in. The statements are
 * always the built-in ones. Errors: YOKE_ERR_IO, YOKE_ERR_FORMAT (names file, row, column and
 * byte), YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_chips_open(const char *measurements, const char *facts,
                                     yoke_chips **chips, yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_chips_free(yoke_chips *chips);

/* The rows in the order of the file; NULL past the end. Owned by *chips. */
YOKE_API size_t yoke_chips_count(const yoke_chips *chips);
YOKE_API const yoke_chip_measurement *yoke_chips_measurement(const yoke_chips *chips, size_t index);
YOKE_API const yoke_chip_fact *yoke_chips_fact_at(const yoke_chips *chips, size_t index);
YOKE_API const yoke_chip_statement *yoke_chips_statement(const yoke_chips *chips, size_t index);

/* The first row for that fact, which is the one to use; NULL when it is not known. */
YOKE_API const yoke_chip_fact *yoke_chips_fact(const yoke_chips *chips, const char *chip,
                                               const char *fact);

/* What the data says to a statement, and the figure that decided; *figure is NaN when undecided. */
YOKE_API yoke_chip_verdict yoke_chips_weigh(const yoke_chips *chips,
                                            const yoke_chip_statement *statement, double *figure);

/* A gap above this ratio between two neighbouring rates begins a new tier. */
#define YOKE_CHIP_TIER_GAP 1.08

/* Sorts `count` rates downward and writes the tier of each, from 1, into tiers[] in that order.
 * Returns how many tiers there are. */
YOKE_API size_t yoke_chip_tiers(double *rates, size_t count, size_t *tiers);

typedef enum yoke_chip_severity {
    YOKE_CHIP_NOTE = 0,
    YOKE_CHIP_WARNING = 1,
    YOKE_CHIP_ERROR = 2 /* arithmetic says that something published is wrong */
} yoke_chip_severity;

/* "note", "warning", "error"; "?" for any other value. Static text. */
YOKE_API const char *yoke_chip_severity_name(yoke_chip_severity severity);

typedef struct yoke_chip_finding {
    yoke_chip_severity severity;
    size_t row;       /* 0: of no single row */
    const char *rule; /* "size/time", "system bandwidth", ...; see docs/chips.md */
    const char *text; /* one line */
} yoke_chip_finding;

/* Opaque. */
typedef struct yoke_chip_audit yoke_chip_audit;

/* Holds every rule against the measurements. What a rule finds on a row that is already in doubt is
 * a note. Free with yoke_chip_audit_free. Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_chips_audit(const yoke_chips *chips, yoke_chip_audit **audit,
                                      yoke_error *err);
YOKE_API void yoke_chip_audit_free(yoke_chip_audit *audit); /* takes NULL */

/* Errors first, then warnings, then notes, each in the order of rows. NULL past the end. */
YOKE_API const yoke_chip_finding *yoke_chip_audit_finding(const yoke_chip_audit *audit,
                                                          size_t index);
YOKE_API size_t yoke_chip_audit_count(const yoke_chip_audit *audit, yoke_chip_severity severity);

#ifdef __cplusplus
}
#endif
#endif
