/* oneDNN 2: its matmul primitive, with the weight in the order it asks for. */
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static dnnl_engine_t engine;
static dnnl_stream_t stream;

typedef struct product {
    dnnl_primitive_desc_t description;
    dnnl_primitive_t matmul;
    dnnl_memory_t x, w, y;
} product;

static bool open_onednn(char *version, size_t bytes)
{
    const dnnl_version_t *v = dnnl_version();
    snprintf(version, bytes, "%d.%d.%d", v->major, v->minor, v->patch);
    return dnnl_engine_create(&engine, dnnl_cpu, 0) == dnnl_success &&
           dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) == dnnl_success;
}

static dnnl_data_type_t type_of(yoke_format format)
{
    switch (format) {
    case YOKE_F32: return dnnl_f32;
    case YOKE_BF16: return dnnl_bf16;
    case YOKE_F16: return dnnl_f16;
    default: return dnnl_data_type_undef;
    }
}

static bool describe(size_t rows, size_t cols, yoke_format format, dnnl_format_tag_t tag,
                     dnnl_memory_desc_t *out)
{
    const dnnl_dims_t dims = {(dnnl_dim_t)rows, (dnnl_dim_t)cols};
    return type_of(format) != dnnl_data_type_undef &&
           dnnl_memory_desc_init_by_tag(out, 2, dims, type_of(format), tag) == dnnl_success;
}

static void release(void *prepared)
{
    product *made = prepared;
    if (made->matmul)
        dnnl_primitive_destroy(made->matmul);
    if (made->description)
        dnnl_primitive_desc_destroy(made->description);
    dnnl_memory_t memories[] = {made->x, made->w, made->y};
    for (size_t i = 0; i < 3; i++)
        if (memories[i])
            dnnl_memory_destroy(memories[i]);
    free(made);
}

/* w is N by K; as the K by N that matmul wants it is stored by columns. */
static bool make_matmul(product *made, const problem *p)
{
    dnnl_memory_desc_t x, w, y;
    dnnl_matmul_desc_t matmul;
    return describe(p->x->rows, p->x->cols, p->x->format, dnnl_ab, &x) &&
           describe(p->w->cols, p->w->rows, p->w->format, dnnl_format_tag_any, &w) &&
           describe(p->y->rows, p->y->cols, p->y->format, dnnl_ab, &y) &&
           dnnl_matmul_desc_init(&matmul, &x, &w, NULL, &y) == dnnl_success &&
           dnnl_primitive_desc_create(&made->description, &matmul, NULL, engine, NULL) ==
               dnnl_success &&
           dnnl_primitive_create(&made->matmul, made->description) == dnnl_success &&
           dnnl_memory_create(&made->x, &x, engine, p->x->data) == dnnl_success &&
           dnnl_memory_create(&made->y, &y, engine, p->y->data) == dnnl_success;
}

static bool reorder_w(product *made, const problem *p)
{
    dnnl_memory_desc_t stored;
    dnnl_memory_t from = NULL;
    dnnl_primitive_desc_t description = NULL;
    dnnl_primitive_t reorder = NULL;
    const dnnl_memory_desc_t *wanted =
        dnnl_primitive_desc_query_md(made->description, dnnl_query_weights_md, 0);
    bool done =
        describe(p->w->cols, p->w->rows, p->w->format, dnnl_ba, &stored) &&
        dnnl_memory_create(&from, &stored, engine, p->w->data) == dnnl_success &&
        dnnl_memory_create(&made->w, wanted, engine, DNNL_MEMORY_ALLOCATE) == dnnl_success &&
        dnnl_reorder_primitive_desc_create(&description, &stored, engine, wanted, engine, NULL) ==
            dnnl_success &&
        dnnl_primitive_create(&reorder, description) == dnnl_success;
    if (done) {
        const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, made->w}};
        done = dnnl_primitive_execute(reorder, stream, 2, args) == dnnl_success &&
               dnnl_stream_wait(stream) == dnnl_success;
    }
    if (reorder)
        dnnl_primitive_destroy(reorder);
    if (description)
        dnnl_primitive_desc_destroy(description);
    if (from)
        dnnl_memory_destroy(from);
    return done;
}

static void *prepare(const problem *p)
{
    product *made = calloc(1, sizeof *made);
    if (made && make_matmul(made, p) && reorder_w(made, p))
        return made;
    if (made)
        release(made);
    return NULL;
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    const dnnl_exec_arg_t args[] = {
        {DNNL_ARG_SRC, made->x}, {DNNL_ARG_WEIGHTS, made->w}, {DNNL_ARG_DST, made->y}};
    if (dnnl_primitive_execute(made->matmul, stream, 3, args) != dnnl_success ||
        dnnl_stream_wait(stream) != dnnl_success)
        exit(1);
}

const peer peer_onednn = {"oneDNN", open_onednn, prepare, multiply, release};
