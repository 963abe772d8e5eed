/* A prediction as tables: the model, the figures it rests on, and what follows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "plan.h"
#include "report/number.h"
#include "table.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

typedef struct range_text {
    char text[80];
} range_text;

static range_text join(const char *low, const char *high, const char *unit)
{
    range_text out;
    if (strcmp(low, high) == 0)
        snprintf(out.text, sizeof out.text, "%s%s", low, unit);
    else
        snprintf(out.text, sizeof out.text, "%s to %s%s", low, high, unit);
    return out;
}

static range_text time_range(yoke_planner_range ns)
{
    return join(number_time(ns.low).text, number_time(ns.high).text, "");
}

static range_text rate_range(yoke_planner_range ns, size_t rows)
{
    return join(number_digits((double)rows * 1e9 / ns.high, 3).text,
                number_digits((double)rows * 1e9 / ns.low, 3).text, "");
}

static range_text percent_range(yoke_planner_range share)
{
    range_text out;
    double low = round(100 * share.low), high = round(100 * share.high);
    if (low < high)
        snprintf(out.text, sizeof out.text, "%.0f-%.0f %%", low, high);
    else
        snprintf(out.text, sizeof out.text, "%.0f %%", low);
    return out;
}

static uint64_t whole(double value)
{
    return value < 1.8e19 ? (uint64_t)value : UINT64_MAX;
}

/* Prints the table, at most so wide, and frees it. */
static bool finish(table *t, size_t width)
{
    bool ok = t && table_print(t, stdout, width);
    table_free(t);
    return ok;
}

static bool print_products(const planned *p)
{
    static const table_column columns[] = {
        {"product", TABLE_TEXT}, {"outputs", TABLE_NUMBER}, {"inputs", TABLE_NUMBER},
        {"times", TABLE_NUMBER}, {"format", TABLE_TEXT},    {"bytes a pass", TABLE_NUMBER}};
    table *t = table_create(columns, COUNT(columns));
    const yoke_planner_product *product;
    for (size_t i = 0; t && (product = yoke_planner_model_product(p->model, i)); i++) {
        const yoke_format_info *info = yoke_format_get(product->format);
        double blocks = (double)product->n * (double)product->k / (double)info->block;
        table_cell(t, "%s", product->role);
        table_cell(t, "%zu", product->n);
        table_cell(t, "%zu", product->k);
        table_cell(t, "%zu", product->count);
        table_cell(t, "%s", info->name);
        double bytes = blocks * (double)info->block_bytes * (double)product->count;
        table_cell(t, "%s", number_bytes(whole(bytes)).text);
    }
    return finish(t, CLI_WIDTH);
}

static bool print_model(const planned *p)
{
    const yoke_planner_model_info *about = yoke_planner_model_about(p->model);
    printf("%s: %s weights, %s (%s)\n", about->name, number_count(about->parameters).text,
           number_bytes(about->bytes).text, about->source);
    if (*about->note)
        printf("%s\n", about->note);
    putchar('\n');
    return print_products(p);
}

static void add_figure(table *t, const char *engine, const char *what,
                       const yoke_planner_figure *figure, const char *unit)
{
    range_text value =
        join(number_digits(figure->low, 3).text, number_digits(figure->high, 3).text, unit);
    bool known = figure->low > 0;
    table_cell(t, "%s", engine);
    table_cell(t, "%s", what);
    table_cell(t, "%s", known ? value.text : "not known");
    table_cell(t, "%s", known ? yoke_planner_basis_name(figure->basis) : "");
    table_cell(t, "%s", figure->source);
}

static bool print_figures(const planned *p)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT},
                                           {"figure", TABLE_TEXT},
                                           {"value", TABLE_TEXT},
                                           {"", TABLE_TEXT},
                                           {"source", TABLE_TEXT}};
    table *t = table_create(columns, COUNT(columns));
    if (t)
        add_figure(t, "all", "reads", &p->machine.system_gbps, " GB/s");
    for (size_t i = 0; t && i < p->machine.count; i++) {
        const yoke_planner_engine *e = &p->machine.engines[i];
        add_figure(t, e->name, "reads", &e->gbps, " GB/s");
        add_figure(t, e->name, "computes", &e->tflops, " TFLOP/s");
        add_figure(t, e->name, "a call", &e->call_us, " us");
    }
    return finish(t, 0);
}

static bool print_curves(const planned *p)
{
    static const table_column columns[] = {
        {"engine", TABLE_TEXT}, {"format", TABLE_TEXT}, {"inputs", TABLE_NUMBER}, {"", TABLE_TEXT}};
    table *t = table_create(columns, COUNT(columns));
    yoke_curve_key key;
    for (size_t i = 0; t && yoke_profile_curve_at(p->machine.profile, i, &key); i++) {
        table_cell(t, "%s", key.engine);
        table_cell(t, "%s", yoke_format_get(key.format)->name);
        table_cell(t, "%zu", key.k);
        table_cell(t, "%s", yoke_planner_basis_name(YOKE_PLANNER_MEASURED));
    }
    return finish(t, CLI_WIDTH);
}

static void add_way(table *t, const char *name, const yoke_planner_way *way, size_t rows)
{
    table_cell(t, "%s", name);
    table_cell(t, "%s", way->possible ? time_range(way->ns).text : "-");
    table_cell(t, "%s", way->possible ? rate_range(way->ns, rows).text : "-");
    table_cell(t, "%s",
               way->possible ? yoke_planner_basis_name(way->basis) : "a figure is not known");
}

static void add_shares(table *t, const planned *p, const yoke_planner_way *way)
{
    char shares[160] = "";
    size_t used = 0;
    for (size_t e = 0; e < p->machine.count && used < sizeof shares; e++)
        if (way->share[e].high > 0)
            used +=
                (size_t)snprintf(shares + used, sizeof shares - used, "%s%s %s", used ? ", " : "",
                                 p->machine.engines[e].name, percent_range(way->share[e]).text);
    table_cell(t, "%s", shares);
}

static bool print_phase(const planned *p, const yoke_planner_phase *phase)
{
    static const table_column columns[] = {{"predicted", TABLE_TEXT},
                                           {"time", TABLE_TEXT},
                                           {"tokens/s", TABLE_TEXT},
                                           {"rests on", TABLE_TEXT},
                                           {"share of the work", TABLE_TEXT}};
    table *t = table_create(columns, COUNT(columns));
    for (size_t e = 0; t && e < p->machine.count; e++) {
        add_way(t, p->machine.engines[e].name, &phase->alone[e], phase->rows);
        table_end_row(t);
    }
    if (t && p->machine.count > 1) {
        add_way(t, "split", &phase->split, phase->rows);
        add_shares(t, p, &phase->split);
    }
    return finish(t, CLI_WIDTH);
}

/* Every prompt on one engine with every answer on another. */
static bool print_placements(const planned *p)
{
    static const table_column columns[] = {{"prompt on", TABLE_TEXT},
                                           {"answer on", TABLE_TEXT},
                                           {"first token after", TABLE_TEXT},
                                           {"then tokens/s", TABLE_TEXT}};
    const yoke_planner_prediction *all = &p->prediction;
    table *t = table_create(columns, COUNT(columns));
    for (size_t a = 0; t && a < p->machine.count; a++) {
        for (size_t b = 0; b < p->machine.count; b++) {
            if (a == b || !all->prefill.alone[a].possible || !all->decode.alone[b].possible)
                continue;
            table_cell(t, "%s", p->machine.engines[a].name);
            table_cell(t, "%s", p->machine.engines[b].name);
            table_cell(t, "%s", time_range(all->prefill.alone[a].ns).text);
            table_cell(t, "%s", rate_range(all->decode.alone[b].ns, 1).text);
        }
    }
    return finish(t, CLI_WIDTH);
}

static void print_best(const planned *p)
{
    size_t prefill = yoke_planner_best(&p->machine, &p->prediction.prefill);
    size_t decode = yoke_planner_best(&p->machine, &p->prediction.decode);
    printf("\nFastest alone, by the middle of the ranges: the prompt on %s, the answer on %s.\n",
           p->machine.engines[prefill].name, p->machine.engines[decode].name);
}

static bool print_phases(const planned *p)
{
    const yoke_planner_phase *prefill = &p->prediction.prefill, *decode = &p->prediction.decode;
    printf("\nA prompt of %zu tokens: %s, %s TFLOP\n", prefill->rows,
           number_bytes(whole(prefill->bytes)).text,
           number_digits(prefill->operations / 1e12, 3).text);
    if (!print_phase(p, prefill))
        return false;
    printf("\nEach token of the answer: %s, %s GFLOP", number_bytes(whole(decode->bytes)).text,
           number_digits(decode->operations / 1e9, 3).text);
    if (p->request.context > 0)
        printf(", with %zu positions before it", p->request.context);
    putchar('\n');
    return print_phase(p, decode);
}

yoke_status plan_print(const planned *p, yoke_error *err)
{
    bool ok = print_model(p);
    printf("\n%s: what the prediction rests on\n", p->machine.name);
    ok = ok && (p->machine.profile ? print_curves(p) : print_figures(p)) && print_phases(p);
    bool any = yoke_planner_best(&p->machine, &p->prediction.decode) < p->machine.count;
    if (ok && any && p->machine.count > 1) {
        printf("\nThe prompt on one engine, the answer on another; both hold the weights\n");
        ok = print_placements(p);
        print_best(p);
    }
    puts("\nNothing of this was run: times are predicted.");
    const char *sentence;
    for (size_t i = 0; (sentence = plan_left_out(p, i)); i++)
        printf("%s\n", sentence);
    return ok ? YOKE_OK : yoke_error_set(err, YOKE_ERR_MEMORY, "plan: no memory for the tables");
}
