#include "report.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/host.h"

static char json[8192];

void must(yoke_status status, const yoke_error *err)
{
    if (status == YOKE_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

void stay_on(unsigned cpu)
{
#ifdef __linux__
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) == 0)
        return;
#endif
    fprintf(stderr, "cannot keep a thread on CPU %u: the figures are those of one that wanders\n",
            cpu);
}

static void find_cpus(unsigned cpus[2])
{
    yoke_error err = {0};
    yoke_host *host = calloc(1, sizeof *host);
    if (!host)
        exit(1);
    must(yoke_host_read(host, &err), &err);
    if (host->core_set_count < 2) {
        fprintf(stderr, "this needs two core sets\n");
        exit(77);
    }
    for (size_t i = 0; i < 2; i++)
        cpus[i] = host->core_sets[i].cpus[0];
    free(host);
}

void open_two(int argc, char **argv, two_engines *two)
{
    yoke_error err = {0};
    two->names[0] = argc > 1 ? argv[1] : "cpu:0,caller=1";
    two->names[1] = argc > 2 ? argv[2] : "cpu:1,isa=avx2";
    must(yoke_context_create(NULL, &two->context, &err), &err);
    for (size_t i = 0; i < 2; i++)
        must(yoke_engine_open(two->context, two->names[i], &two->engines[i], &err), &err);
    find_cpus(two->cpus);
    report_text("first engine", two->names[0]);
    report_text("second engine", two->names[1]);
}

void close_two(two_engines *two)
{
    yoke_engine_free(two->engines[0]);
    yoke_engine_free(two->engines[1]);
    yoke_context_free(two->context);
}

yoke_matrix random_matrix(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix matrix;
    yoke_error err = {0};
    must(yoke_matrix_create(format, rows, cols, &matrix, &err), &err);
    must(yoke_matrix_fill_random(&matrix, seed, &err), &err);
    return matrix;
}

static void add_json(const char *name, const char *value)
{
    size_t used = strlen(json);
    snprintf(json + used, sizeof json - used, "%s\"%s\": %s", used ? ", " : "", name, value);
}

void report_text(const char *name, const char *value)
{
    char quoted[300];
    printf("- %s: %s\n", name, value);
    snprintf(quoted, sizeof quoted, "\"%s\"", value);
    add_json(name, quoted);
}

void report_number(const char *name, const char *unit, double value)
{
    char text[40], key[120];
    printf("- %s: %.4g %s\n", name, value, unit);
    snprintf(text, sizeof text, "%.9g", value);
    snprintf(key, sizeof key, "%s%s%s", name, *unit ? ", " : "", unit);
    add_json(key, text);
}

void report_end(void)
{
    printf("\n```json\n{%s}\n```\n", json);
}

static yoke_statistics statistics_of(const double *samples, size_t count)
{
    yoke_statistics s;
    yoke_error err = {0};
    must(yoke_statistics_of(samples, count, &s, &err), &err);
    return s;
}

double median_of(const double *samples, size_t count)
{
    return statistics_of(samples, count).median;
}

double p99_of(const double *samples, size_t count)
{
    return statistics_of(samples, count).p99;
}
