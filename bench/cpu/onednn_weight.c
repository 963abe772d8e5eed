#include "onednn_weight.h"

#include <stdlib.h>
#include <string.h>

#if DNNL_VERSION_MAJOR >= 3

/* Puts the integers of a block, of output n from k on, where they belong. */
typedef void unpack(const unsigned char *block, size_t n, size_t k, const onednn_weight *out);

static void unpack_q8_0(const unsigned char *block, size_t n, size_t k, const onednn_weight *out)
{
    memcpy((char *)out->data + n * out->k + k, block, SCALE_GROUP);
}

/* Two in a byte, the first in its low half; q is 8 more than it means. */
static void put_q4(const onednn_weight *out, size_t n, size_t k, unsigned q)
{
    const size_t at = k * out->n + n;
    ((unsigned char *)out->data)[at / 2] |= (unsigned char)((q ^ 8) << at % 2 * 4);
}

/* Low halves are the first 16 elements, high halves the others. */
static void unpack_q4_0(const unsigned char *block, size_t n, size_t k, const onednn_weight *out)
{
    for (size_t i = 0; i < SCALE_GROUP / 2; i++) {
        put_q4(out, n, k + i, block[i] & 15);
        put_q4(out, n, k + i + SCALE_GROUP / 2, block[i] >> 4);
    }
}

/* f16 scales only some of its code takes, f32 ones all: not a value changes. */
static bool widen_scales(unsigned char *halves, size_t groups, size_t n, float *out)
{
    const yoke_matrix from = {.format = YOKE_F16, .rows = groups, .cols = n, .data = halves};
    yoke_matrix to = {.format = YOKE_F32, .rows = groups, .cols = n, .data = out};
    return halves && out && yoke_matrix_convert(&from, &to, NULL) == YOKE_OK;
}

/* A block is a scale in f16, then the integers. */
static void unpack_blocks(const yoke_matrix *w, unpack *unpack_one, const onednn_weight *out,
                          unsigned char *halves)
{
    const size_t bytes = yoke_format_get(w->format)->block_bytes;
    const unsigned char *block = w->data;
    for (size_t n = 0; n < w->rows; n++)
        for (size_t k = 0; k < w->cols; k += SCALE_GROUP, block += bytes) {
            memcpy(halves + 2 * (k / SCALE_GROUP * w->rows + n), block, 2);
            unpack_one(block + 2, n, k, out);
        }
}

/* Integers of 4 bits are taken by rows of k alone. */
static bool make_blocks(const yoke_matrix *w, onednn_weight *out)
{
    const size_t groups = w->cols / SCALE_GROUP, count = w->rows * groups;
    const bool is_q8 = w->format == YOKE_Q8_0;
    unsigned char *halves = malloc(count * 2);
    out->type = is_q8 ? dnnl_s8 : dnnl_s4;
    out->x_type = dnnl_bf16;
    out->k_by_n = !is_q8;
    out->grouped = out->owns_data = true;
    out->data = calloc(count, is_q8 ? SCALE_GROUP : SCALE_GROUP / 2);
    out->scales = malloc(count * sizeof(float));
    if (out->data && halves)
        unpack_blocks(w, is_q8 ? unpack_q8_0 : unpack_q4_0, out, halves);
    bool made = out->data && widen_scales(halves, groups, w->rows, out->scales);
    free(halves);
    return made;
}

#else

static bool make_blocks(const yoke_matrix *w, onednn_weight *out)
{
    (void)w, (void)out;
    return false;
}

#endif

/* x's step goes into the scales: then x needs none. */
static bool make_int8(const yoke_matrix *w, onednn_weight *out)
{
    float *scales = malloc(w->rows * sizeof *scales);
    out->scales = scales;
    for (size_t i = 0; scales && i < w->rows; i++)
        scales[i] = ((const float *)w->table)[2 * i] * X_INT8_STEP;
    return scales != NULL;
}

static bool make_plain(dnnl_data_type_t type, onednn_weight *out)
{
    out->type = out->x_type = type;
    return true;
}

bool onednn_weight_make(const yoke_matrix *w, onednn_weight *out)
{
    *out = (onednn_weight){
        .type = dnnl_s8, .x_type = dnnl_s8, .data = w->data, .n = w->rows, .k = w->cols};
    switch (w->format) {
    case YOKE_F32: return make_plain(dnnl_f32, out);
    case YOKE_BF16: return make_plain(dnnl_bf16, out);
    case YOKE_F16: return make_plain(dnnl_f16, out);
    case YOKE_INT8: return make_int8(w, out);
    case YOKE_Q8_0:
    case YOKE_Q4_0: return make_blocks(w, out);
    default: return false;
    }
}

void onednn_weight_free_data(onednn_weight *weight)
{
    if (weight->owns_data)
        free(weight->data);
    weight->data = NULL;
}

void onednn_weight_free(onednn_weight *weight)
{
    onednn_weight_free_data(weight);
    free(weight->scales);
}
