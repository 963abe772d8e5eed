/* A model as its makers fill it. */
#ifndef PLANNER_MODEL_H
#define PLANNER_MODEL_H

#include "yoke/file.h"
#include "yoke/planner.h"

struct yoke_planner_model {
    yoke_planner_model_info info;
    yoke_planner_product *products;
    size_t count, capacity;
};

/* What shapes a transformer of the usual kind. */
typedef struct model_shape {
    const char *name, *source;
    size_t layers, hidden, ffn, heads, kv_heads, head_dim, vocabulary;
    size_t positions; /* learned ones; 0: none */
    bool tied;        /* the head is the embedding */
    bool gated;       /* gate, up, down; else up, down */
    bool fused_qkv;   /* one product for q, k and v */
    bool biases;      /* every product and norm has one */
    bool qk_norm;     /* norms of head_dim for q and for k */
} model_shape;

/* Adds the products of a shape, embeddings and norms to the parameters. Errors: those of
 * yoke_planner_model_add. */
yoke_status model_add_shape(yoke_planner_model *model, const model_shape *s, yoke_format format,
                            yoke_error *err);

/* Weights that are no product: embeddings, norms, biases. */
yoke_status model_add_weights(yoke_planner_model *model, uint64_t elements, yoke_format format,
                              yoke_error *err);

/* Copies as much as fits, as text of one line that JSON takes too. */
void model_copy_text(char *out, size_t room, const char *text);

/* Adds a product alone: its weights have been counted, or are none. */
yoke_status model_add_product(yoke_planner_model *model, const yoke_planner_product *product,
                              yoke_error *err);

/* A preset of that name; NULL when there is none. */
const model_shape *preset_find(const char *name);

/* What a file says beside its tensors. */
typedef struct model_facts {
    char name[64];
    size_t experts, experts_used; /* of a mixture, in a layer and for a token; 0: not said */
    bool tied;                    /* without a head of its own the model uses the embedding */
} model_facts;

/* Adds the products that the tensors of a file are. Errors: YOKE_ERR_UNSUPPORTED (there are none),
 * those of yoke_planner_model_add. */
yoke_status model_add_tensors(yoke_planner_model *model, const yoke_file *file,
                              const model_facts *facts, yoke_format format, yoke_error *err);

/* Reads config.json beside the weights at `path`, a file or a folder. Errors: YOKE_ERR_IO,
 * YOKE_ERR_FORMAT, YOKE_ERR_MEMORY. */
yoke_status config_read(const char *path, model_facts *facts, yoke_error *err);

/* Reads the keys of a GGUF file. Errors: YOKE_ERR_IO, YOKE_ERR_FORMAT. */
yoke_status gguf_keys_read(const char *path, model_facts *facts, yoke_error *err);

#endif
