#include "chips_view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "chips_known.h"

bool chips_same_column(const yoke_chip_measurement *a, const yoke_chip_measurement *b)
{
    return a->mode == b->mode && strcmp(a->artefact, b->artefact) == 0 &&
           chips_same_word(a->engine, b->engine) && chips_same_word(a->method, b->method);
}

bool chips_begins_column(const chips_view *v, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (chips_same_column(v->rows[i], v->rows[at]))
            return false;
    return true;
}

static bool has_part(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

/* A whole name goes before a part of one. */
static bool is_artefact(const yoke_chips *chips, const char *name)
{
    const yoke_chip_measurement *row;
    for (size_t i = 0; (row = yoke_chips_measurement(chips, i)); i++)
        if (chips_same_word(row->artefact, name))
            return true;
    return false;
}

static bool is_chosen(const yoke_chip_measurement *row, const chips_choice *choice, bool whole)
{
    if (choice->chip && !chips_same_word(row->chip, choice->chip))
        return false;
    if (choice->method && !chips_same_word(row->method, choice->method))
        return false;
    if (!choice->artefact)
        return true;
    return whole ? chips_same_word(row->artefact, choice->artefact)
                 : has_part(row->artefact, choice->artefact);
}

static bool is_known_chip(const yoke_chips *chips, const char *name)
{
    const yoke_chip_fact *fact;
    for (size_t i = 0; (fact = yoke_chips_fact_at(chips, i)); i++)
        if (chips_same_word(fact->chip, name))
            return true;
    const yoke_chip_measurement *row;
    for (size_t i = 0; (row = yoke_chips_measurement(chips, i)); i++)
        if (chips_same_word(row->chip, name))
            return true;
    return false;
}

static yoke_status choose_rows(chips_view *v, const yoke_chips *chips, const chips_choice *choice,
                               yoke_error *err)
{
    *v = (chips_view){.chips = chips};
    v->rows = malloc((yoke_chips_count(chips) + 1) * sizeof *v->rows);
    if (!v->rows)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory to list the measurements");
    bool whole = choice->artefact && is_artefact(chips, choice->artefact);
    const yoke_chip_measurement *row;
    for (size_t i = 0; (row = yoke_chips_measurement(chips, i)); i++)
        if (is_chosen(row, choice, whole))
            v->rows[v->count++] = row;
    return YOKE_OK;
}

static yoke_status check_choice(const chips_view *v, const chips_choice *choice, yoke_error *err)
{
    if (choice->chip && !is_known_chip(v->chips, choice->chip))
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                              "chips: there is no chip '%s' ('yoke chips' names them)",
                              choice->chip);
    if (v->count == 0 && (choice->artefact || choice->method))
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                              "chips: no measurement has%s%s%s%s%s%s%s%s ('yoke chips' lists them)",
                              choice->chip ? " chip '" : "", choice->chip ? choice->chip : "",
                              choice->chip ? "'" : "", choice->artefact ? " artefact '" : "",
                              choice->artefact ? choice->artefact : "", choice->artefact ? "'" : "",
                              choice->method ? " method " : "",
                              choice->method ? choice->method : "");
    return YOKE_OK;
}

yoke_status chips_view_create(chips_view *v, const yoke_chips *chips, const chips_choice *choice,
                              yoke_error *err)
{
    yoke_status status = choose_rows(v, chips, choice, err);
    return status == YOKE_OK ? check_choice(v, choice, err) : status;
}

void chips_view_free(chips_view *v)
{
    free(v->rows);
}
