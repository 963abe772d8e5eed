/* A figure of an engine, by the rules of docs/planning.md: published for the chip, else scaled from
 * the chips of its generation, else from all. */
#include "planner/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chips/value.h"

/* No published figure: a pool of threads that wakes, and nothing slower than a GPU's call. */
#define CPU_CALL_LOW_US  1
#define CPU_CALL_HIGH_US 10

/* Reads of less than this may come from a cache. */
#define BEYOND_CACHES_MB 100

static const struct {
    const char *engine;
    figure_kind kind;
    const char *fact;
    const char
        *unit; /* a fact of the chip in proportion to which the figure is scaled; NULL: as is */
    bool each; /* the fact is that of one unit */
} rules[] = {
    {"gpu", FIGURE_GBPS, "gpu_gbps", "system_gbps", false},
    {"cpu", FIGURE_GBPS, "cpu_gbps", "system_gbps", false},
    {"ane", FIGURE_GBPS, "ane_gbps", NULL, false},
    {"gpu", FIGURE_TFLOPS, "gpu_tflops", "gpu_cores", false},
    {"cpu", FIGURE_TFLOPS, "cpu_tflops", NULL, false},
    {"ane", FIGURE_TFLOPS, "ane_tflops", "ane_count", true},
    {"gpu", FIGURE_CALL_US, "gpu_call_us", NULL, false},
    {"cpu", FIGURE_CALL_US, "cpu_call_us", NULL, false},
    {"ane", FIGURE_CALL_US, "ane_call_us", NULL, false},
};
#define RULE_COUNT (sizeof rules / sizeof rules[0])

yoke_planner_figure figure_known(double value, yoke_planner_basis basis, const char *source)
{
    yoke_planner_figure figure = {.low = value, .high = value, .basis = basis};
    snprintf(figure.source, sizeof figure.source, "%s", source);
    return figure;
}

bool figure_is_known(const yoke_planner_figure *figure)
{
    return figure->low > 0;
}

yoke_planner_basis figure_weaker(yoke_planner_basis a, yoke_planner_basis b)
{
    return a > b ? a : b;
}

static yoke_planner_figure unknown(void)
{
    return figure_known(NAN, YOKE_PLANNER_ASSUMED, "");
}

/* Takes one more value into the range; the source named is that of the first. */
static void widen(yoke_planner_figure *figure, double value, const char *source)
{
    if (!figure_is_known(figure)) {
        *figure = figure_known(value, YOKE_PLANNER_PUBLISHED, source);
        return;
    }
    figure->low = fmin(figure->low, value);
    figure->high = fmax(figure->high, value);
}

/* Rows of measurements that say how fast the engine reads weights from memory. */
static void read_rates(const yoke_chips *chips, const char *chip, const char *engine, bool slopes,
                       yoke_planner_figure *figure)
{
    const yoke_chip_measurement *m;
    for (size_t i = 0; (m = yoke_chips_measurement(chips, i)); i++) {
        if (!value_same_name(m->chip, chip) || strcasecmp(m->engine, engine) != 0 || *m->doubt ||
            m->mode != YOKE_CHIP_SOLO || value_known(m->index_bits))
            continue;
        bool large = !value_known(m->megabytes) || m->megabytes.value >= BEYOND_CACHES_MB;
        double rate = yoke_chip_rate(m, NULL);
        if (rate > 0 && (slopes ? strcmp(m->method, "slope") == 0 : large))
            widen(figure, rate, m->source);
    }
}

static double unit_of(const yoke_chips *chips, const char *chip, const char *unit)
{
    const yoke_chip_fact *fact = unit ? yoke_chips_fact(chips, chip, unit) : NULL;
    return !unit ? 1 : fact ? fact->number : NAN;
}

/* What is published for the chip itself. */
static yoke_planner_figure own(const yoke_chips *chips, const char *chip, size_t rule)
{
    yoke_planner_figure figure = unknown();
    if (rules[rule].kind == FIGURE_GBPS)
        read_rates(chips, chip, rules[rule].engine, true, &figure);
    if (rules[rule].kind == FIGURE_GBPS && !figure_is_known(&figure))
        read_rates(chips, chip, rules[rule].engine, false, &figure);
    if (figure_is_known(&figure))
        return figure;
    double times = rules[rule].each ? unit_of(chips, chip, rules[rule].unit) : 1;
    const yoke_chip_fact *fact;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++)
        if (strcmp(fact->fact, rules[rule].fact) == 0 && value_same_name(fact->chip, chip) &&
            times > 0)
            widen(&figure, fact->number * times, fact->source);
    return figure;
}

/* "M4" of "M4 Max" */
static bool same_generation(const char *a, const char *b)
{
    size_t length = strcspn(a, " ");
    return strcspn(b, " ") == length && strncmp(a, b, length) == 0;
}

static bool first_row_of_chip(const yoke_chips *chips, size_t index)
{
    const char *chip = yoke_chips_fact_at(chips, index)->chip;
    for (size_t i = 0; i < index; i++)
        if (strcmp(yoke_chips_fact_at(chips, i)->chip, chip) == 0)
            return false;
    return true;
}

static void name_sources(yoke_planner_figure *figure, const char *unit, const char *names)
{
    figure->basis = YOKE_PLANNER_ASSUMED;
    if (unit)
        snprintf(figure->source, sizeof figure->source, "scaled by %s from %s", unit, names);
    else
        snprintf(figure->source, sizeof figure->source, "as %s", names);
}

/* The same of other chips, for one unit of theirs, times the units of this one. */
static yoke_planner_figure scaled(const yoke_chips *chips, const char *chip, size_t rule,
                                  bool generation)
{
    const char *unit = rules[rule].unit;
    double times = unit_of(chips, chip, unit);
    yoke_planner_figure figure = unknown();
    char names[120] = "";
    const yoke_chip_fact *fact;
    for (size_t i = 0; times > 0 && (fact = yoke_chips_fact_at(chips, i)); i++) {
        if (!first_row_of_chip(chips, i) || (generation && !same_generation(fact->chip, chip)))
            continue;
        yoke_planner_figure theirs = own(chips, fact->chip, rule);
        double units = unit_of(chips, fact->chip, unit);
        if (!figure_is_known(&theirs) || !(units > 0))
            continue;
        widen(&figure, theirs.low / units * times, "");
        widen(&figure, theirs.high / units * times, "");
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", fact->chip);
    }
    if (figure_is_known(&figure))
        name_sources(&figure, unit, names);
    return figure;
}

yoke_planner_figure figure_of(const yoke_chips *chips, const char *chip, const char *engine,
                              figure_kind kind)
{
    size_t rule = 0;
    while (rule < RULE_COUNT &&
           (rules[rule].kind != kind || strcmp(rules[rule].engine, engine) != 0))
        rule++;
    if (rule == RULE_COUNT)
        return unknown();
    yoke_planner_figure figure = own(chips, chip, rule);
    if (!figure_is_known(&figure))
        figure = scaled(chips, chip, rule, true);
    if (!figure_is_known(&figure))
        figure = scaled(chips, chip, rule, false);
    if (!figure_is_known(&figure) && strcmp(rules[rule].fact, "cpu_call_us") == 0) {
        figure = figure_known(CPU_CALL_LOW_US, YOKE_PLANNER_ASSUMED, "threads that wake");
        figure.high = CPU_CALL_HIGH_US;
    }
    return figure;
}
