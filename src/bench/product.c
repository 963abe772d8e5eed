#include "bench/product.h"

#include <stdio.h>
#include <string.h>

#include "engines/error_model.h"
#include "measure/verdict.h"
#include "measure/wander.h"

/* A product that takes longer is taken for hung. */
#define DEADLINE_NS UINT64_C(60000000000)

static yoke_status product_multiply(bench_product *p, size_t n_begin, double *elapsed_ns,
                                    yoke_error *err)
{
    p->options.n_begin = n_begin;
    p->options.n_count = p->y.cols;
    p->options.deadline_ns = DEADLINE_NS;
    p->timing = (yoke_timing){0};
    uint64_t begin = yoke_clock_ns();
    yoke_status status =
        yoke_weight_multiply(p->weight, &p->x, &p->y, &p->options, &p->timing, &p->failure);
    *elapsed_ns = (double)(yoke_clock_ns() - begin);
    if (status != YOKE_OK)
        return yoke_error_set(err, status, "%s", p->failure.text);
    return YOKE_OK;
}

static bool device_timed(const yoke_timing *t)
{
    return t->device_begin_ns != 0 && t->device_end_ns > t->device_begin_ns;
}

yoke_status bench_product_run(void *arg, double *elapsed_ns, yoke_error *err)
{
    bench_product *p = arg;
    size_t begin =
        wander_begin(yoke_weight_outputs(p->weight), p->y.cols, p->facts->granule_n, p->runs++);
    yoke_status status = product_multiply(p, begin, elapsed_ns, err);
    const yoke_timing *t = &p->timing;
    if (status == YOKE_OK && device_timed(t))
        status = yoke_series_add(&p->device, (double)(t->device_end_ns - t->device_begin_ns), err);
    return status;
}

static void judge(const yoke_check_result *found, yoke_record_row *row)
{
    char reason[160];
    snprintf(row->check, sizeof row->check, "%s", yoke_verdict_name(found->verdict));
    if (found->verdict != YOKE_VERDICT_UNCHECKED)
        row->check_worst = found->worst;
    if (found->verdict == YOKE_VERDICT_RIGHT)
        return;
    verdict_say(found, reason, sizeof reason);
    yoke_record_row_fail(row, reason);
}

void bench_product_check(bench_product *p, size_t n_begin, yoke_record_row *row)
{
    size_t bytes = 0;
    double elapsed_ns;
    yoke_error err = {0};
    yoke_format_bytes(p->y.format, p->y.rows, p->y.cols, &bytes, NULL);
    memset(p->y.data, 0xff, bytes); /* NaN in every float format: what is not written shows */
    yoke_status status = product_multiply(p, n_begin, &elapsed_ns, &err);
    yoke_check_result found = {0};
    yoke_error_model model = error_model_of(p->facts, p->options.precision);
    if (status == YOKE_OK)
        status = yoke_check_product(p->check, &p->x, &p->y, n_begin, &model, &found, &err);
    if (status == YOKE_OK)
        judge(&found, row);
    else
        yoke_record_row_fail(row, err.text);
}

static void report_rates(const bench_product *p, yoke_record_row *row)
{
    yoke_error err = {0};
    if (yoke_record_row_summarise(row, &err) != YOKE_OK) {
        yoke_record_row_fail(row, err.text);
        return;
    }
    if (row->samples.count == 0)
        return;
    double operations = 2.0 * (double)row->m * (double)row->n * (double)row->k;
    row->naive_gbps = yoke_gbps((double)row->bytes, row->time.median);
    row->tflops = operations / row->time.median * 1e-3; /* 10^9 a second are one per ns */
    yoke_statistics device;
    if (p->device.count > 0 &&
        yoke_statistics_of(p->device.samples_ns, p->device.count, &device, NULL) == YOKE_OK)
        row->device_ns = device.median;
}

/* The window's part of what the whole weight takes. */
static uint64_t part_of(uint64_t bytes, const bench_engine *e, const yoke_record_row *row)
{
    return bytes * row->n / yoke_weight_outputs(e->weight);
}

static uint64_t logical_bytes(const yoke_record_row *row)
{
    size_t bytes = 0;
    yoke_format_bytes(YOKE_F16, row->n, row->k, &bytes, NULL);
    return bytes;
}

bool bench_is_simulated(const bench_engine *e)
{
    return strncmp(e->info->description, "simulated", strlen("simulated")) == 0;
}

void bench_product_report(const bench_engine *e, const bench_product *p, yoke_record_row *row)
{
    row->m = p->x.rows;
    row->n = p->y.cols;
    row->k = p->x.cols;
    row->bytes = part_of(e->stored_bytes, e, row);
    row->prepared_bytes = part_of(e->report.prepared_bytes, e, row);
    const yoke_format_info *format = yoke_format_get(row->format);
    bool plain = format->block == 1 && format->table_bytes == 0;
    row->logical_bytes = plain ? row->bytes : logical_bytes(row);
    snprintf(row->path, sizeof row->path, "%s", p->timing.path ? p->timing.path : "");
    snprintf(row->placement, sizeof row->placement, "%s",
             bench_is_simulated(e)      ? "simulated"
             : device_timed(&p->timing) ? "device timestamps"
                                        : "unproved");
    if (!row->failed)
        report_rates(p, row);
}

void bench_product_free(bench_product *p)
{
    yoke_series_free(&p->device);
}
