/* What the programs here share: two engines and a plan over them, and results in two forms. */
#ifndef SPLIT_REPORT_H
#define SPLIT_REPORT_H

#include "yoke/measure.h"
#include "yoke/plan.h"

/* Ends the program with the error's text unless the status is YOKE_OK. */
void must(yoke_status status, const yoke_error *err);

/* Opens the two engines named by argv[1] and argv[2], else the defaults. */
typedef struct two_engines {
    yoke_context *context;
    const char *names[2];
    yoke_engine *engines[2];
    unsigned cpus[2]; /* the first one of each of the first two core sets */
} two_engines;
void open_two(int argc, char **argv, two_engines *two);
void close_two(two_engines *two);

/* Keeps the calling thread on that CPU: on the first one for a thread whose waiting is the first
 * engine's work. After all engines are opened, as they use what the thread may use. */
void stay_on(unsigned cpu);

/* A random matrix. */
yoke_matrix random_matrix(yoke_format format, size_t rows, size_t cols, uint64_t seed);

/* One line of a markdown list, and one member of the JSON object that report_end prints after it.
 */
void report_text(const char *name, const char *value);
void report_number(const char *name, const char *unit, double value);
void report_end(void);

/* Of samples in ns. */
double median_of(const double *samples, size_t count);
double p99_of(const double *samples, size_t count);

#endif
