#include "measure/compare_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/ratio.h"

/* Says why and returns false. */
static bool differ(char *why, size_t why_bytes, const char *format, ...) YOKE_PRINTF(3, 4);

static bool differ(char *why, size_t why_bytes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, why_bytes, format, args);
    va_end(args);
    return false;
}

bool rows_same_case(const yoke_record_row *a, const yoke_record_row *b)
{
    bool both_tasks = isnan(a->task_ns) ? isnan(b->task_ns) : a->task_ns == b->task_ns;
    return a->m == b->m && both_tasks && strcmp(a->suite, b->suite) == 0 &&
           strcmp(a->what, b->what) == 0 && strcmp(a->engine, b->engine) == 0 &&
           strcmp(a->other, b->other) == 0 && strcmp(a->wait, b->wait) == 0;
}

static bool same_format(const char *what, yoke_format a, yoke_format b, char *why, size_t why_bytes)
{
    return a == b || differ(why, why_bytes, "other %s: %s, %s", what, yoke_format_get(a)->name,
                            yoke_format_get(b)->name);
}

static bool same_text(const char *what, const char *a, const char *b, char *why, size_t why_bytes)
{
    return strcmp(a, b) == 0 || differ(why, why_bytes, "other %s: %.60s, %.60s", what,
                                       *a ? a : "not known", *b ? b : "not known");
}

bool rows_same_work(const yoke_record_row *a, const yoke_record_row *b, char *why, size_t why_bytes)
{
    if (a->n != b->n || a->k != b->k)
        return differ(why, why_bytes, "other size: %zux%zu, %zux%zu", a->n, a->k, b->n, b->k);
    if (!same_format("format", a->format, b->format, why, why_bytes) ||
        !same_format("format of x", a->x_format, b->x_format, why, why_bytes) ||
        !same_text("precision", a->precision, b->precision, why, why_bytes) ||
        !same_text("idle states", a->idle_states, b->idle_states, why, why_bytes))
        return false;
    return a->bytes == b->bytes ||
           differ(why, why_bytes, "other bytes: %" PRIu64 ", %" PRIu64, a->bytes, b->bytes);
}

static bool is_time(double ns)
{
    return ns > 0 && isfinite(ns);
}

bool row_sound(const char *side, const yoke_record_row *row, char *why, size_t why_bytes)
{
    if (row->failed)
        return differ(why, why_bytes, "%s failed: %.200s", side,
                      row->reason[0] ? row->reason : "no reason is given");
    if (row->engine[0] && strcmp(row->check, yoke_verdict_name(YOKE_VERDICT_RIGHT)) != 0)
        return differ(why, why_bytes, "the answer of %s is %s", side,
                      row->check[0] ? row->check : "unchecked");
    bool times = is_time(row->time.median);
    for (size_t i = 0; i < row->samples.count; i++)
        times = times && is_time(row->samples.samples_ns[i]);
    return times || differ(why, why_bytes, "%s has times that are no times", side);
}

bool row_steady(const char *side, const yoke_record_row *row, char *why, size_t why_bytes)
{
    if (row->samples.count < RATIO_LEAST_SAMPLES)
        return differ(why, why_bytes, "%s has %zu samples, fewer than %d", side, row->samples.count,
                      RATIO_LEAST_SAMPLES);
    return !row->time.unstable ||
           differ(why, why_bytes, "%s is unstable: its times drift by %.0f %%", side,
                  100 * row->time.drift);
}

bool records_same_weight(const yoke_record *a, const yoke_record *b, char *why, size_t why_bytes)
{
    const yoke_identity *of_a = &a->artefact, *of_b = &b->artefact;
    if (!same_format("weight", of_a->format, of_b->format, why, why_bytes))
        return false;
    if (of_a->n != of_b->n || of_a->k != of_b->k || of_a->bytes != of_b->bytes)
        return differ(why, why_bytes,
                      "other weight: %zux%zu of %" PRIu64 " bytes, %zux%zu of %" PRIu64, of_a->n,
                      of_a->k, of_a->bytes, of_b->n, of_b->k, of_b->bytes);
    /* Hashes of other things say nothing. */
    if (strcmp(of_a->hash_of, of_b->hash_of) != 0 || !of_a->hash[0] || !of_b->hash[0])
        return same_text("weight", of_a->tensor, of_b->tensor, why, why_bytes);
    return same_text("weight, by its hash", of_a->hash, of_b->hash, why, why_bytes);
}

/* The value of "key=value" for the key of `text`, NULL when the list has none. */
static const char *value_for(const yoke_record_texts *list, const char *text)
{
    size_t length = strcspn(text, "=") + 1;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->texts[i], text, length) == 0)
            return list->texts[i] + length;
    return NULL;
}

bool records_same_method(const yoke_record *a, const yoke_record *b, char *why, size_t why_bytes)
{
    for (size_t i = 0; i < a->method.count; i++) {
        const char *text = a->method.texts[i], *other = value_for(&b->method, text);
        size_t key = strcspn(text, "=");
        if (text[key] == '=' && other && strcmp(text + key + 1, other) != 0)
            return differ(why, why_bytes, "other method: %.*s is %.60s, %.60s", (int)key, text,
                          text + key + 1, other);
    }
    return true;
}
