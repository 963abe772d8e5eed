#include "files/coreml/weight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/size.h"
#include "files/text.h"

enum { CHUNK = 4096 }; /* elements decoded at a time: they stay in the first cache */

/* Where the next elements of a weight go, in the order in which they are stored. */
typedef struct sink {
    uint8_t *to;
    size_t bytes;      /* of an element */
    size_t rows, cols; /* of the matrix */
    bool transposed;
    size_t at;
} sink;

/* The place of the next element; *run is how many follow it in memory. */
static uint8_t *sink_place(const sink *s, size_t *run)
{
    if (!s->transposed) {
        *run = SIZE_MAX;
        return s->to + s->at * s->bytes;
    }
    *run = 1;
    return s->to + (s->at % s->rows * s->cols + s->at / s->rows) * s->bytes;
}

/* Takes elements that are in the matrix's format already. */
static void sink_take(sink *s, const void *elements, size_t count)
{
    const uint8_t *from = elements;
    while (count > 0) {
        size_t run;
        uint8_t *to = sink_place(s, &run);
        run = size_min(run, count);
        memcpy(to, from, run * s->bytes);
        from += run * s->bytes;
        s->at += run;
        count -= run;
    }
}

static void take_floats(sink *s, const float *values, size_t count)
{
    uint16_t halves[CHUNK];
    if (s->bytes == sizeof *values) {
        sink_take(s, values, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        halves[i] = f16_from_f32(values[i]);
    sink_take(s, halves, count);
}

static bool decode(const dense *values, sink *s)
{
    dense_reader *reader = dense_reader_create(values);
    if (!reader)
        return false;
    float chunk[CHUNK];
    for (size_t left = values->count; left > 0;) {
        size_t count = size_min(left, CHUNK);
        dense_read(reader, count, chunk);
        take_floats(s, chunk, count);
        left -= count;
    }
    dense_reader_free(reader);
    return true;
}

/* The matrix of a weight that is no head. NULL, or what is wrong; *memory when that is out. */
static const char *fill_one(const weight *from, void *copy, bool *memory)
{
    sink s = {.to = copy,
              .bytes = yoke_format_get(from->format)->block_bytes,
              .rows = from->rows,
              .cols = from->cols,
              .transposed = from->transposed};
    if (from->values->kind == DENSE_PLAIN) {
        sink_take(&s, from->values->stored.data, from->values->count);
        return NULL;
    }
    const char *why = dense_check(from->values);
    if (!why)
        *memory = decode(from->values, &s);
    return why;
}

yoke_status weight_fill(yoke_file *file, const file_tensor *tensor, void *copy, yoke_error *err)
{
    const weight *from = tensor->source, *const *parts = &from;
    const char *why = NULL;
    shown_text shown = text_shown(tensor->seen.name, tensor->seen.name_length);
    size_t count = 1;
    bool memory = true;
    if (from->part_count > 0) {
        parts = from->parts;
        count = from->part_count;
    }
    uint8_t *to = copy;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < file->part_count && status == YOKE_OK; i++)
        status = mapping_recheck(&file->parts[i].map, file->parts[i].path, err);
    for (size_t i = 0; i < count && status == YOKE_OK && !why && memory; i++) {
        why = fill_one(parts[i], to, &memory);
        to += parts[i]->rows * parts[i]->cols * yoke_format_get(from->format)->block_bytes;
    }
    if (why)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: tensor \"%s\", byte %ju: %s",
                              tensor->seen.path, shown.text, (uintmax_t)tensor->seen.offset, why);
    if (!memory)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory to decode tensor \"%s\"",
                              tensor->seen.path, shown.text);
    return status;
}

static void describe(const dense *of, char *text, size_t size)
{
    char inner[64];
    if (of->kind != DENSE_PLAIN)
        describe(of->inner, inner, sizeof inner);
    switch (of->kind) {
    case DENSE_PLAIN: snprintf(text, size, "%s", mil_element_get(of->stored.element)->name); return;
    case DENSE_LUT: {
        unsigned bits = 0;
        while ((size_t)1 << bits < of->entries)
            bits++;
        if (of->vector > 1)
            snprintf(text, size, "lut%u of %zu", bits, of->vector);
        else
            snprintf(text, size, "lut%u", bits);
        return;
    }
    case DENSE_SCALED:
        snprintf(text, size, "%s %s", inner, of->per_axis ? "affine" : "scaled");
        return;
    case DENSE_SPARSE:
    case DENSE_MASKED: snprintf(text, size, "sparse %s", inner); return;
    }
}

const char *weight_type_name(const weight *of, arena *memory)
{
    char text[96], one[64];
    if (of->part_count > 0) {
        describe(of->parts[0]->values, one, sizeof one);
        snprintf(text, sizeof text, "%zu x %s", of->part_count, one);
    } else {
        describe(of->values, text, sizeof text);
    }
    return arena_text(memory, text, strlen(text));
}
