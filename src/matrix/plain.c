/* Formats of one plain number an element. */
#include "matrix/load.h"
#include "matrix/read.h"

/* A decoder that loads a `type` and casts it: C rounds to nearest. */
#define PLAIN_READ(name, type)                                                                     \
    void plain_read_##name(const unsigned char *data, size_t n, float *out)                        \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            type value;                                                                            \
            memcpy(&value, data + i * sizeof value, sizeof value);                                 \
            out[i] = (float)value;                                                                 \
        }                                                                                          \
    }

PLAIN_READ(f64, double)
PLAIN_READ(u8, uint8_t)
PLAIN_READ(i8, int8_t)
PLAIN_READ(u16, uint16_t)
PLAIN_READ(i16, int16_t)
PLAIN_READ(u32, uint32_t)
PLAIN_READ(i32, int32_t)
PLAIN_READ(u64, uint64_t)
PLAIN_READ(i64, int64_t)

void plain_read_f32(const unsigned char *data, size_t n, float *out)
{
    memcpy(out, data, n * sizeof *out);
}

void plain_read_f16(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = load_f16(data + 2 * i);
}

void plain_read_bf16(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = bf16_to_f32(load_u16(data + 2 * i));
}

void plain_read_bool(const unsigned char *data, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = data[i] != 0;
}
