#include "chips/chips.h"

#include <math.h>
#include <string.h>

#include "chips/value.h"

const char *yoke_chip_mode_name(yoke_chip_mode mode)
{
    switch (mode) {
    case YOKE_CHIP_SOLO: return "solo";
    case YOKE_CHIP_EACH: return "each";
    case YOKE_CHIP_COMBINED: return "combined";
    }
    return "?";
}

double yoke_chip_rate(const yoke_chip_measurement *of, bool *derived)
{
    bool stated = value_known(of->gbps);
    if (derived)
        *derived = !stated;
    if (stated)
        return of->gbps.value;
    /* MB / ms is GB / s. */
    return of->milliseconds.value > 0 ? of->megabytes.value / of->milliseconds.value : NAN;
}

size_t yoke_chips_count(const yoke_chips *chips)
{
    return chips->measurement_count;
}

const yoke_chip_measurement *yoke_chips_measurement(const yoke_chips *chips, size_t index)
{
    return index < chips->measurement_count ? &chips->measurements[index] : NULL;
}

const yoke_chip_fact *yoke_chips_fact_at(const yoke_chips *chips, size_t index)
{
    return index < chips->fact_count ? &chips->facts[index] : NULL;
}

const yoke_chip_statement *yoke_chips_statement(const yoke_chips *chips, size_t index)
{
    return index < chips->statement_count ? &chips->statements[index] : NULL;
}

const yoke_chip_fact *yoke_chips_fact(const yoke_chips *chips, const char *chip, const char *fact)
{
    for (size_t i = 0; i < chips->fact_count; i++)
        if (value_same_name(chips->facts[i].chip, chip) && strcmp(chips->facts[i].fact, fact) == 0)
            return &chips->facts[i];
    return NULL;
}

bool chips_comparable(const yoke_chip_measurement *a, const yoke_chip_measurement *b)
{
    return a->mode == b->mode && strcmp(a->artefact, b->artefact) == 0 &&
           value_same_name(a->engine, b->engine) && value_same_name(a->method, b->method);
}

bool chips_same_chip(const yoke_chip_measurement *a, const yoke_chip_measurement *b)
{
    return *a->chip && value_same_name(a->chip, b->chip);
}

double chips_system_gbps(const yoke_chips *chips, const yoke_chip_measurement *of)
{
    if (value_known(of->system_gbps))
        return of->system_gbps.value;
    const yoke_chip_fact *fact = yoke_chips_fact(chips, of->chip, "system_gbps");
    return fact ? fact->number : NAN;
}

bool chips_next_part(const char **at, const char **part, size_t *length)
{
    *part = *at + strspn(*at, " ");
    *length = strcspn(*part, "+");
    if (**at == '\0')
        return false;
    *at = *part + *length + ((*part)[*length] == '+');
    while (*length > 0 && (*part)[*length - 1] == ' ')
        --*length;
    return true;
}

bool chips_names_parts(const yoke_chip_measurement *combined)
{
    return strchr(combined->artefact, '+') != NULL;
}

bool chips_is_part(const yoke_chip_measurement *row, const yoke_chip_measurement *combined)
{
    const char *at = combined->artefact, *part;
    size_t length;
    while (chips_next_part(&at, &part, &length))
        if (strlen(row->artefact) == length && memcmp(row->artefact, part, length) == 0)
            return true;
    return !chips_names_parts(combined);
}

const yoke_chip_measurement *chips_best_solo(const yoke_chips *chips,
                                             const yoke_chip_measurement *combined)
{
    const yoke_chip_measurement *best = NULL;
    for (size_t i = 0; i < chips->measurement_count; i++) {
        const yoke_chip_measurement *row = &chips->measurements[i];
        bool fits = row->mode == YOKE_CHIP_SOLO && value_same_name(row->chip, combined->chip) &&
                    value_same_name(row->engine, combined->engine) &&
                    value_same_name(row->method, combined->method) &&
                    chips_is_part(row, combined) && (!*row->doubt || *combined->doubt);
        /* Two machines of one chip may differ; those of one source need not. */
        if (fits && value_known(combined->ram_gb) && value_known(row->ram_gb))
            fits = row->ram_gb.value == combined->ram_gb.value;
        if (fits && (!best || yoke_chip_rate(row, NULL) > yoke_chip_rate(best, NULL)))
            best = row;
    }
    return best;
}
