/* A language model's last layer at M = 1: what a split over two engines reads in a second, against
 * what the cores of "cpu" reach together on a plain read of as many bytes, in turns. */
#include <math.h>
#include <stdlib.h>

#include "report.h"
#include "yoke/tune.h"

enum { N = 128256, K = 4096, TUNE_SECONDS = 20 };

typedef struct product {
    yoke_plan *plan;
    yoke_matrix x, y;
    yoke_run run;
} product;

typedef struct plain_read {
    yoke_engine *engine;
    const yoke_matrix *w;
    size_t bytes;
} plain_read;

static yoke_status run_product(void *arg, double *elapsed_ns, yoke_error *err)
{
    product *p = arg;
    uint64_t begin = yoke_clock_ns();
    yoke_status status = yoke_matmul(p->plan, &p->x, &p->y, NULL, &p->run, err);
    *elapsed_ns = (double)(yoke_clock_ns() - begin);
    return status;
}

static yoke_status run_read(void *arg, double *elapsed_ns, yoke_error *err)
{
    const plain_read *r = arg;
    double per_second = 1;
    yoke_limit_request request = {.size = sizeof request,
                                  .limit = YOKE_LIMIT_READ,
                                  .bytes = r->w->data,
                                  .byte_count = r->bytes};
    yoke_status status = yoke_engine_limit(r->engine, &request, &per_second, err);
    *elapsed_ns = (double)r->bytes / per_second * 1e9;
    return status;
}

static yoke_plan *make_plan(const two_engines *two, const yoke_matrix *w)
{
    yoke_error err = {0};
    yoke_profile *profile;
    yoke_plan *plan;
    const size_t m = 1;
    yoke_tune_options tune = {.seconds = TUNE_SECONDS, .m = &m, .m_count = 1};
    yoke_plan_options options = {.solve = {.axis = YOKE_AXIS_N}};
    must(yoke_profile_create(&profile, &err), &err);
    must(yoke_tune(two->engines, 2, w, &tune, profile, &err), &err);
    must(yoke_plan_create(two->engines, 2, w, profile, &options, &plan, &err), &err);
    yoke_profile_free(profile);
    return plan;
}

int main(int argc, char **argv)
{
    two_engines two;
    yoke_error err = {0};
    yoke_engine *cpu;
    plain_read read;
    yoke_series series[2] = {{0}};
    open_two(argc, argv, &two);
    must(yoke_engine_open(two.context, "cpu", &cpu, &err), &err);
    stay_on(two.cpus[0]);
    yoke_matrix w = random_matrix(YOKE_F16, N, K, 1);
    product p = {.plan = make_plan(&two, &w),
                 .x = random_matrix(YOKE_F32, 1, K, 2),
                 .y = random_matrix(YOKE_F32, 1, N, 3)};
    read = (plain_read){.engine = cpu, .w = &w};
    must(yoke_format_bytes(w.format, N, K, &read.bytes, &err), &err);
    yoke_subject subjects[2] = {{run_product, &p}, {run_read, &read}};
    yoke_sampling sampling = {.min_samples = 41, .min_seconds = 3, .max_seconds = 30};
    must(yoke_sample(subjects, 2, &sampling, series, &err), &err);
    double split = yoke_gbps((double)read.bytes, median_of(series[0].samples_ns, series[0].count));
    double plain = yoke_gbps((double)read.bytes, median_of(series[1].samples_ns, series[1].count));
    report_number("weight", "MB", (double)read.bytes * 1e-6);
    report_number("samples of each", "", (double)series[0].count);
    report_number("engines with a share", "", (double)p.run.part_count);
    report_number("share of the first", "%", 100.0 * (double)p.run.parts[0].count / (double)N);
    report_number("split", "GB/s", split);
    report_number("plain read of all cores", "GB/s", plain);
    report_number("split, of the plain read", "%", 100 * split / plain);
    report_end();
    yoke_series_free(&series[0]);
    yoke_series_free(&series[1]);
    yoke_engine_free(cpu);
    yoke_plan_free(p.plan);
    yoke_matrix_free(&p.y);
    yoke_matrix_free(&p.x);
    yoke_matrix_free(&w);
    close_two(&two);
    return 0;
}
