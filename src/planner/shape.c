/* Presets, and the products of a transformer of the usual kind: grouped queries, a gated or a plain
 * feed-forward part, a head that may be the embedding. */
#include <string.h>

#include "planner/model.h"

static const model_shape presets[] = {
    {.name = "llama-3.1-8b",
     .source = "huggingface.co/meta-llama/Llama-3.1-8B config.json",
     .layers = 32,
     .hidden = 4096,
     .ffn = 14336,
     .heads = 32,
     .kv_heads = 8,
     .head_dim = 128,
     .vocabulary = 128256,
     .gated = true},
    {.name = "llama-3.2-1b",
     .source = "huggingface.co/meta-llama/Llama-3.2-1B config.json",
     .layers = 16,
     .hidden = 2048,
     .ffn = 8192,
     .heads = 32,
     .kv_heads = 8,
     .head_dim = 64,
     .vocabulary = 128256,
     .tied = true,
     .gated = true},
    {.name = "gpt2-124m",
     .source = "huggingface.co/openai-community/gpt2 config.json",
     .layers = 12,
     .hidden = 768,
     .ffn = 3072,
     .heads = 12,
     .kv_heads = 12,
     .head_dim = 64,
     .vocabulary = 50257,
     .positions = 1024,
     .tied = true,
     .fused_qkv = true,
     .biases = true},
    {.name = "qwen3-4b",
     .source = "huggingface.co/Qwen/Qwen3-4B config.json",
     .layers = 36,
     .hidden = 2560,
     .ffn = 9728,
     .heads = 32,
     .kv_heads = 8,
     .head_dim = 128,
     .vocabulary = 151936,
     .tied = true,
     .gated = true,
     .qk_norm = true},
};
#define PRESET_COUNT (sizeof presets / sizeof presets[0])

const char *yoke_planner_preset(size_t index)
{
    return index < PRESET_COUNT ? presets[index].name : NULL;
}

const model_shape *preset_find(const char *name)
{
    for (size_t i = 0; i < PRESET_COUNT; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

typedef struct adder {
    yoke_planner_model *model;
    size_t count;
    yoke_format format;
    yoke_status status;
    yoke_error *err;
} adder;

static void add(adder *a, const char *role, size_t n, size_t k)
{
    yoke_planner_product product = {.n = n, .k = k, .count = a->count, .format = a->format};
    model_copy_text(product.role, sizeof product.role, role);
    product.last_row = strcmp(role, "head") == 0;
    if (a->status == YOKE_OK)
        a->status = yoke_planner_model_add(a->model, &product, a->err);
}

static void add_layers(adder *a, const model_shape *s)
{
    size_t q = s->heads * s->head_dim, kv = s->kv_heads * s->head_dim;
    if (s->fused_qkv) {
        add(a, "qkv", q + 2 * kv, s->hidden);
    } else {
        add(a, "q", q, s->hidden);
        add(a, "k", kv, s->hidden);
        add(a, "v", kv, s->hidden);
    }
    add(a, "o", s->hidden, q);
    if (s->gated)
        add(a, "gate", s->ffn, s->hidden);
    add(a, "up", s->ffn, s->hidden);
    add(a, "down", s->hidden, s->ffn);
}

/* Norms and biases, of all layers and the end. */
static uint64_t small_weights(const model_shape *s)
{
    uint64_t q = s->heads * s->head_dim, kv = s->kv_heads * s->head_dim;
    uint64_t norm = s->hidden * (s->biases ? 2 : 1), layer = 2 * norm;
    if (s->qk_norm)
        layer += 2 * s->head_dim;
    if (s->biases)
        layer += q + 2 * kv + s->hidden + s->ffn + s->hidden;
    return s->layers * layer + norm;
}

yoke_status model_add_shape(yoke_planner_model *model, const model_shape *s, yoke_format format,
                            yoke_error *err)
{
    adder a = {.model = model, .count = s->layers, .format = format, .err = err};
    add_layers(&a, s);
    a.count = 1;
    add(&a, "head", s->vocabulary, s->hidden);
    /* A tied embedding has been counted: it is the head. */
    uint64_t rows = s->positions + (s->tied ? 0 : s->vocabulary);
    if (a.status == YOKE_OK)
        a.status = model_add_weights(model, rows * s->hidden, format, err);
    if (a.status == YOKE_OK)
        a.status = model_add_weights(model, small_weights(s), YOKE_F32, err);
    model->info.kv_width = 2 * s->kv_heads * s->head_dim;
    model->info.kv_layers = s->layers;
    model_copy_text(model->info.source, sizeof model->info.source, s->source);
    return a.status;
}
