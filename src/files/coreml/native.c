#include "files/coreml/native.h"

#include <string.h>

#include "base/half.h"

enum {
    PALETTE_MOST = 256,
    /* Palettes that are not fp16 are looked at when the bundle is opened: not more than this, since
     * many weights may share one. */
    LOOKED_AT_MOST = 1 << 18
};

/* Rows of the matrix that one block serves; 0 when blocks are no ranges of rows. Only the outermost
 * dimension that is longer than one may be cut. */
static size_t rows_of_block(const grid *blocks, size_t rows)
{
    unsigned outermost = 0;
    while (outermost < blocks->rank && blocks->shape[outermost] == 1)
        outermost++;
    for (unsigned i = 0; i < blocks->rank; i++)
        if (i != outermost && blocks->blocks[i] != 1)
            return 0;
    return rows % blocks->count == 0 ? rows / blocks->count : 0;
}

static bool are_halves(const dense *table)
{
    if (table->kind != DENSE_PLAIN)
        return false;
    if (table->stored.element == MIL_FP16)
        return true;
    if (table->count > LOOKED_AT_MOST)
        return false;
    for (size_t i = 0; i < table->count; i++) {
        float value;
        array_floats(&table->stored, i, 1, &value);
        if (!(f16_to_f32(f16_from_f32(value)) == value))
            return false;
    }
    return true;
}

static yoke_format palette_format(const dense *values)
{
    unsigned bits = values->inner->stored.bits;
    bool packed = bits == mil_element_get(values->inner->stored.element)->bits;
    if (!packed || values->vector != 1 || !are_halves(values->table))
        return YOKE_FORMAT_NONE;
    switch (bits) {
    case 1: return YOKE_LUT1;
    case 2: return YOKE_LUT2;
    case 3: return YOKE_LUT3;
    case 4: return YOKE_LUT4;
    case 6: return YOKE_LUT6;
    case 8: return YOKE_LUT8;
    default: return YOKE_FORMAT_NONE;
    }
}

static bool is_unsigned(const dense *values)
{
    return values->kind == DENSE_SCALED &&
           mil_element_get(values->inner->element)->element_class == MIL_CLASS_UNSIGNED;
}

/* Unsigned integers become signed by moving them and the zero; that must round nothing. */
static bool shift_can_move(const dense *shift)
{
    return !shift || (shift->kind == DENSE_PLAIN && shift->stored.bits <= 16 &&
                      mil_element_get(shift->element)->element_class != MIL_CLASS_FLOAT);
}

static yoke_format integer_format(const dense *values)
{
    if (is_unsigned(values) && !shift_can_move(values->shift))
        return YOKE_FORMAT_NONE;
    switch (values->inner->stored.element) {
    case MIL_INT8:
    case MIL_UINT8: return YOKE_INT8;
    case MIL_INT4:
    case MIL_UINT4: return values->inner->stored.bits == 4 ? YOKE_INT4 : YOKE_FORMAT_NONE;
    default: return YOKE_FORMAT_NONE;
    }
}

native native_of(const dense *values, size_t rows, size_t cols)
{
    native none = {.format = YOKE_FORMAT_NONE}, found = none;
    bool table = values->kind == DENSE_LUT || values->kind == DENSE_SCALED;
    if (!table || values->inner->kind != DENSE_PLAIN || rows == 0 || cols == 0)
        return none;
    found.table_rows = rows_of_block(&values->grid, rows);
    if (found.table_rows > 0)
        found.format = values->kind == DENSE_LUT ? palette_format(values) : integer_format(values);
    return cols % yoke_format_get(found.format)->block == 0 ? found : none;
}

const array *native_elements(const dense *values)
{
    return &values->inner->stored;
}

bool native_is_as_stored(const dense *values)
{
    return !is_unsigned(values);
}

void native_write_elements(const dense *values, size_t bytes, uint8_t *to)
{
    const array *from = native_elements(values);
    if (!is_unsigned(values)) {
        memcpy(to, from->data, bytes);
        return;
    }
    uint8_t half = from->bits == 8 ? 0x80 : 0x88;
    for (size_t i = 0; i < bytes; i++)
        to[i] = from->data[i] ^ half;
}

const array *native_stored_table(const dense *values)
{
    bool stored = values->kind == DENSE_LUT && values->table->stored.element == MIL_FP16;
    return stored ? &values->table->stored : NULL;
}

static uint8_t *put_entry(const void *entry, size_t bytes, size_t repeat, uint8_t *to)
{
    for (size_t i = 0; i < repeat; i++, to += bytes)
        memcpy(to, entry, bytes);
    return to;
}

static void write_palettes(const dense *values, size_t repeat, uint8_t *to)
{
    float entry[PALETTE_MOST];
    uint16_t halves[PALETTE_MOST];
    for (size_t i = 0; i < values->grid.count; i++) {
        array_floats(&values->table->stored, i * values->entries, values->entries, entry);
        for (size_t j = 0; j < values->entries; j++)
            halves[j] = f16_from_f32(entry[j]);
        to = put_entry(halves, values->entries * sizeof *halves, repeat, to);
    }
}

/* The next of a block's values, or again the one for all blocks. */
static void next_value(dense_reader *reader, const dense *from, size_t block, float *value)
{
    if (block == 0 || from->count > 1)
        dense_read(reader, 1, value);
}

static bool write_scales(const dense *values, size_t repeat, uint8_t *to)
{
    dense_reader *scales = dense_reader_create(values->table);
    dense_reader *shifts = values->shift ? dense_reader_create(values->shift) : NULL;
    bool memory = scales && (shifts || !values->shift);
    float moved = !is_unsigned(values) ? 0 : native_elements(values)->bits == 8 ? 128 : 8;
    float scale = 0, shift = 0;
    for (size_t i = 0; memory && i < values->grid.count; i++) {
        next_value(scales, values->table, i, &scale);
        if (shifts)
            next_value(shifts, values->shift, i, &shift);
        float entry[2] = {scale, shift - moved};
        to = put_entry(entry, sizeof entry, repeat, to);
    }
    dense_reader_free(scales);
    dense_reader_free(shifts);
    return memory;
}

bool native_write_table(const dense *values, size_t repeat, uint8_t *to)
{
    const array *stored = native_stored_table(values);
    if (values->kind == DENSE_SCALED)
        return write_scales(values, repeat, to);
    size_t bytes = 2 * values->entries;
    if (!stored)
        write_palettes(values, repeat, to);
    else
        for (size_t i = 0; i < values->grid.count; i++)
            to = put_entry(stored->data + i * bytes, bytes, repeat, to);
    return true;
}
