/* What only the Neural Engine's sizes and chains show:
 *
 *     depth        1, 4, 16 and 64 products in one program: what a single product leaves unused
 *     working set  weights from 1.25 MiB on, one row: where reading slows down, the own memory ends
 *     last axis    1 to 128 rows: what a program for so many takes
 *     int8, f16    the same product in both, bound by bytes (one row) and by operations (512)
 *     direct       the same product by the private framework and by Core ML
 *     procedures   eight weights in one program, beside a program for each: preparing and running
 *     notch        a shape whose reads were seen to be slow, and one beside it */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "bench/ane_case.h"
#include "bench/ane_several.h"
#include "yoke/measure.h"

enum {
    SIDE = 1024, /* of the weights of most cases, unless the options say otherwise */
    SETS = 6,
    WIDE = 512,
    DEPTHS = 4,
    PARTS = 7 /* of the time */
};
#define LIMIT_NS UINT64_C(20000000)

typedef struct suite {
    bench *b;
    yoke_context *context;
    const char *specification;
    double seconds; /* for each part */
    size_t side;    /* of most weights */
} suite;

/* The engine with more options; what cannot be opened is a note, and *e has no engine then. */
static yoke_status open_with(const suite *s, const char *specification, const char *options,
                             char name[128], bench_engine *e, yoke_error *err)
{
    yoke_error reason = {0};
    snprintf(name, 128, "%s%s", specification, options);
    yoke_status status = bench_open(s->b, s->context, name, e, &reason);
    if (status == YOKE_OK)
        return YOKE_OK;
    if (status == YOKE_ERR_MEMORY)
        return yoke_error_set(err, status, "%s", reason.text);
    return yoke_record_add_text(&s->b->record->notes, err, "ane: %s", reason.text);
}

/* The engine itself has checked what the chain gives. */
static yoke_status measure_depth(const suite *s, size_t depth, yoke_error *err)
{
    char options[32], name[128], what[32];
    bench_engine e;
    yoke_record_row *row;
    snprintf(options, sizeof options, ",depth=%zu", depth);
    snprintf(what, sizeof what, "depth %zu", depth);
    yoke_status status = open_with(s, s->specification, options, name, &e, err);
    if (status != YOKE_OK || !e.engine)
        return status;
    status = bench_add_row(s->b, &e, "ane", what, &row, err);
    if (status == YOKE_OK) {
        const yoke_limit_request request = {.size = sizeof request,
                                            .limit = YOKE_LIMIT_COMPUTE,
                                            .format = YOKE_F16,
                                            .x_format = YOKE_F16,
                                            .duration_ns = LIMIT_NS};
        double per_second = 0;
        yoke_error failure = {0};
        row->format = row->prepared_format = row->x_format = YOKE_F16;
        row->cached = true;
        snprintf(row->placement, sizeof row->placement, "%s",
                 bench_is_simulated(&e) ? "simulated" : "unproved");
        if (yoke_engine_limit(e.engine, &request, &per_second, &failure) == YOKE_OK) {
            row->tflops = per_second * 1e-12;
            snprintf(row->check, sizeof row->check, "%s", yoke_verdict_name(YOKE_VERDICT_RIGHT));
        } else {
            yoke_record_row_fail(row, failure.text);
        }
    }
    yoke_engine_free(e.engine);
    return status;
}

/* The next chain is four times as long. */
static yoke_status measure_depths(const suite *s, yoke_error *err)
{
    static const size_t depths[DEPTHS] = {1, 4, 16, 64};
    double took = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < DEPTHS && status == YOKE_OK; i++) {
        if (took > s->seconds)
            return yoke_record_add_text(&s->b->record->notes, err,
                                        "ane: chains stop before %zu products: the time does not "
                                        "allow more",
                                        depths[i]);
        const uint64_t begin = yoke_clock_ns();
        status = measure_depth(s, depths[i], err);
        if (status == YOKE_OK)
            status = bench_go_on(s->b, err);
        took = (double)(yoke_clock_ns() - begin) * 1e-9;
    }
    return status;
}

/* From 320 by 2048 on, 1.25 MiB of f16, then twice that five times: none is near the notch. */
static yoke_status measure_working_sets(const suite *s, const bench_engine *e, yoke_error *err)
{
    const size_t rows = s->side * 5 / 16, cols = s->side * 2;
    yoke_status status = YOKE_OK;
    for (unsigned i = 0; i < SETS && status == YOKE_OK; i++) {
        const ane_case c = {e, "working set", YOKE_F16, 1, rows << i, cols};
        bench_progress(s->b, e, "ane: a working set of %zu by %zu", c.n, c.k);
        status = ane_case_measure(s->b, &c, 1, s->seconds / SETS, err);
    }
    return status;
}

static yoke_status measure_last_axis(const suite *s, yoke_error *err)
{
    static const size_t rows[] = {1, 2, 4, 8, 16, 32, 64, 96, 128};
    enum { COUNT = sizeof rows / sizeof *rows };
    char name[128];
    bench_engine e;
    yoke_status status = open_with(s, s->specification, ",rows=32/64/96/128", name, &e, err);
    if (status != YOKE_OK || !e.engine)
        return status;
    bench_progress(s->b, &e, "ane: the last axis");
    for (size_t i = 0; i < COUNT && status == YOKE_OK; i++) {
        const ane_case c = {&e, "last axis", YOKE_F16, rows[i], s->side, s->side};
        status = ane_case_measure(s->b, &c, 1, s->seconds / COUNT, err);
    }
    yoke_engine_free(e.engine);
    return status;
}

static yoke_status measure_int8(const suite *s, yoke_error *err)
{
    char name[128];
    bench_engine e;
    yoke_status status = open_with(s, s->specification, ",rows=64/512", name, &e, err);
    if (status != YOKE_OK || !e.engine)
        return status;
    bench_progress(s->b, &e, "ane: int8 and f16");
    for (size_t m = 1; m <= WIDE && status == YOKE_OK; m += WIDE - 1) {
        const ane_case cases[] = {{&e, "f16", YOKE_F16, m, s->side, s->side},
                                  {&e, "int8", YOKE_INT8, m, s->side, s->side}};
        status = ane_case_measure(s->b, cases, 2, s->seconds / 2, err);
    }
    yoke_engine_free(e.engine);
    return status;
}

static yoke_status measure_direct(const suite *s, const bench_engine *e, yoke_error *err)
{
    char name[128];
    bench_engine other;
    yoke_status status = open_with(s, "coreml", "", name, &other, err);
    if (status != YOKE_OK || !other.engine)
        return status;
    bench_progress(s->b, e, "ane: beside Core ML");
    const ane_case cases[] = {{e, "direct", YOKE_F16, 64, s->side, s->side},
                              {&other, "direct", YOKE_F16, 64, s->side, s->side}};
    status = ane_case_measure(s->b, cases, 2, s->seconds, err);
    yoke_engine_free(other.engine);
    return status;
}

static yoke_status measure_procedures(const suite *s, const bench_engine *e, yoke_error *err)
{
    char name[128];
    bench_engine single;
    yoke_status status = open_with(s, s->specification, ",procedures=1", name, &single, err);
    if (status != YOKE_OK || !single.engine)
        return status;
    bench_progress(s->b, e, "ane: several weights in one program");
    status = ane_several_measure(s->b, e, &single, s->side, s->seconds, err);
    yoke_engine_free(single.engine);
    return status;
}

static yoke_status measure_notch(const suite *s, const bench_engine *e, yoke_error *err)
{
    const ane_case cases[] = {{e, "notch", YOKE_F16, 1, 2 * s->side, 4 * s->side},
                              {e, "beside notch", YOKE_F16, 1, 2 * s->side, s->side * 125 / 32}};
    bench_progress(s->b, e, "ane: near a multiple of 1 MiB");
    return ane_case_measure(s->b, cases, 2, s->seconds, err);
}

static yoke_status run(const suite *s, yoke_error *err)
{
    char name[128];
    bench_engine e;
    yoke_status status = open_with(s, s->specification, "", name, &e, err);
    if (status != YOKE_OK || !e.engine)
        return status;
    bench_progress(s->b, &e, "ane: chains");
    status = measure_depths(s, err);
    if (status == YOKE_OK)
        status = measure_working_sets(s, &e, err);
    if (status == YOKE_OK)
        status = measure_last_axis(s, err);
    if (status == YOKE_OK)
        status = measure_int8(s, err);
    if (status == YOKE_OK)
        status = measure_direct(s, &e, err);
    if (status == YOKE_OK)
        status = measure_procedures(s, &e, err);
    if (status == YOKE_OK)
        status = measure_notch(s, &e, err);
    yoke_engine_free(e.engine);
    return status;
}

static bool is_ane(const char *specification)
{
    return strcspn(specification, ":,") == 3 && strncmp(specification, "ane", 3) == 0;
}

yoke_status bench_ane(bench *b, yoke_context *context, const char *const *specifications,
                      size_t count, yoke_error *err)
{
    const size_t asked = b->options.ane_side, side = asked ? size_min(asked, SIDE) : SIDE;
    bool any = false;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        const suite s = {b, context, specifications[i], b->options.seconds / PARTS, side};
        if (!is_ane(specifications[i]))
            continue;
        any = true;
        status = run(&s, err);
    }
    if (!any)
        status = yoke_record_add_text(&b->record->notes, err,
                                      "ane: no engine of that name takes part: --engine ane");
    return status;
}
