/* oneDNN: its matmul primitive, with the weight in the order it asks for. Compiled once for version
 * 2 and once for 3, each a module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onednn_version.h"
#include "peer_x.h"

static dnnl_engine_t engine;
static dnnl_stream_t stream;

typedef struct product {
    void *x_data; /* a copy, of the type it wants */
    onednn_weight weight;
    shape x_shape, w_shape, w_stored, y_shape;
    dnnl_primitive_attr_t attributes;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t matmul;
    dnnl_memory_t x, w, y, scales;
} product;

static bool open_onednn(size_t threads, char *version, size_t bytes)
{
    (void)threads; /* OMP_NUM_THREADS says it */
    const dnnl_version_t *v = dnnl_version();
    snprintf(version, bytes, "%d.%d.%d", v->major, v->minor, v->patch);
    return dnnl_engine_create(&engine, dnnl_cpu, 0) == dnnl_success &&
           dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) == dnnl_success;
}

static void release(void *prepared)
{
    product *made = prepared;
    dnnl_memory_t memories[] = {made->x, made->w, made->y, made->scales};
    shape *shapes[] = {&made->x_shape, &made->w_shape, &made->w_stored, &made->y_shape};
    for (size_t i = 0; i < 4; i++) {
        if (memories[i])
            dnnl_memory_destroy(memories[i]);
        shape_free(shapes[i]);
    }
    if (made->matmul)
        dnnl_primitive_destroy(made->matmul);
    if (made->description)
        dnnl_primitive_desc_destroy(made->description);
    if (made->attributes)
        dnnl_primitive_attr_destroy(made->attributes);
    onednn_weight_free(&made->weight);
    free(made->x_data);
    free(made);
}

/* w is N by K mostly; as the K by N that matmul wants it is then stored by columns. */
static bool make_shapes(product *made, const problem *p)
{
    const dnnl_dim_t m = (dnnl_dim_t)p->x->rows, n = (dnnl_dim_t)p->w->rows;
    const dnnl_dim_t k = (dnnl_dim_t)p->w->cols;
    const dnnl_dims_t of_x = {m, k}, of_w = {k, n}, of_y = {m, n};
    const dnnl_data_type_t type = made->weight.type;
    return shape_make(&made->x_shape, 2, of_x, made->weight.x_type, dnnl_ab) &&
           shape_make(&made->w_shape, 2, of_w, type, dnnl_format_tag_any) &&
           shape_make(&made->w_stored, 2, of_w, type, made->weight.k_by_n ? dnnl_ab : dnnl_ba) &&
           shape_make(&made->y_shape, 2, of_y, dnnl_f32, dnnl_ab);
}

/* Its reference code is slower by orders of magnitude: no contender. */
static bool is_reference(const product *made)
{
    const char *name = "";
    dnnl_primitive_desc_query(made->description, dnnl_query_impl_info_str, 0, (void *)&name);
    return strncmp(name, "ref", 3) == 0;
}

static bool make_matmul(product *made, const problem *p)
{
    return dnnl_primitive_attr_create(&made->attributes) == dnnl_success &&
           (!made->weight.scales || (scales_announce(made->attributes, &made->weight) &&
                                     scales_make(engine, &made->weight, &made->scales))) &&
           matmul_describe(engine, made->x_shape, made->w_shape, made->y_shape, made->attributes,
                           &made->description) &&
           !is_reference(made) &&
           dnnl_primitive_create(&made->matmul, made->description) == dnnl_success &&
           dnnl_memory_create(&made->x, SHAPE(made->x_shape), engine, made->x_data) ==
               dnnl_success &&
           dnnl_memory_create(&made->y, SHAPE(made->y_shape), engine, p->y->data) == dnnl_success;
}

static bool run_reorder(dnnl_primitive_t reorder, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    return dnnl_primitive_execute(reorder, stream, 2, args) == dnnl_success &&
           dnnl_stream_wait(stream) == dnnl_success;
}

static bool reorder_w(product *made, shape_given wanted)
{
    dnnl_memory_t from = NULL;
    dnnl_primitive_desc_t description = NULL;
    dnnl_primitive_t reorder = NULL;
    bool done =
        dnnl_memory_create(&from, SHAPE(made->w_stored), engine, made->weight.data) ==
            dnnl_success &&
        dnnl_memory_create(&made->w, wanted, engine, DNNL_MEMORY_ALLOCATE) == dnnl_success &&
        dnnl_reorder_primitive_desc_create(&description, SHAPE(made->w_stored), engine, wanted,
                                           engine, NULL) == dnnl_success &&
        dnnl_primitive_create(&reorder, description) == dnnl_success &&
        run_reorder(reorder, from, made->w);
    if (reorder)
        dnnl_primitive_destroy(reorder);
    if (description)
        dnnl_primitive_desc_destroy(description);
    if (from)
        dnnl_memory_destroy(from);
    return done;
}

/* As it lies, where that is what it asks for. */
static bool place_w(product *made)
{
    shape_given wanted = dnnl_primitive_desc_query_md(made->description, dnnl_query_weights_md, 0);
    if (dnnl_memory_desc_equal(SHAPE(made->w_stored), wanted))
        return dnnl_memory_create(&made->w, wanted, engine, made->weight.data) == dnnl_success;
    bool placed = reorder_w(made, wanted);
    onednn_weight_free_data(&made->weight);
    return placed;
}

static bool copy_x(product *made, const problem *p)
{
    switch (made->weight.x_type) {
    case dnnl_s8: made->x_data = x_as_int8(p->x); break;
    case dnnl_bf16: made->x_data = x_as(p->x, YOKE_BF16); break;
    default: made->x_data = x_as(p->x, p->x->format);
    }
    return made->x_data != NULL;
}

static void *prepare(const problem *p)
{
    product *made = calloc(1, sizeof *made);
    if (made && onednn_weight_make(p->w, &made->weight) && copy_x(made, p) &&
        make_shapes(made, p) && make_matmul(made, p) && place_w(made))
        return made;
    if (made)
        release(made);
    return NULL;
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, made->x},
                                    {DNNL_ARG_WEIGHTS, made->w},
                                    {DNNL_ARG_DST, made->y},
                                    {ARG_SCALES, made->scales}};
    if (dnnl_primitive_execute(made->matmul, stream, made->scales ? 4 : 3, args) != dnnl_success ||
        dnnl_stream_wait(stream) != dnnl_success)
        exit(1);
}

#if DNNL_VERSION_MAJOR >= 3
#define NAME "oneDNN 3"
#else
#define NAME "oneDNN 2"
#endif
PEER_MODULE = {NAME, open_onednn, prepare, multiply, release};
