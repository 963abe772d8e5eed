/* ggml: its CPU backend, with the weight in the form its own extra buffers (repacked, AMX) give it
 * where one of them takes the product. x is f32, as ggml wants it; ggml rounds it to what the
 * weight's kernel takes. */
#include <ggml-backend.h>
#include <ggml-cpu.h>
#include <ggml.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"
#include "peer_x.h"

static ggml_backend_t backend;
static ggml_backend_dev_t device;
static ggml_backend_buffer_type_t *extra; /* ended by NULL; NULL where there are none */

typedef struct product {
    void *x; /* a copy, in f32 */
    struct ggml_context *context;
    struct ggml_cgraph *graph;
    ggml_backend_buffer_t buffers[3]; /* of w, x, y */
} product;

static void say_nothing(enum ggml_log_level level, const char *text, void *arg)
{
    (void)level, (void)text, (void)arg;
}

static bool open_ggml(size_t threads, char *version, size_t bytes)
{
    ggml_log_set(say_nothing, NULL); /* it tells of each weight */
    ggml_backend_reg_t registry = ggml_backend_cpu_reg();
    ggml_backend_dev_get_extra_bufts_t get_extra;
    *(void **)&get_extra =
        ggml_backend_reg_get_proc_address(registry, "ggml_backend_dev_get_extra_bufts");
    snprintf(version, bytes, "%s", ggml_version());
    device = ggml_backend_reg_dev_get(registry, 0);
    extra = get_extra ? get_extra(device) : NULL;
    if (!(backend = ggml_backend_cpu_init()))
        return false;
    struct ggml_threadpool_params params = ggml_threadpool_params_default((int)threads);
    ggml_backend_cpu_set_n_threads(backend, (int)threads);
    ggml_backend_cpu_set_threadpool(backend, ggml_threadpool_new(&params));
    return true;
}

static enum ggml_type type_of(yoke_format format)
{
    switch (format) {
    case YOKE_F32: return GGML_TYPE_F32;
    case YOKE_BF16: return GGML_TYPE_BF16;
    case YOKE_F16: return GGML_TYPE_F16;
    case YOKE_Q8_0: return GGML_TYPE_Q8_0;
    case YOKE_Q4_0: return GGML_TYPE_Q4_0;
    default: return GGML_TYPE_COUNT;
    }
}

static void release(void *prepared)
{
    product *made = prepared;
    for (size_t i = 0; i < 3; i++)
        ggml_backend_buffer_free(made->buffers[i]);
    ggml_free(made->context);
    free(made->x);
    free(made);
}

/* ggml says whether a kind of buffer serves by looking at a weight that lies in one. */
static ggml_backend_buffer_t best_buffer(struct ggml_tensor *w, const struct ggml_tensor *y)
{
    for (ggml_backend_buffer_type_t *kind = extra; kind && *kind; kind++) {
        ggml_backend_buffer_t buffer =
            ggml_backend_buft_alloc_buffer(*kind, ggml_backend_buft_get_alloc_size(*kind, w));
        w->buffer = buffer;
        bool serves = buffer && ggml_backend_dev_supports_op(device, y);
        w->buffer = NULL;
        if (serves)
            return buffer;
        ggml_backend_buffer_free(buffer);
    }
    return ggml_backend_alloc_buffer(backend, ggml_nbytes(w));
}

static bool place(ggml_backend_buffer_t buffer, struct ggml_tensor *tensor)
{
    return buffer &&
           ggml_backend_tensor_alloc(buffer, tensor, ggml_backend_buffer_get_base(buffer)) ==
               GGML_STATUS_SUCCESS;
}

static bool fill(product *made, const problem *p)
{
    const struct ggml_init_params params = {
        .mem_size = 4 * ggml_tensor_overhead() + ggml_graph_overhead(), .no_alloc = true};
    if (!(made->x = x_as(p->x, YOKE_F32)) || !(made->context = ggml_init(params)))
        return false;
    const int64_t k = (int64_t)p->w->cols, n = (int64_t)p->w->rows, m = (int64_t)p->x->rows;
    struct ggml_tensor *w = ggml_new_tensor_2d(made->context, type_of(p->w->format), k, n);
    struct ggml_tensor *x = ggml_new_tensor_2d(made->context, GGML_TYPE_F32, k, m);
    struct ggml_tensor *y = ggml_mul_mat(made->context, w, x);
    made->graph = ggml_new_graph(made->context);
    ggml_build_forward_expand(made->graph, y);

    made->buffers[0] = best_buffer(w, y);
    made->buffers[1] = ggml_backend_cpu_buffer_from_ptr(made->x, ggml_nbytes(x));
    made->buffers[2] = ggml_backend_cpu_buffer_from_ptr(p->y->data, ggml_nbytes(y));
    if (!place(made->buffers[0], w) || !place(made->buffers[1], x) || !place(made->buffers[2], y))
        return false;
    ggml_backend_tensor_set(w, p->w->data, 0, ggml_nbytes(w));
    return true;
}

static void *prepare(const problem *p)
{
    if (type_of(p->w->format) == GGML_TYPE_COUNT)
        return NULL;
    product *made = calloc(1, sizeof *made);
    if (made && fill(made, p))
        return made;
    if (made)
        release(made);
    return NULL;
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    if (ggml_backend_graph_compute(backend, made->graph) != GGML_STATUS_SUCCESS)
        exit(1);
}

PEER_MODULE = {"ggml", open_ggml, prepare, multiply, release};
