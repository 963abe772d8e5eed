/* IOReport's channels for an engine, by exact names: "ANE" alone is part of too many. Names differ
 * by chip, and some chips count one thing under two names: the first choice that is there counts,
 * never the sum of two.
 *
 * Bytes come from the memory controller's own count ("AMC Stats"). Chips that hide it have
 * histograms of the engine's rate, taken some thousand times a second: their last bin is open, so a
 * fast stream is read too low, and how often they are taken is known for three chips alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apple/io_report.h"
#include "measure/counters_parts.h"

#define NAMES_MAX   8
#define CHOICES_MAX 3

/* One way of counting: all of these channels, added up. */
typedef struct choice {
    const char *names[NAMES_MAX];
} choice;

typedef struct source {
    const char *engine; /* its specification begins so */
    bool energy;        /* else bytes */
    const char *group, *subgroup;
    choice choices[CHOICES_MAX];
} source;

/* In order of preference. */
static const source sources[] = {
    {"ane",
     false,
     "AMC Stats",
     "Perf Counters",
     {{{"ANE DCS RD", "ANE DCS WR"}}, {{"ANE0 DCS RD", "ANE0 DCS WR"}}, {{"ANE0 RD", "ANE0 WR"}}}},
    {"ane",
     false,
     "PMP",
     "DCS BW",
     {{{"ANE0 RD", "ANE0 WR"}},
      {{"ANE0 L0 RD", "ANE0 L0 WR", "ANE0 L1 RD", "ANE0 L1 WR", "ANE1 L0 RD", "ANE1 L0 WR",
        "ANE1 L1 RD", "ANE1 L1 WR"}}}},
    {"ane", false, "PMP0", "DCS BW", {{{"ANE L0 RD", "ANE L0 WR", "ANE L1 RD", "ANE L1 WR"}}}},
    {"metal", false, "AMC Stats", "Perf Counters", {{{"GFX DCS RD", "GFX DCS WR"}}}},
    {"ane", true, "Energy Model", NULL, {{{"ANE"}}, {{"ANE0_0", "ANE0_1"}}, {{"ANE0"}}}},
    {"metal", true, "Energy Model", NULL, {{{"GPU Energy"}}}},
    {"cpu", true, "Energy Model", NULL, {{{"CPU Energy"}}}},
};

#define SOURCES (sizeof sources / sizeof *sources)

/* How often a chip takes the histograms, each second. */
static const struct {
    const char *cpu;
    double rate;
} sampling[] = {{"Apple M4", 4408}, {"Apple M5", 4766}, {"Apple M6", 4444}};

typedef struct opened {
    const source *source;
    io_report_group group;
} opened;

struct apple_counters {
    io_report io;
    double rate; /* of the histograms; 0 not known */
    opened list[SOURCES];
    size_t count;
};

/* What the channels of one source add up to. */
typedef struct sums {
    const source *source;
    double rate;
    double value[CHOICES_MAX];
    bool found[CHOICES_MAX], saturated[CHOICES_MAX];
} sums;

static double scale_of(const io_report *io, cf_ref channel)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"mJ", 1e-3}, {"uJ", 1e-6}, {"nJ", 1e-9}};
    char unit[16];
    io_report_unit(io, channel, unit, sizeof unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].unit, 2) == 0) /* blanks may follow */
            return units[i].scale;
    return 1;
}

/* The rate that bin is named after, in GB/s; NaN when its name is no number. */
static double bin_rate(const io_report *io, cf_ref channel, int32_t bin)
{
    char name[32], *end;
    core_foundation_text(&io->cf, io->IOReportStateGetNameForIndex(channel, bin), name,
                         sizeof name);
    double rate = strtod(name, &end);
    return end == name ? (double)NAN : rate;
}

/* Bytes from a histogram: each sample stands for 1 / rate seconds at the middle of its bin. Bins
 * are 1 GB/s wide, and named by their lower end where the first of them is 0, else by the upper. */
static double histogram_bytes(const io_report *io, cf_ref channel, double rate, bool *saturated)
{
    int32_t bins = io->IOReportStateGetCount(channel);
    if (bins < 2 || rate <= 0)
        return (double)NAN;
    double middle = bin_rate(io, channel, 0) < 0.5 ? 0.5 : -0.5, sum = 0;
    for (int32_t bin = 0; bin < bins; bin++)
        sum += (bin_rate(io, channel, bin) + middle) *
               (double)io->IOReportStateGetResidency(channel, bin);
    if (io->IOReportStateGetResidency(channel, bins - 1) > 0)
        *saturated = true;
    return sum / rate * 1e9;
}

static void see(void *arg, const io_report *io, cf_ref channel)
{
    sums *s = arg;
    char name[64];
    io_report_name(io, channel, name, sizeof name);
    for (size_t c = 0; c < CHOICES_MAX; c++)
        for (size_t n = 0; n < NAMES_MAX && s->source->choices[c].names[n]; n++) {
            if (strcmp(name, s->source->choices[c].names[n]) != 0)
                continue;
            s->found[c] = true;
            s->value[c] +=
                io_report_plain(io, channel)
                    ? (double)io->IOReportSimpleGetIntegerValue(channel, 0) * scale_of(io, channel)
                    : histogram_bytes(io, channel, s->rate, &s->saturated[c]);
        }
}

/* "IOReport AMC Stats: ANE DCS RD and others" */
static void name_source(const sums *s, size_t c, char *out, size_t room)
{
    const choice *chosen = &s->source->choices[c];
    snprintf(out, room, "IOReport %s: %s%s%s", s->source->group, chosen->names[0],
             chosen->names[1] ? " and its likes" : "",
             s->saturated[c] ? ", in part beyond its scale: at least so much" : "");
}

/* The first choice that is there and moved; *value stays NaN without one. */
static void read_source(apple_counters *a, opened *from, double *value, char *name, size_t room)
{
    sums s = {.source = from->source, .rate = a->rate};
    io_report_end(&a->io, &from->group, see, &s);
    for (size_t c = 0; c < CHOICES_MAX && isnan(*value); c++)
        if (s.found[c] && s.value[c] > 0) {
            *value = s.value[c];
            name_source(&s, c, name, room);
        }
}

static bool is_for(const source *s, const char *engine)
{
    if (strncmp(engine, "coreml", 6) == 0) /* which is asked for the Neural Engine too */
        engine = "ane";
    return strncmp(engine, s->engine, strlen(s->engine)) == 0;
}

static void open_sources(apple_counters *a, const char *engine)
{
    for (size_t i = 0; i < SOURCES; i++) {
        opened *next = &a->list[a->count];
        next->source = &sources[i];
        if (is_for(next->source, engine) &&
            io_report_open(&a->io, sources[i].group, sources[i].subgroup, &next->group))
            a->count++;
    }
}

yoke_status apple_counters_open(const char *engine, const char *cpu, apple_counters **out,
                                yoke_error *err)
{
    *out = NULL;
    apple_counters *a = calloc(1, sizeof *a);
    if (!a)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "counters: no memory");
    for (size_t i = 0; i < sizeof sampling / sizeof *sampling; i++)
        if (strcmp(cpu, sampling[i].cpu) == 0)
            a->rate = sampling[i].rate;
    if (io_report_load(&a->io, NULL) == YOKE_OK)
        open_sources(a, engine);
    if (a->count > 0)
        *out = a;
    else
        free(a);
    return YOKE_OK;
}

void apple_counters_free(apple_counters *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->count; i++)
        io_report_close(&a->io, &a->list[i].group);
    free(a);
}

void apple_counters_begin(apple_counters *a)
{
    for (size_t i = 0; i < a->count; i++)
        io_report_begin(&a->io, &a->list[i].group);
}

void apple_counters_end(apple_counters *a, counters_reading *reading)
{
    for (size_t i = 0; i < a->count; i++) {
        if (a->list[i].source->energy)
            read_source(a, &a->list[i], &reading->joules, reading->joules_source,
                        sizeof reading->joules_source);
        else
            read_source(a, &a->list[i], &reading->bytes, reading->bytes_source,
                        sizeof reading->bytes_source);
    }
}
