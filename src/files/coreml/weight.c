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

/* A part of the matrix being made. */
typedef struct filling {
    const weight *whole;
    uint8_t *elements; /* NULL: they are used in place */
    uint8_t *table;    /* NULL: as well, or there is none */
    bool memory;       /* false when it is out */
} filling;

static void fill_decoded(filling *to, const weight *part)
{
    sink s = {.to = to->elements,
              .bytes = yoke_format_get(part->format)->block_bytes,
              .rows = part->rows,
              .cols = part->cols,
              .transposed = part->transposed};
    if (part->values->kind == DENSE_PLAIN)
        sink_take(&s, part->values->stored.data, part->values->count);
    else
        to->memory = decode(part->values, &s);
    to->elements += part->rows * part->cols * s.bytes;
}

static void fill_native(filling *to, const weight *part)
{
    const native *form = &to->whole->native;
    const yoke_format_info *info = yoke_format_get(form->format);
    if (to->elements) {
        size_t bytes = part->rows * (part->cols / info->block * info->block_bytes);
        native_write_elements(part->values, bytes, to->elements);
        to->elements += bytes;
    }
    if (to->table) {
        size_t repeat = part->native.table_rows / form->table_rows;
        to->memory = native_write_table(part->values, repeat, to->table);
        to->table += part->rows / form->table_rows * info->table_bytes;
    }
}

/* NULL, or what is wrong. */
static const char *fill_part(filling *to, const weight *part)
{
    const char *why = dense_check(part->values);
    if (why)
        return why;
    if (to->whole->native.format == YOKE_FORMAT_NONE)
        fill_decoded(to, part);
    else
        fill_native(to, part);
    return NULL;
}

yoke_status weight_fill(yoke_file *file, const file_tensor *tensor, void *copy, yoke_error *err)
{
    const weight *from = tensor->source, *const *parts = &from;
    const char *why = NULL;
    shown_text shown = text_shown(tensor->seen.name, tensor->seen.name_length);
    size_t count = 1;
    if (from->part_count > 0) {
        parts = from->parts;
        count = from->part_count;
    }
    filling to = {.whole = from, .memory = true};
    if (!tensor->table_only)
        to.elements = copy;
    if (tensor->table_rows > 0 && !tensor->table)
        to.table = (uint8_t *)copy + file_table_at(tensor);
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < file->part_count && status == YOKE_OK; i++)
        status = mapping_recheck(&file->parts[i].map, file->parts[i].path, err);
    for (size_t i = 0; i < count && status == YOKE_OK && !why && to.memory; i++)
        why = fill_part(&to, parts[i]);
    if (why)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: tensor \"%s\", byte %ju: %s",
                              tensor->seen.path, shown.text, (uintmax_t)tensor->seen.offset, why);
    if (!to.memory)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory to decode tensor \"%s\"",
                              tensor->seen.path, shown.text);
    return status;
}

yoke_format weight_format(const weight *of)
{
    return of->native.format == YOKE_FORMAT_NONE ? of->format : of->native.format;
}

/* In a weight file, whose length is checked again at each use? */
static bool is_mapped(const mapping *map, const array *stored)
{
    uintptr_t at = (uintptr_t)stored->data, start = (uintptr_t)map->bytes;
    return at >= start && at - start < map->size;
}

void weight_place(yoke_file *file, file_tensor *tensor)
{
    const weight *of = tensor->source;
    const mapping *map = &file->parts[tensor->part].map;
    tensor->table_rows = of->native.table_rows;
    tensor->fill = weight_fill;
    if (of->part_count > 0 || of->transposed)
        return;
    if (of->native.format == YOKE_FORMAT_NONE) {
        if (of->values->kind == DENSE_PLAIN && is_mapped(map, &of->values->stored))
            tensor->fill = NULL;
        return;
    }
    const array *table = native_stored_table(of->values);
    if (!native_is_as_stored(of->values) || !is_mapped(map, native_elements(of->values)))
        return;
    tensor->table_only = true;
    if (table && is_mapped(map, table)) {
        tensor->table = table->data;
        tensor->fill = NULL;
    }
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
