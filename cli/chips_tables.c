#include "chips_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips_known.h"
#include "chips_places.h"
#include "cli.h"
#include "report/number.h"
#include "table.h"

/* A list of words behind a label, broken to fit. */
typedef struct wrapped {
    int column; /* 0 before anything was printed */
    bool any;
} wrapped;

static void wrapped_word(wrapped *to, const char *label, const char *word)
{
    if (!to->any)
        to->column = printf("%s %s", label, word);
    else if (to->column + 2 + (int)strlen(word) > CLI_WIDTH - 1)
        to->column = printf(",\n  %s", word) - 2;
    else
        to->column += printf(", %s", word);
    to->any = true;
}

static void wrapped_end(const wrapped *line)
{
    if (line->any)
        putchar('\n');
}

static const char *chip_name(const yoke_chip_measurement *row)
{
    return *row->chip ? row->chip : "(not named)";
}

static double system_gbps(const yoke_chips *chips, const yoke_chip_measurement *row)
{
    const yoke_chip_fact *fact = yoke_chips_fact(chips, row->chip, "system_gbps");
    return fact ? fact->number : row->system_gbps.value;
}

/* How many decimals it was published with. */
static int decimals(yoke_chip_number number)
{
    int count = 0;
    for (double unit = number.half * 2; unit < 0.75 && count < 9; unit *= 10)
        count++;
    return count;
}

static void cell_published(table *t, yoke_chip_number number)
{
    if (isnan(number.value))
        table_cell(t, "%s", "");
    else
        table_cell(t, "%.*f", decimals(number), number.value);
}

static void add_place(table *t, const yoke_chips *chips, const chips_place *p)
{
    const yoke_chip_measurement *row = p->row;
    double system = system_gbps(chips, row);
    bool derived;
    yoke_chip_rate(row, &derived);
    table_cell(t, "%zu", p->tier);
    table_cell(t, "%s", chip_name(row));
    cell_published(t, row->ram_gb);
    if (derived)
        table_cell(t, "%.1f*", p->rate);
    else
        table_cell(t, "%.*f ", decimals(row->gbps), p->rate);
    cell_published(t, row->milliseconds);
    cell_published(t, row->fixed_ms);
    if (isnan(system))
        table_cell(t, "%s", "");
    else
        table_cell(t, "%g", system);
    table_cell(t, "%s", isnan(system) ? "" : number_percent(p->rate / system).text);
    table_cell(t, "%s", row->runs);
    table_cell(t, "%s", row->provenance);
    table_cell(t, "%s", row->source);
}

static bool print_places(const yoke_chips *chips, const chips_place *places, size_t count)
{
    static const table_column columns[] = {
        {"tier", TABLE_NUMBER},     {"chip", TABLE_TEXT},   {"RAM", TABLE_NUMBER},
        {"GB/s", TABLE_NUMBER},     {"ms", TABLE_NUMBER},   {"fixed ms", TABLE_NUMBER},
        {"system", TABLE_NUMBER},   {"used", TABLE_NUMBER}, {"runs", TABLE_NUMBER},
        {"provenance", TABLE_TEXT}, {"source", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; t && i < count; i++)
        add_place(t, chips, &places[i]);
    bool ok = t && table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

/* Is the chip of places[at] named by one of places[begin, at)? */
static bool is_told(const chips_place *places, size_t begin, size_t at)
{
    for (size_t i = begin; i < at; i++)
        if (chips_same_word(places[i].row->chip, places[at].row->chip))
            return true;
    return false;
}

static void print_tiers(const chips_place *places, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        char label[80];
        wrapped line = {0};
        for (end = begin; end < count && places[end].tier == places[begin].tier; end++)
            ;
        snprintf(label, sizeof label, "tier %zu, %.1f to %.1f GB/s:", places[begin].tier,
                 places[end - 1].rate, places[begin].rate);
        for (size_t i = begin; i < end; i++)
            if (!is_told(places, begin, i))
                wrapped_word(&line, label, chip_name(places[i].row));
        wrapped_end(&line);
    }
}

static bool has_place(const chips_place *places, size_t count, const char *chip)
{
    for (size_t i = 0; i < count; i++)
        if (chips_same_word(places[i].row->chip, chip))
            return true;
    return false;
}

/* Names every chip there are facts of that has no row in this column. */
static void print_missing(const yoke_chips *chips, const chips_place *places, size_t count)
{
    wrapped line = {0};
    const char *before = "";
    const yoke_chip_fact *fact;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++) {
        if (!chips_same_word(fact->chip, before) && !has_place(places, count, fact->chip))
            wrapped_word(&line, "no row:", fact->chip);
        before = fact->chip;
    }
    wrapped_end(&line);
}

static void print_apart(const chips_view *v, const yoke_chip_measurement *first)
{
    for (size_t i = 0; i < v->count; i++) {
        const yoke_chip_measurement *row = v->rows[i];
        double rate = yoke_chip_rate(row, NULL);
        if (!chips_same_column(row, first) || (!*row->doubt && rate > 0))
            continue;
        printf("kept apart: row %zu, %s", row->row, chip_name(row));
        if (!isnan(rate))
            printf(", %.4g GB/s", rate);
        printf(": %s (%s)\n", *row->doubt ? row->doubt : "no rate", row->source);
    }
}

static void print_heading(const yoke_chip_measurement *first)
{
    printf("\n%s, %s", *first->engine ? first->engine : "engine not stated", first->artefact);
    if (!isnan(first->megabytes.value))
        printf(" (%g MB)", first->megabytes.value);
    printf(", %s, %s\n", *first->method ? first->method : "method not stated",
           yoke_chip_mode_name(first->mode));
}

static bool print_column(const chips_view *v, const yoke_chip_measurement *first,
                         const chips_place *places, size_t count, bool one_chip)
{
    print_heading(first);
    if (count > 0 && !print_places(v->chips, places, count))
        return false;
    if (chips_differ(places, count) && first->mode == YOKE_CHIP_SOLO)
        print_tiers(places, count);
    if (!one_chip && first->mode == YOKE_CHIP_SOLO && chips_differ(places, count))
        print_missing(v->chips, places, count);
    print_apart(v, first);
    return true;
}

static void add_to_index(table *index, const yoke_chip_measurement *first, size_t rows)
{
    table_cell(index, "%s", first->engine);
    table_cell(index, "%s", first->artefact);
    table_cell(index, "%s", *first->method ? first->method : "(not stated)");
    table_cell(index, "%s", yoke_chip_mode_name(first->mode));
    table_cell(index, "%s", chip_name(first));
    table_cell(index, "%zu", rows);
}

/* Prints each column as a table, or, where nothing was chosen and it compares no two chips, as a
 * line of the index. */
static bool print_columns(const chips_view *v, bool all, bool one_chip, chips_place *places,
                          table *index, bool *indexed)
{
    for (size_t i = 0; i < v->count; i++) {
        if (!chips_begins_column(v, i))
            continue;
        size_t apart, count = chips_gather(v, v->rows[i], places, &apart);
        if (!chips_set_tiers(places, count))
            return false;
        if (!all && !chips_differ(places, count)) {
            add_to_index(index, v->rows[i], count + apart);
            *indexed = true;
        } else if (!print_column(v, v->rows[i], places, count, one_chip)) {
            return false;
        }
    }
    return true;
}

static bool print_tables(const chips_view *v, bool all, bool one_chip)
{
    static const table_column columns[] = {{"engine", TABLE_TEXT}, {"artefact", TABLE_TEXT},
                                           {"method", TABLE_TEXT}, {"mode", TABLE_TEXT},
                                           {"chip", TABLE_TEXT},   {"rows", TABLE_NUMBER}};
    table *index = table_create(columns, sizeof columns / sizeof columns[0]);
    chips_place *places = malloc((v->count + 1) * sizeof *places);
    bool indexed = false;
    bool ok = index && places && print_columns(v, all, one_chip, places, index, &indexed);
    if (ok && v->count > 0) {
        printf("\n* size over time; a rate without one is as published\n"
               "system: GB/s of the whole chip, by chips.csv; used: the rate over it\n"
               "a tier ends where its last rate is more than %.0f %% above the next one\n",
               (YOKE_CHIP_TIER_GAP - 1) * 100);
    }
    if (ok && indexed) {
        puts("\nOne chip only; choose an artefact, a method or a chip to see them");
        ok = table_print(index, stdout, CLI_WIDTH);
    }
    free(places);
    table_free(index);
    return ok;
}

yoke_status chips_print(const yoke_chips *chips, const chips_choice *choice, yoke_error *err)
{
    chips_view v;
    yoke_status status = chips_view_create(&v, chips, choice, err);
    if (status == YOKE_OK) {
        bool all = choice->chip || choice->artefact || choice->method;
        printf("%zu of %zu published measurements\n", v.count, yoke_chips_count(chips));
        if (choice->chip)
            chips_print_facts(chips, choice->chip);
        if (choice->chip && v.count == 0)
            puts("\nno row of it in any table");
        if (!print_tables(&v, all, choice->chip != NULL))
            status = yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the tables");
        else if (!choice->artefact && !choice->method)
            chips_print_statements(chips, choice->chip);
    }
    chips_view_free(&v);
    return status;
}
