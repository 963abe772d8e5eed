/* The calls that oneDNN 2 and 3 spell differently, in one spelling. */
#ifndef ONEDNN_VERSION_H
#define ONEDNN_VERSION_H

#include "onednn_weight.h"

/* How a matrix lies in memory: a struct in version 2, in 3 a pointer to one that shape_free
 * takes. */
typedef dnnl_memory_desc_t shape;

#if DNNL_VERSION_MAJOR >= 3

typedef const_dnnl_memory_desc_t shape_given;
#define SHAPE(s) (s)

static inline bool shape_make(shape *s, int count, const dnnl_dims_t dims, dnnl_data_type_t type,
                              dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_create_with_tag(s, count, dims, type, tag) == dnnl_success;
}

static inline void shape_free(shape *s)
{
    dnnl_memory_desc_destroy(*s);
}

static inline bool matmul_describe(dnnl_engine_t engine, shape x, shape w, shape y,
                                   dnnl_primitive_attr_t attributes, dnnl_primitive_desc_t *out)
{
    return dnnl_matmul_primitive_desc_create(out, engine, x, w, NULL, y, attributes) ==
           dnnl_success;
}

/* Integers scaled in groups become bf16 on the way in. The values follow with the product. */
static inline bool scales_announce(dnnl_primitive_attr_t attributes, const onednn_weight *w)
{
    const dnnl_dims_t group = {SCALE_GROUP, 1};
    if (!w->grouped)
        return dnnl_primitive_attr_set_scales_mask(attributes, DNNL_ARG_WEIGHTS, 1 << 1) ==
               dnnl_success;
    return dnnl_primitive_attr_set_scales(attributes, DNNL_ARG_WEIGHTS, 3, 2, group, dnnl_f32) ==
               dnnl_success &&
           dnnl_primitive_attr_set_fpmath_mode_v2(attributes, dnnl_fpmath_mode_bf16, 1) ==
               dnnl_success;
}

static inline bool scales_make(dnnl_engine_t engine, const onednn_weight *w, dnnl_memory_t *out)
{
    const dnnl_dims_t groups = {(dnnl_dim_t)(w->k / SCALE_GROUP), (dnnl_dim_t)w->n};
    const dnnl_dims_t each = {(dnnl_dim_t)w->n};
    shape s = NULL;
    bool made = w->grouped ? shape_make(&s, 2, groups, dnnl_f32, dnnl_ab)
                           : shape_make(&s, 1, each, dnnl_f32, dnnl_a);
    made = made && dnnl_memory_create(out, s, engine, w->scales) == dnnl_success;
    shape_free(&s);
    return made;
}

#define ARG_SCALES (DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS)

#else

typedef const dnnl_memory_desc_t *shape_given;
#define SHAPE(s) (&(s))

static inline bool shape_make(shape *s, int count, const dnnl_dims_t dims, dnnl_data_type_t type,
                              dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_init_by_tag(s, count, dims, type, tag) == dnnl_success;
}

static inline void shape_free(shape *s)
{
    (void)s;
}

static inline bool matmul_describe(dnnl_engine_t engine, shape x, shape w, shape y,
                                   dnnl_primitive_attr_t attributes, dnnl_primitive_desc_t *out)
{
    dnnl_matmul_desc_t matmul;
    return dnnl_matmul_desc_init(&matmul, &x, &w, NULL, &y) == dnnl_success &&
           dnnl_primitive_desc_create(out, &matmul, attributes, engine, NULL) == dnnl_success;
}

static inline bool scales_announce(dnnl_primitive_attr_t attributes, const onednn_weight *w)
{
    return dnnl_primitive_attr_set_output_scales(attributes, (dnnl_dim_t)w->n, 1 << 1, w->scales) ==
           dnnl_success;
}

/* They were given with the attributes. */
static inline bool scales_make(dnnl_engine_t engine, const onednn_weight *w, dnnl_memory_t *out)
{
    (void)engine, (void)w, (void)out;
    return true;
}

#define ARG_SCALES 0 /* never given */

#endif
#endif
