#include "files/coreml/dense.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"

struct dense_reader {
    const dense *from;
    size_t at;
    dense_reader *inner;
    float *table, *shift;
};

/* All of a small tensor. NULL when memory is out. */
static float *read_all(const dense *from)
{
    size_t bytes;
    if (!size_mul(from->count, sizeof(float), &bytes))
        return NULL;
    float *all = malloc(bytes ? bytes : 1);
    dense_reader *reader = all ? dense_reader_create(from) : NULL;
    if (!reader) {
        free(all);
        return NULL;
    }
    dense_read(reader, from->count, all);
    dense_reader_free(reader);
    return all;
}

dense_reader *dense_reader_create(const dense *from)
{
    dense_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->from = from;
    bool good = true;
    if (from->inner)
        good = (reader->inner = dense_reader_create(from->inner)) != NULL;
    if (good && from->table)
        good = (reader->table = read_all(from->table)) != NULL;
    if (good && from->shift)
        good = (reader->shift = read_all(from->shift)) != NULL;
    if (!good) {
        dense_reader_free(reader);
        return NULL;
    }
    return reader;
}

void dense_reader_free(dense_reader *reader)
{
    if (!reader)
        return;
    dense_reader_free(reader->inner);
    free(reader->table);
    free(reader->shift);
    free(reader);
}

/* How many elements from reader->at on, at most `left`, are in one block. */
static size_t run_from(const dense_reader *reader, size_t left)
{
    const grid *blocks = &reader->from->grid;
    return blocks->count == 1 ? left : size_min(left, blocks->run - reader->at % blocks->run);
}

static void read_scalar_palette(dense_reader *reader, size_t count, float *out)
{
    const dense *from = reader->from;
    dense_read(reader->inner, count, out);
    for (size_t done = 0; done < count;) {
        size_t run = run_from(reader, count - done);
        const float *palette = reader->table + grid_block(&from->grid, reader->at) * from->entries;
        for (size_t i = 0; i < run; i++)
            out[done + i] = palette[(size_t)out[done + i]];
        reader->at += run;
        done += run;
    }
}

/* Entries of several elements lie along an axis that need not be the last, so that the indices are
 * wanted in no order: they are looked up one by one. Their array is plain. */
static void read_vector_palette(dense_reader *reader, size_t count, float *out)
{
    const dense *from = reader->from;
    size_t inside = 1;
    for (unsigned i = from->axis + 1; i < from->rank; i++)
        inside *= from->shape[i];
    size_t length = from->shape[from->axis];
    for (size_t i = 0; i < count; i++) {
        size_t at = reader->at++;
        size_t along = at / inside % length, outer = at / inside / length;
        size_t index =
            (outer * (length / from->vector) + along / from->vector) * inside + at % inside;
        float entry;
        array_floats(&from->inner->stored, index, 1, &entry);
        size_t palette = grid_block(&from->grid, index);
        out[i] = reader->table[(palette * from->entries + (size_t)entry) * from->vector +
                               along % from->vector];
    }
}

/* That of a block, or the one for all of them. */
static float block_value(const float *values, const dense *from, size_t block)
{
    return values[from->count == 1 ? 0 : block];
}

static void read_scaled(dense_reader *reader, size_t count, float *out)
{
    const dense *from = reader->from;
    dense_read(reader->inner, count, out);
    for (size_t done = 0; done < count;) {
        size_t run = run_from(reader, count - done);
        size_t block = grid_block(&from->grid, reader->at);
        float scale = block_value(reader->table, from->table, block);
        float shift = from->shift ? block_value(reader->shift, from->shift, block) : 0;
        for (size_t i = 0; i < run; i++)
            out[done + i] = (out[done + i] - shift) * scale;
        reader->at += run;
        done += run;
    }
}

/* The elements for the ones go to the end of `out`, and from there to their places: the next to be
 * placed never lies before its place. */
static void read_sparse(dense_reader *reader, size_t count, float *out)
{
    const array *mask = &reader->from->stored;
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += array_bit(mask, reader->at + i);
    size_t next = count - ones;
    dense_read(reader->inner, ones, out + next);
    for (size_t i = 0; i < count; i++)
        out[i] = array_bit(mask, reader->at + i) ? out[next++] : 0;
    reader->at += count;
}

static void read_masked(dense_reader *reader, size_t count, float *out)
{
    dense_read(reader->inner, count, out);
    for (size_t i = 0; i < count; i++)
        if (!array_bit(&reader->from->stored, reader->at + i))
            out[i] = 0;
    reader->at += count;
}

void dense_read(dense_reader *reader, size_t count, float *out)
{
    switch (reader->from->kind) {
    case DENSE_PLAIN:
        array_floats(&reader->from->stored, reader->at, count, out);
        reader->at += count;
        return;
    case DENSE_LUT:
        if (reader->from->vector > 1)
            read_vector_palette(reader, count, out);
        else
            read_scalar_palette(reader, count, out);
        return;
    case DENSE_SCALED: read_scaled(reader, count, out); return;
    case DENSE_SPARSE: read_sparse(reader, count, out); return;
    case DENSE_MASKED: read_masked(reader, count, out); return;
    }
}

const char *dense_check(const dense *from)
{
    const char *why = NULL;
    if (from->kind == DENSE_SPARSE &&
        array_bits_set(&from->stored, from->count) != from->inner->count)
        return "its mask has not as many ones as there are elements for it";
    if (from->inner)
        why = dense_check(from->inner);
    if (!why && from->table)
        why = dense_check(from->table);
    if (!why && from->shift)
        why = dense_check(from->shift);
    return why;
}
