/* yoke engines: this machine, then each engine, ready or why not. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options.h"
#include "report/number.h"
#include "wrap.h"
#include "yoke/host.h"

static const verb_option option_table[] = {OPTION_PLUGINS(0), VERB_END};

#define LABEL_WIDTH 10

static void print_labelled(const char *label, const char *text)
{
    size_t column = (size_t)printf("%-*s ", LABEL_WIDTH - 1, label);
    wrap_print(stdout, text, column, LABEL_WIDTH);
}

/* A text that grows to what fits its buffer. */
typedef struct line {
    char text[1024];
    size_t used;
} line;

static void line_add(line *to, const char *format, ...) YOKE_PRINTF(2, 3);

static void line_add(line *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, args);
    va_end(args);
    if (length > 0)
        to->used += (size_t)length;
    if (to->used >= sizeof to->text)
        to->used = sizeof to->text - 1;
}

static void print_host(const yoke_host *host)
{
    line text = {0};
    char features[256];
    line_add(&text, "%s, %zu thread%s (%s)", host->cpu, host->usable_threads,
             host->usable_threads == 1 ? "" : "s", host->usable_reason);
    if (host->core_set_count > 1)
        line_add(&text, ", %zu core sets", host->core_set_count);
    print_labelled("host", text.text);

    text = (line){0};
    yoke_host_features_text(host->features, features, sizeof features);
    line_add(&text, "%s; caches of %s together; memory %s", features[0] ? features : "no features",
             number_bytes(host->cache_bytes).text, number_bytes(host->memory_bytes).text);
    print_labelled("", text.text);

    text = (line){0};
    line_add(&text, "%s", host->os);
    if (host->machine[0])
        line_add(&text, "; %s", host->machine);
    if (host->hypervisor[0])
        line_add(&text, "; a virtual machine (%s)", host->hypervisor);
    if (host->translated)
        line_add(&text, "; x86-64 translated by Rosetta");
    if (host->ane[0])
        line_add(&text, "; Neural Engine %s, %zu cores", host->ane, host->ane_cores);
    if (host->on_battery == 1)
        line_add(&text, "; on battery");
    if (host->low_power == 1)
        line_add(&text, "; in low-power mode");
    print_labelled("", text.text);
}

static void add_native_formats(line *text, uint64_t formats)
{
    line_add(text, "weights as stored:");
    if (formats == 0)
        line_add(text, " none");
    for (int f = 1; f < YOKE_FORMAT_COUNT; f++)
        if (formats >> f & 1)
            line_add(text, " %s", yoke_format_get((yoke_format)f)->name);
}

static void add_largest(line *text, const char *dimension, size_t largest)
{
    if (largest > 0)
        line_add(text, "; %s up to %zu", dimension, largest);
}

/* What is guaranteed, as a sentence. */
static line facts_text(const yoke_engine_facts *facts)
{
    line text = {0};
    add_native_formats(&text, facts->native_formats);
    line_add(&text, "; sums in %s", yoke_format_get(facts->accumulate)->name);
    if (facts->rounds_to != YOKE_FORMAT_NONE)
        line_add(&text, "; x and results rounded to %s", yoke_format_get(facts->rounds_to)->name);
    line_add(&text, "; windows in steps of %zu row%s and %zu output%s", facts->granule_m,
             facts->granule_m == 1 ? "" : "s", facts->granule_n, facts->granule_n == 1 ? "" : "s");
    add_largest(&text, "M", facts->max_m);
    add_largest(&text, "N", facts->max_n);
    add_largest(&text, "K", facts->max_k);
    line_add(&text, facts->zeroes_subnormals ? "; zeroes subnormals" : "; keeps subnormals");
    if (facts->saturation > 0)
        line_add(&text, "; clips at %g", facts->saturation);
    line_add(&text, facts->copies ? "; copies x and y" : "; x and y in place");
    return text;
}

/* *facts holds those of the engine before: the core sets of one device are not told apart by them.
 */
static void print_engine(const yoke_engine_info *info, line *facts)
{
    line text = {0};
    if (info->ready)
        line_add(&text, "ready: %s", info->description);
    else
        line_add(&text, "not ready: %s", info->reason);
    print_labelled(info->name, text.text);
    if (!info->ready)
        return;
    line own = facts_text(&info->facts);
    print_labelled("", strcmp(own.text, facts->text) == 0 ? "(as the one above)" : own.text);
    *facts = own;
}

static int list(const char *plugins)
{
    yoke_error err = {0};
    yoke_context_options options = {.plugin_dir = plugins};
    yoke_context *context = NULL;
    yoke_host *host = calloc(1, sizeof *host);
    yoke_status status = host ? yoke_host_read(host, &err)
                              : yoke_error_set(&err, YOKE_ERR_MEMORY, "no memory for the host");
    if (status == YOKE_OK)
        status = yoke_context_create(&options, &context, &err);
    if (status == YOKE_OK) {
        line facts = {0};
        print_host(host);
        for (size_t i = 0; i < yoke_context_engine_count(context); i++) {
            putchar('\n');
            print_engine(yoke_context_engine_info(context, i), &facts);
        }
    }
    yoke_context_free(context);
    free(host);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

static bool take(void *request, int key, const char *value)
{
    (void)key; /* --plugins */
    *(const char **)request = value;
    return true;
}

static int run(int argc, char **argv)
{
    const char *plugins = NULL;
    int code = verb_parse(&engines_verb, argc, argv, take, &plugins);
    if (code != CLI_GO_ON)
        return code;
    if (optind < argc)
        return cli_usage(argv[0], "does not take '%s'", argv[optind]);
    return list(plugins);
}

const verb engines_verb = {
    .name = "engines",
    .summary = "what can multiply on this machine, or why it cannot",
    .run = run,
    .usage = {"[--plugins DIR]"},
    .description =
        "Lists this machine and each engine: ready or why not, what it uses, how it computes.",
    .options = option_table,
    .exit_status = VERB_PLAIN_STATUS,
};
