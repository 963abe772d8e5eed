/* A weight as oneDNN takes it: plain elements or integers, and their scales beside them. */
#ifndef ONEDNN_WEIGHT_H
#define ONEDNN_WEIGHT_H

#include <oneapi/dnnl/dnnl.h>

#include "peer.h"

enum { SCALE_GROUP = 32 }; /* elements of a block of q8_0 and q4_0 */

typedef struct onednn_weight {
    dnnl_data_type_t type, x_type;
    void *data;   /* n by k */
    void *scales; /* f32; NULL: none; grouped: [k / SCALE_GROUP][n], else [n] */
    size_t n, k;
    bool k_by_n; /* data is k by n */
    bool grouped;
    bool owns_data;
} onednn_weight;

/* False for a format that this version does not multiply, and without memory. */
bool onednn_weight_make(const yoke_matrix *w, onednn_weight *out);

/* Once it has been reordered: the scales alone are still needed. */
void onednn_weight_free_data(onednn_weight *weight);
void onednn_weight_free(onednn_weight *weight);

#endif
