/* Which of the statements that contradict each other the data supports. */
#include <math.h>
#include <string.h>

#include "chips/chips.h"
#include "chips/value.h"

/* A figure that the rows may have many of: whether one lies within the statement's bounds. */
typedef struct balance {
    const yoke_chip_statement *statement;
    double figure; /* one within, else the last one seen; NaN before the first */
    bool within;
} balance;

static void balance_add(balance *b, double figure)
{
    const yoke_chip_statement *s = b->statement;
    if (isnan(figure) || b->within)
        return;
    b->figure = figure;
    b->within = !(figure < s->least.value) && !(figure > s->most.value);
}

static bool is_about(const yoke_chip_statement *s, const yoke_chip_measurement *row)
{
    return (!*s->chip || value_same_name(s->chip, row->chip)) &&
           (!*s->artefact || strcmp(s->artefact, row->artefact) == 0) && !*row->doubt;
}

/* A rate that can be checked: its time was published too. */
static double checked_gbps(const yoke_chip_measurement *row)
{
    return row->mode == YOKE_CHIP_SOLO && value_known(row->milliseconds) ? yoke_chip_rate(row, NULL)
                                                                         : NAN;
}

static double implied_ms(const yoke_chip_measurement *row)
{
    return row->mode == YOKE_CHIP_SOLO && value_known(row->gbps)
               ? row->megabytes.value / row->gbps.value
               : NAN;
}

static double combined_gain(const yoke_chips *chips, const yoke_chip_measurement *row)
{
    const yoke_chip_measurement *best =
        row->mode == YOKE_CHIP_COMBINED ? chips_best_solo(chips, row) : NULL;
    return best ? yoke_chip_rate(row, NULL) / yoke_chip_rate(best, NULL) : NAN;
}

static double figure_of(const yoke_chips *chips, const char *figure,
                        const yoke_chip_measurement *row)
{
    static const char by_method[] = "method_gbps:";
    if (strcmp(figure, "checked_gbps") == 0)
        return checked_gbps(row);
    if (strcmp(figure, "implied_ms") == 0)
        return implied_ms(row);
    if (strcmp(figure, "combined_gain") == 0)
        return combined_gain(chips, row);
    if (strncmp(figure, by_method, strlen(by_method)) == 0 &&
        value_same_name(row->method, figure + strlen(by_method)))
        return yoke_chip_rate(row, NULL);
    return NAN;
}

yoke_chip_verdict yoke_chips_weigh(const yoke_chips *chips, const yoke_chip_statement *statement,
                                   double *figure)
{
    balance b = {.statement = statement, .figure = NAN};
    size_t rows = 0;
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        if (!is_about(statement, row))
            continue;
        rows++;
        balance_add(&b, figure_of(chips, statement->figure, row));
    }
    if (strcmp(statement->figure, "rows") == 0)
        balance_add(&b, (double)rows);
    const yoke_chip_fact *fact = yoke_chips_fact(chips, statement->chip, statement->figure);
    if (fact)
        balance_add(&b, fact->number);
    *figure = b.figure;
    if (isnan(b.figure))
        return YOKE_CHIP_UNDECIDED;
    return b.within ? YOKE_CHIP_SUPPORTED : YOKE_CHIP_CONTRADICTED;
}
