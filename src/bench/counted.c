/* What the machine's counters say of one product. They count for whoever runs, and samples are
 * taken in turns with others': so the product runs for a stretch of its own. */
#include <stdio.h>

#include "bench/product.h"
#include "measure/counters.h"

#define STRETCH_NS UINT64_C(300000000) /* counters move about once in a millisecond */
#define RUNS_LEAST 3

/* Runs the product over and over; how often, in *runs. */
static yoke_status run_stretch(const bench *b, bench_product *p, size_t *runs, yoke_error *err)
{
    uint64_t begin = yoke_clock_ns();
    double elapsed_ns;
    for (*runs = 0; *runs < RUNS_LEAST || yoke_clock_ns() - begin < STRETCH_NS; (*runs)++) {
        yoke_status status = bench_go_on(b, err);
        if (status == YOKE_OK)
            status = bench_product_run(p, &elapsed_ns, err);
        if (status != YOKE_OK)
            return status;
    }
    return YOKE_OK;
}

static void report(const counters_reading *reading, size_t runs, yoke_record_row *row)
{
    row->counted_bytes = reading->bytes / (double)runs;
    row->counted_joules = reading->joules / (double)runs;
    snprintf(row->counted_bytes_by, sizeof row->counted_bytes_by, "%s", reading->bytes_source);
    snprintf(row->counted_joules_by, sizeof row->counted_joules_by, "%s", reading->joules_source);
}

static yoke_status count_stretch(const bench *b, counters *c, bench_product *p,
                                 yoke_record_row *row, yoke_error *err)
{
    counters_reading reading;
    yoke_error failure = {0};
    size_t runs;
    counters_begin(c);
    yoke_status status = run_stretch(b, p, &runs, &failure);
    counters_end(c, &reading);
    if (status == YOKE_OK)
        report(&reading, runs, row);
    else if (p->failure.status == YOKE_OK)
        return yoke_error_set(err, status, "%s", failure.text);
    else
        yoke_record_row_fail(row, failure.text);
    return YOKE_OK;
}

yoke_status bench_count(const bench *b, bench_product *p, yoke_record_row *row, yoke_error *err)
{
    counters *c;
    const yoke_host *host = b->record->host;
    yoke_status status = counters_open("", row->engine, host ? host->cpu : "", &c, err);
    if (status != YOKE_OK)
        return status;
    if (counters_any(c))
        status = count_stretch(b, c, p, row, err);
    counters_free(c);
    return status;
}
