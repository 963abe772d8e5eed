/* Machines: a chip of the table, or this one by its profile. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chips/value.h"
#include "planner/figure.h"
#include "planner/near.h"

const char *yoke_planner_basis_name(yoke_planner_basis basis)
{
    static const char *const names[] = {"measured", "published", "assumed"};
    return (size_t)basis < sizeof names / sizeof names[0] ? names[basis] : "?";
}

/* As the table spells it; NULL when it knows no fact of such a chip. */
static const char *find_chip(const yoke_chips *chips, const char *chip)
{
    const yoke_chip_fact *fact;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++)
        if (value_same_name(fact->chip, chip))
            return fact->chip;
    return NULL;
}

static void list_near(const yoke_chips *chips, const char *chip, size_t most, char *out,
                      size_t room)
{
    const yoke_chip_fact *fact;
    const char *last = "";
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++) {
        if (strcmp(fact->chip, last) == 0 || near_distance(fact->chip, chip) > most)
            continue;
        last = fact->chip;
        if (used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "", last);
    }
}

static yoke_status unknown_chip(const yoke_chips *chips, const char *chip, yoke_error *err)
{
    char names[256] = "";
    for (size_t most = 1; most <= 3 && !*names; most++)
        list_near(chips, chip, most, names, sizeof names);
    if (*names)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "no chip '%s' in the table; near: %s", chip,
                              names);
    list_near(chips, chip, SIZE_MAX, names, sizeof names);
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "no chip '%s' in the table: it has %s", chip,
                          names);
}

yoke_status yoke_planner_machine_of_chip(const yoke_chips *chips, const char *chip,
                                         yoke_planner_machine *machine, yoke_error *err)
{
    static const char *const names[] = {"gpu", "ane", "cpu"};
    const char *known = find_chip(chips, chip);
    if (!known)
        return unknown_chip(chips, chip, err);
    *machine = (yoke_planner_machine){.count = 3};
    snprintf(machine->name, sizeof machine->name, "%s", known);
    const yoke_chip_fact *system = yoke_chips_fact(chips, known, "system_gbps");
    machine->system_gbps = figure_known(system ? system->number : NAN, YOKE_PLANNER_PUBLISHED,
                                        system ? system->source : "");
    for (size_t i = 0; i < machine->count; i++) {
        yoke_planner_engine *engine = &machine->engines[i];
        snprintf(engine->name, sizeof engine->name, "%s", names[i]);
        engine->gbps = figure_of(chips, known, names[i], FIGURE_GBPS);
        engine->tflops = figure_of(chips, known, names[i], FIGURE_TFLOPS);
        engine->call_us = figure_of(chips, known, names[i], FIGURE_CALL_US);
        engine->f16_weights = strcmp(names[i], "ane") == 0;
    }
    return YOKE_OK;
}

static bool has_engine(const yoke_planner_machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->count; i++)
        if (strcmp(machine->engines[i].name, name) == 0)
            return true;
    return false;
}

yoke_status yoke_planner_machine_of_profile(const yoke_profile *profile,
                                            yoke_planner_machine *machine, yoke_error *err)
{
    *machine = (yoke_planner_machine){.profile = profile};
    snprintf(machine->name, sizeof machine->name, "this machine");
    machine->system_gbps = figure_known(NAN, YOKE_PLANNER_MEASURED, "");
    yoke_curve_key key;
    for (size_t i = 0; yoke_profile_curve_at(profile, i, &key); i++) {
        if (machine->count == YOKE_PLANNER_MAX_ENGINES || has_engine(machine, key.engine))
            continue;
        yoke_planner_engine *engine = &machine->engines[machine->count++];
        snprintf(engine->name, sizeof engine->name, "%s", key.engine);
        engine->gbps = engine->tflops = engine->call_us =
            figure_known(NAN, YOKE_PLANNER_MEASURED, "");
    }
    if (machine->count == 0)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "the profile has no curves");
    return YOKE_OK;
}

yoke_status yoke_planner_machine_keep(yoke_planner_machine *machine, const char *const *engines,
                                      size_t count, yoke_error *err)
{
    yoke_planner_machine kept = *machine;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        while (at < kept.count && strcmp(kept.engines[at].name, engines[i]) != 0)
            at++;
        if (at >= kept.count)
            return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: no engine '%s' to choose",
                                  machine->name, engines[i]);
        yoke_planner_engine found = kept.engines[at];
        kept.engines[at] = kept.engines[i];
        kept.engines[i] = found;
    }
    kept.count = count;
    *machine = kept;
    return YOKE_OK;
}
