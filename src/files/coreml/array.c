#include "files/coreml/array.h"

#include <string.h>

/* Elements of up to 8 bits; a value of `bits` bits may lie across two bytes. */
static void packed_floats(const array *from, size_t first, size_t count, float *out)
{
    unsigned bits = from->bits, width = mil_element_get(from->element)->bits;
    unsigned mask = (1u << width) - 1;
    bool is_signed = mil_element_get(from->element)->element_class == MIL_CLASS_SIGNED;
    unsigned sign = is_signed ? 1u << (width - 1) : 0;
    /* In bytes and bits apart, since the bits of a large array do not fit. */
    size_t byte = first / 8 * bits + first % 8 * bits / 8;
    unsigned shift = (unsigned)(first % 8 * bits % 8);
    for (size_t i = 0; i < count; i++) {
        unsigned pair = from->data[byte];
        if (shift + width > 8)
            pair |= (unsigned)from->data[byte + 1] << 8;
        unsigned value = pair >> shift & mask;
        out[i] = (float)((int)(value ^ sign) - (int)sign);
        shift += bits;
        byte += shift / 8;
        shift %= 8;
    }
}

void array_floats(const array *from, size_t first, size_t count, float *out)
{
    const mil_element_info *info = mil_element_get(from->element);
    bool is_integer = info->element_class != MIL_CLASS_FLOAT;
    if (is_integer && from->bits <= 8) {
        packed_floats(from, first, count, out);
        return;
    }
    yoke_matrix row = {
        .format = info->format, .rows = 1, .cols = from->count, .data = (void *)from->data};
    /* It cannot fail: all of these formats are readable, and the range was checked. */
    if (yoke_matrix_read(&row, 0, first, count, out, NULL) != YOKE_OK)
        memset(out, 0, count * sizeof *out);
}

size_t array_bits_set(const array *from, size_t count)
{
    size_t set = 0;
    for (size_t i = 0; i < count / 8; i++)
        set += (unsigned)__builtin_popcount(from->data[i]);
    for (size_t i = count / 8 * 8; i < count; i++)
        set += array_bit(from, i);
    return set;
}
