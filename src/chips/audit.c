/* The audit: every rule in turn, and the findings in order. */
#include "chips/audit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chips/value.h"
#include "files/arena.h"

static audit_rule *const rules[] = {
    audit_bounds,  audit_size_time, audit_combined,   audit_factor,
    audit_palette, audit_repeat,    audit_provenance,
};

struct yoke_chip_audit {
    yoke_chip_finding *findings;
    size_t count, room;
    arena texts;
    bool out_of_memory;
};

static bool make_room(yoke_chip_audit *audit)
{
    if (audit->count < audit->room)
        return true;
    size_t room = audit->room == 0 ? 64 : audit->room * 2;
    yoke_chip_finding *moved = realloc(audit->findings, room * sizeof *moved);
    if (!moved)
        return false;
    audit->findings = moved;
    audit->room = room;
    return true;
}

const char *audit_chip(const yoke_chip_measurement *row)
{
    return *row->chip ? row->chip : "(chip not named)";
}

void audit_add(yoke_chip_audit *audit, yoke_chip_severity severity,
               const yoke_chip_measurement *row, const char *rule, const char *format, ...)
{
    audit_text text = {0};
    char what[sizeof text.text];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (row)
        audit_write(&text, "%s, %s: ", audit_chip(row), row->artefact);
    audit_write(&text, "%s", what);
    if (row && *row->doubt && severity > YOKE_CHIP_NOTE) {
        severity = YOKE_CHIP_NOTE;
        audit_write(&text, " (in doubt already)");
    }
    char *kept = arena_text(&audit->texts, text.text, text.used);
    if (!kept || !make_room(audit)) {
        audit->out_of_memory = true;
        return;
    }
    audit->findings[audit->count++] = (yoke_chip_finding){
        .severity = severity, .row = row ? row->row : 0, .rule = rule, .text = kept};
}

void audit_write(audit_text *to, const char *format, ...)
{
    size_t room = sizeof to->text - to->used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(to->text + to->used, room, format, args);
    va_end(args);
    if (length < 0)
        return;
    if ((size_t)length < room) {
        to->used += (size_t)length;
        return;
    }
    to->used = sizeof to->text - 1;
    memcpy(to->text + to->used - 3, "...", 3);
}

static void write_range(audit_rows *list)
{
    audit_write(&list->text, "%s%zu", list->text.used > 0 ? ", " : "", list->first);
    if (list->last > list->first)
        audit_write(&list->text, "%c%zu", list->last == list->first + 1 ? ',' : '-', list->last);
}

void audit_rows_add(audit_rows *list, size_t row)
{
    if (list->count++ > 0 && row == list->last + 1) {
        list->last = row;
        return;
    }
    if (list->count > 1)
        write_range(list);
    list->first = list->last = row;
}

const char *audit_rows_end(audit_rows *list)
{
    if (list->count > 0)
        write_range(list);
    return list->text.text;
}

bool audit_apart(double a, double b, double tolerance, double rounding)
{
    return fabs(a - b) > tolerance * fabs(b) + rounding;
}

double audit_implied_rounding(const yoke_chip_measurement *row)
{
    double implied = row->megabytes.value / row->milliseconds.value;
    return implied * (row->megabytes.half / row->megabytes.value +
                      row->milliseconds.half / row->milliseconds.value) +
           (value_known(row->gbps) ? row->gbps.half : 0);
}

static int graver_first(const void *a, const void *b)
{
    const yoke_chip_finding *left = a, *right = b;
    if (left->severity != right->severity)
        return left->severity < right->severity ? 1 : -1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    int by_rule = strcmp(left->rule, right->rule);
    return by_rule != 0 ? by_rule : strcmp(left->text, right->text);
}

yoke_status yoke_chips_audit(const yoke_chips *chips, yoke_chip_audit **audit, yoke_error *err)
{
    yoke_chip_audit *made = calloc(1, sizeof *made);
    for (size_t i = 0; made && i < sizeof rules / sizeof rules[0]; i++)
        rules[i](made, chips);
    if (!made || made->out_of_memory) {
        yoke_chip_audit_free(made);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the audit");
    }
    if (made->count > 0)
        qsort(made->findings, made->count, sizeof *made->findings, graver_first);
    *audit = made;
    return YOKE_OK;
}

void yoke_chip_audit_free(yoke_chip_audit *audit)
{
    if (!audit)
        return;
    arena_free(&audit->texts);
    free(audit->findings);
    free(audit);
}

const yoke_chip_finding *yoke_chip_audit_finding(const yoke_chip_audit *audit, size_t index)
{
    return index < audit->count ? &audit->findings[index] : NULL;
}

size_t yoke_chip_audit_count(const yoke_chip_audit *audit, yoke_chip_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < audit->count; i++)
        count += audit->findings[i].severity == severity;
    return count;
}

const char *yoke_chip_severity_name(yoke_chip_severity severity)
{
    switch (severity) {
    case YOKE_CHIP_NOTE: return "note";
    case YOKE_CHIP_WARNING: return "warning";
    case YOKE_CHIP_ERROR: return "error";
    }
    return "?";
}
