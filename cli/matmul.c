/* yoke matmul: one product on each engine, timed in turns, each result checked. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "number.h"
#include "table.h"
#include "tensor.h"
#include "yoke/measure.h"

static const char help_text[] =
    "usage: yoke matmul [FILE [--tensor NAME] | --shape MxNxK] [OPTION]...\n"
    "\n"
    "Computes y = x * w^T (y is M x N, x is M x K, w is N x K) on each engine, with w from a file "
    "or\n"
    "random, and x random; times the engines in turns and checks each result.\n"
    "\n"
    "  --shape MxNxK     a random weight of that shape; NxK with --m [1x4096x4096]\n"
    "  --tensor NAME     the weight in FILE; not needed when there is only one\n"
    "  --m M             rows of x [1]\n"
    "  --format F        format of the weight: f32 f16 bf16 q8_0 q4_0 [f16, or that of the file]\n"
    "  --x-format F      format of x: f32 f16 bf16 [f32]\n"
    "  --engine SPEC     an engine, as NAME[:DEVICE][,key=value]...; may be repeated [all]\n"
    "  --check           check the result of every run, not of the first alone\n"
    "  --seed S          of the random values [1]\n" CLI_COMMON_HELP;

#define MAX_ENGINES 32

typedef struct request {
    const char *path, *tensor; /* of the weight, or NULL for a random one */
    size_t m, n, k;            /* n and k of a random weight */
    bool has_shape;
    yoke_format format; /* of the weight; YOKE_FORMAT_NONE: as it comes */
    yoke_format x_format;
    const char *engines[MAX_ENGINES]; /* none: all that are ready */
    size_t engine_count;
    bool check_all;
    uint64_t seed;
    const char *plugins;
} request;

/* What all engines share. */
typedef struct product {
    yoke_file *file;
    yoke_matrix w;
    bool owns_w;
    yoke_matrix x;
    yoke_check *check;
    bool check_all;
} product;

/* One engine's part in it. */
typedef struct entry {
    const product *of;
    const char *specification;
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_prepare_report report;
    yoke_matrix y;
    const char *path;
    yoke_check_result checked;
    yoke_error failure; /* status YOKE_OK while all is well */
    yoke_series series;
} entry;

static yoke_status load_weight(const request *what, product *p, yoke_error *err)
{
    const yoke_tensor *tensor;
    yoke_status status = yoke_file_open(what->path, &p->file, err);
    if (status == YOKE_OK)
        status = tensor_find(p->file, what->tensor, &tensor, err);
    if (status == YOKE_OK)
        status = yoke_file_matrix(p->file, tensor, &p->w, NULL, err);
    if (status != YOKE_OK || what->format == YOKE_FORMAT_NONE || what->format == p->w.format)
        return status;
    yoke_matrix converted;
    status = yoke_matrix_create(what->format, p->w.rows, p->w.cols, &converted, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_convert(&p->w, &converted, err);
    p->w = converted;
    p->owns_w = true;
    return status;
}

static yoke_status make_weight(const request *what, product *p, yoke_error *err)
{
    yoke_format format = what->format == YOKE_FORMAT_NONE ? YOKE_F16 : what->format;
    yoke_status status = yoke_matrix_create(format, what->n, what->k, &p->w, err);
    if (status != YOKE_OK)
        return status;
    p->owns_w = true;
    return yoke_matrix_fill_random(&p->w, what->seed, err);
}

static yoke_status product_make(const request *what, product *p, yoke_error *err)
{
    *p = (product){.check_all = what->check_all};
    yoke_status status = what->path ? load_weight(what, p, err) : make_weight(what, p, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(what->x_format, what->m, p->w.cols, &p->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_fill_random(&p->x, what->seed + 1, err);
    if (status == YOKE_OK)
        status = yoke_check_create(&p->w, what->seed, &p->check, err);
    return status;
}

static void product_free(product *p)
{
    yoke_check_free(p->check);
    yoke_matrix_free(&p->x);
    if (p->owns_w)
        yoke_matrix_free(&p->w);
    yoke_file_free(p->file);
}

/* The relative rounding of one accumulation in that type. */
static double unit_of(yoke_format accumulate)
{
    switch (accumulate) {
    case YOKE_F16: return 0x1p-11;
    case YOKE_BF16: return 0x1p-8;
    default: return 0; /* yoke_error_model: fp32 */
    }
}

static void check(entry *e)
{
    const yoke_engine_facts *facts = &yoke_engine_describe(e->engine)->facts;
    yoke_error_model model = {.unit = unit_of(facts->accumulate), .saturation = facts->saturation};
    yoke_error *err = &e->failure;
    const product *p = e->of;
    if (yoke_check_product(p->check, &p->x, &e->y, 0, &model, &e->checked, err) != YOKE_OK)
        return;
    if (e->checked.verdict != YOKE_VERDICT_RIGHT)
        yoke_error_set(err, YOKE_ERR_CHECK,
                       "%s: result is %s: error %.3g times its bound at y[%zu][%zu]",
                       e->specification, yoke_verdict_name(e->checked.verdict), e->checked.worst,
                       e->checked.row, e->checked.col);
}

static double multiply(entry *e)
{
    yoke_timing timing = {0};
    uint64_t begin = yoke_clock_ns();
    if (yoke_weight_multiply(e->weight, &e->of->x, &e->y, NULL, &timing, &e->failure) != YOKE_OK)
        return 0;
    uint64_t end = yoke_clock_ns();
    e->path = timing.path;
    return (double)(end - begin);
}

/* Opens, prepares, multiplies once and checks. What goes wrong stays with the entry. */
static void entry_open(entry *e, yoke_context *context)
{
    yoke_error *err = &e->failure;
    const product *p = e->of;
    if (yoke_engine_open(context, e->specification, &e->engine, err) != YOKE_OK ||
        yoke_weight_prepare(e->engine, &p->w, &e->weight, &e->report, err) != YOKE_OK ||
        yoke_matrix_create(YOKE_F32, p->x.rows, p->w.rows, &e->y, err) != YOKE_OK)
        return;
    multiply(e);
    if (e->failure.status == YOKE_OK)
        check(e);
}

static void entry_close(entry *e)
{
    yoke_series_free(&e->series);
    yoke_matrix_free(&e->y);
    yoke_weight_free(e->weight);
    yoke_engine_free(e->engine);
}

/* A yoke_subject. An engine that fails on the way must not end the others' series: from then on it
 * takes part with runs that cost nothing and are not shown. */
static yoke_status run(void *arg, double *elapsed_ns, yoke_error *err)
{
    (void)err;
    entry *e = arg;
    *elapsed_ns = e->failure.status == YOKE_OK ? multiply(e) : 1;
    if (e->failure.status == YOKE_OK && e->of->check_all)
        check(e);
    return YOKE_OK;
}

/* Times the entries that are well, in turns. */
static yoke_status time_all(entry *entries, size_t count, yoke_error *err)
{
    static const yoke_sampling sampling = {.min_samples = 7,
                                           .min_seconds = 0.1,
                                           .max_seconds = 2,
                                           .warmup_max = 10,
                                           .stop = &cli_stopped};
    yoke_subject subjects[MAX_ENGINES];
    yoke_series series[MAX_ENGINES];
    entry *timed[MAX_ENGINES];
    size_t timed_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].failure.status != YOKE_OK)
            continue;
        subjects[timed_count] = (yoke_subject){run, &entries[i]};
        series[timed_count] = (yoke_series){0};
        timed[timed_count++] = &entries[i];
    }
    if (timed_count == 0)
        return YOKE_OK;
    yoke_status status = yoke_sample(subjects, timed_count, &sampling, series, err);
    for (size_t i = 0; i < timed_count; i++)
        timed[i]->series = series[i];
    return status;
}

static void print_product(const product *p, uint64_t seed)
{
    size_t bytes = 0;
    yoke_format_bytes(p->w.format, p->w.rows, p->w.cols, &bytes, NULL);
    printf("y = x * w^T: x %zu x %zu %s, w %zu x %zu %s (%s), seed %llu\n\n", p->x.rows, p->x.cols,
           yoke_format_get(p->x.format)->name, p->w.rows, p->w.cols,
           yoke_format_get(p->w.format)->name, number_bytes(bytes).text, (unsigned long long)seed);
}

static void add_rates(table *t, const entry *e)
{
    const yoke_matrix *w = &e->of->w;
    yoke_statistics of;
    size_t bytes = 0;
    yoke_error err;
    if (yoke_statistics_of(e->series.samples_ns, e->series.count, &of, &err) != YOKE_OK)
        of.median = NAN;
    yoke_format_bytes(w->format, w->rows, w->cols, &bytes, NULL);
    double operations = 2.0 * (double)e->of->x.rows * (double)w->rows * (double)w->cols;
    table_cell(t, "%s", number_time(of.median).text);
    table_cell(t, "%zu", e->series.count);
    table_cell(t, "%s", number_digits(operations / of.median, 3).text);
    table_cell(t, "%s", number_digits(yoke_gbps((double)bytes, of.median), 3).text);
}

static void add_entry(table *t, const entry *e)
{
    bool failed = e->failure.status != YOKE_OK;
    table_cell(t, "%s", e->specification);
    if (failed) {
        for (int i = 0; i < 4; i++)
            table_cell(t, "-");
    } else {
        add_rates(t, e);
    }
    table_cell(t, "%s", e->weight ? yoke_format_get(e->report.format)->name : "");
    table_cell(t, "%s", e->path ? e->path : "");
    table_cell(t, "%s", failed ? "FAILED" : yoke_verdict_name(e->checked.verdict));
    table_end_row(t);
}

/* False when there is no memory. */
static bool print_entries(const entry *entries, size_t count)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},        {"median", TABLE_NUMBER},
                                           {"runs", TABLE_NUMBER},        {"GFLOP/s", TABLE_NUMBER},
                                           {"weight GB/s", TABLE_NUMBER}, {"kept as", TABLE_TEXT},
                                           {"path", TABLE_TEXT},          {"check", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    for (size_t i = 0; i < count; i++)
        add_entry(t, &entries[i]);
    bool ok = table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

/* Says on stderr what failed; the worst exit code of all. */
static int report_failures(const entry *entries, size_t count)
{
    int worst = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].failure.status == YOKE_OK)
            continue;
        int code = cli_fail(&entries[i].failure);
        if (code > worst)
            worst = code;
    }
    return worst;
}

/* The engines asked for, else all that are ready. */
static size_t choose_engines(const request *what, const yoke_context *context, entry *entries)
{
    size_t count = 0;
    for (; count < what->engine_count; count++)
        entries[count].specification = what->engines[count];
    if (count > 0)
        return count;
    const yoke_engine_info *info;
    for (size_t i = 0; count < MAX_ENGINES && (info = yoke_context_engine_info(context, i)); i++)
        if (info->ready)
            entries[count++].specification = info->name;
    return count;
}

static int multiply_on_each(const request *what, const product *p, yoke_context *context)
{
    entry entries[MAX_ENGINES] = {0};
    yoke_error err = {0};
    size_t count = choose_engines(what, context, entries);
    print_product(p, what->seed);
    for (size_t i = 0; i < count && !cli_stopped; i++) {
        entries[i].of = p;
        entry_open(&entries[i], context);
    }
    yoke_status status = cli_stopped ? yoke_error_set(&err, YOKE_ERR_INTERRUPTED, "stopped")
                                     : time_all(entries, count, &err);
    if (status == YOKE_OK && !print_entries(entries, count))
        status = yoke_error_set(&err, YOKE_ERR_MEMORY, "no memory for the table");
    int code = status == YOKE_OK ? report_failures(entries, count) : cli_fail(&err);
    for (size_t i = 0; i < count; i++)
        entry_close(&entries[i]);
    return code;
}

static int matmul(const request *what)
{
    yoke_error err = {0};
    product p;
    yoke_context *context = NULL;
    yoke_context_options options = {.plugin_dir = what->plugins};
    yoke_status status = product_make(what, &p, &err);
    if (status == YOKE_OK)
        status = yoke_context_create(&options, &context, &err);
    int code = status == YOKE_OK ? multiply_on_each(what, &p, context) : cli_fail(&err);
    yoke_context_free(context);
    product_free(&p);
    return code;
}

/* "MxNxK", or "NxK" which leaves m as it is. */
static bool parse_shape(const char *text, request *what)
{
    char copy[80];
    size_t sizes[3], count = 0;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (char *rest = copy; rest; count++) {
        char *part = strsep(&rest, "x");
        if (count == 3 || !cli_parse_size(part, 1, SIZE_MAX, &sizes[count]))
            return false;
    }
    if (count < 2)
        return false;
    what->k = sizes[count - 1];
    what->n = sizes[count - 2];
    what->has_shape = true;
    if (count == 3)
        what->m = sizes[0];
    return true;
}

static bool parse_format(const char *text, bool plain_only, yoke_format *format)
{
    static const yoke_format known[] = {YOKE_F32, YOKE_F16, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    *format = yoke_format_find(text);
    for (size_t i = 0; i < (plain_only ? 3u : 5u); i++)
        if (*format == known[i])
            return true;
    return false;
}

enum { SHAPE = CLI_OPTION_OWN, TENSOR, ROWS, FORMAT, X_FORMAT, ENGINE, CHECK, SEED };

static const struct option long_options[] = {{"shape", required_argument, NULL, SHAPE},
                                             {"tensor", required_argument, NULL, TENSOR},
                                             {"m", required_argument, NULL, ROWS},
                                             {"format", required_argument, NULL, FORMAT},
                                             {"x-format", required_argument, NULL, X_FORMAT},
                                             {"engine", required_argument, NULL, ENGINE},
                                             {"check", no_argument, NULL, CHECK},
                                             {"seed", required_argument, NULL, SEED},
                                             CLI_COMMON_OPTIONS,
                                             {0}};

/* One option into the request; false when its value is not understood. */
static bool take_option(int option, const char *value, request *what)
{
    switch (option) {
    case SHAPE: return parse_shape(value, what);
    case TENSOR: what->tensor = value; return true;
    case ROWS: return cli_parse_size(value, 1, SIZE_MAX, &what->m);
    case FORMAT: return parse_format(value, false, &what->format);
    case X_FORMAT: return parse_format(value, true, &what->x_format);
    case ENGINE:
        if (what->engine_count == MAX_ENGINES)
            return false;
        what->engines[what->engine_count++] = value;
        return true;
    case CHECK: what->check_all = true; return true;
    case SEED: return cli_parse_u64(value, &what->seed);
    default: what->plugins = value; return true; /* CLI_OPTION_PLUGINS */
    }
}

int verb_matmul(int argc, char **argv)
{
    request what = {.m = 1, .n = 4096, .k = 4096, .x_format = YOKE_F32, .seed = 1};
    int option, index;
    while ((option = getopt_long(argc, argv, ":", long_options, &index)) != -1) {
        if (option == ':' || option == '?')
            return cli_bad_option(argv[0], option, argv);
        if (option == CLI_OPTION_HELP) {
            fputs(help_text, stdout);
            return EXIT_DONE;
        }
        if (!take_option(option, optarg, &what))
            return cli_usage(argv[0], "--%s does not understand '%s'", long_options[index].name,
                             optarg);
    }
    if (optind < argc)
        what.path = argv[optind++];
    if (optind < argc)
        return cli_usage(argv[0], "takes one FILE, not '%s' too", argv[optind]);
    if (what.path && what.has_shape)
        return cli_usage(argv[0], "takes FILE or --shape, not both");
    if (what.tensor && !what.path)
        return cli_usage(argv[0], "--tensor needs a FILE");
    cli_catch_signals();
    return matmul(&what);
}
