/* The planner: what a model's weight products cost on the engines of a chip, alone, one engine for
 * the prompt and another for the answer, or split. Everything it says of time is predicted, and
 * every figure it predicts from says where it is from.
 *
 *     yoke_planner_model_open("llama-3.1-8b", YOKE_F16, &model, &err);
 *     yoke_planner_machine_of_chip(chips, "M4 Max", &machine, &err);
 *     yoke_planner_predict(model, &machine, &(yoke_planner_request){.prompt = 512}, &p, &err);
 */
#ifndef YOKE_PLANNER_H
#define YOKE_PLANNER_H

#include "yoke/chips.h"
#include "yoke/split.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YOKE_PLANNER_MAX_ENGINES YOKE_SPLIT_MAX_ENGINES

/* ---- A model: the products that a token runs through ---- */

/* One product y = x * w^T, and how often a pass runs it. */
typedef struct yoke_planner_product {
    char role[48]; /* "q", "gate", "head"; of a tensor that is not known, its name */
    size_t n, k;   /* outputs, inputs */
    size_t count;  /* times in a pass: once a layer */
    yoke_format format;
    bool last_row;   /* a prompt needs it for its last token alone: the head */
    bool no_call;    /* one call of an engine computes it with the product before */
    bool attachment; /* no weight: what attention reads of its cache. Never split */
} yoke_planner_product;

typedef struct yoke_planner_model_info {
    char name[64];
    char source[160];    /* the public config of a preset, or the file */
    char note[256];      /* what the counting had to pass over; "" for nothing */
    uint64_t parameters; /* all weights, embeddings and norms too */
    uint64_t bytes;      /* of all weights in their formats */
    size_t kv_width;     /* elements a position keeps in one layer, keys and values; 0: not known */
    size_t kv_layers;    /* layers that keep them */
} yoke_planner_model_info;

typedef struct yoke_planner_model yoke_planner_model; /* opaque */

/* A preset by its name (yoke_planner_preset), a GGUF file, or a folder of safetensors with its
 * config.json. `format` is that of all matrices: for a preset NONE means f16, for a file as they
 * are stored. A file's products come from its tensors, also of an architecture never heard of.
 *
 * Errors: YOKE_ERR_NOT_FOUND (neither preset nor file: names the presets), YOKE_ERR_IO (no
 * config.json, no weights), YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED (no products in it),
 * YOKE_ERR_SHAPE (a K that the format's block does not divide), YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_planner_model_open(const char *what, yoke_format format,
                                             yoke_planner_model **model, yoke_error *err);

/* One without products, to be filled. Errors: YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_planner_model_create(const char *name, yoke_planner_model **model,
                                               yoke_error *err);

/* Adds a product, with its weights to parameters and bytes. One that is like another but for its
 * count is added to that. Errors: YOKE_ERR_SHAPE, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_planner_model_add(yoke_planner_model *model,
                                            const yoke_planner_product *product, yoke_error *err);

YOKE_API void yoke_planner_model_free(yoke_planner_model *model); /* takes NULL */

YOKE_API const yoke_planner_model_info *yoke_planner_model_about(const yoke_planner_model *model);

/* NULL past the end. */
YOKE_API const yoke_planner_product *yoke_planner_model_product(const yoke_planner_model *model,
                                                                size_t index);

/* "llama-3.1-8b", ...; NULL past the end. Static. */
YOKE_API const char *yoke_planner_preset(size_t index);

/* ---- A machine: what its engines can do ---- */

/* Where a figure is from, the better first. */
typedef enum yoke_planner_basis {
    YOKE_PLANNER_MEASURED = 0,  /* on this machine, by yoke tune */
    YOKE_PLANNER_PUBLISHED = 1, /* for this chip */
    YOKE_PLANNER_ASSUMED = 2    /* scaled from other chips, or a plain assumption */
} yoke_planner_basis;

/* "measured", "published", "assumed"; "?" for any other value. Static text. */
YOKE_API const char *yoke_planner_basis_name(yoke_planner_basis basis);

/* A figure as a range: low == high where one value is known, NaN where none is. */
typedef struct yoke_planner_figure {
    double low, high;
    yoke_planner_basis basis;
    char source[160];
} yoke_planner_figure;

typedef struct yoke_planner_engine {
    char name[256];              /* "gpu", "ane", "cpu"; with curves, a specification */
    yoke_planner_figure gbps;    /* weights read, 10^9 bytes a second */
    yoke_planner_figure tflops;  /* 10^12 multiplications and additions a second */
    yoke_planner_figure call_us; /* of a call, beside its work */
    bool f16_weights;            /* holds blocks it does not know as f16 (the Neural Engine) */
} yoke_planner_engine;

typedef struct yoke_planner_machine {
    char name[128];
    yoke_planner_figure system_gbps; /* of the whole chip: engines together get no more */
    yoke_planner_engine engines[YOKE_PLANNER_MAX_ENGINES];
    size_t count;
    const yoke_profile *profile; /* its curves replace the figures; NULL: none */
} yoke_planner_machine;

/* gpu, ane and cpu of a chip, from what the table knows of it; what it does not know is scaled
 * from other chips (docs/planning.md) and says so. Errors: YOKE_ERR_NOT_FOUND (names the chips
 * that are spelled nearly so). */
YOKE_API yoke_status yoke_planner_machine_of_chip(const yoke_chips *chips, const char *chip,
                                                  yoke_planner_machine *machine, yoke_error *err);

/* This machine, by its profile, which must outlive it. Errors: YOKE_ERR_NOT_FOUND (no curves). */
YOKE_API yoke_status yoke_planner_machine_of_profile(const yoke_profile *profile,
                                                     yoke_planner_machine *machine,
                                                     yoke_error *err);

/* Keeps the named engines alone, in that order. Errors: YOKE_ERR_NOT_FOUND (none of that name, or
 * named twice; nothing is changed then). */
YOKE_API yoke_status yoke_planner_machine_keep(yoke_planner_machine *machine,
                                               const char *const *engines, size_t count,
                                               yoke_error *err);

/* ---- The prediction ---- */

typedef struct yoke_planner_range {
    double low, high;
} yoke_planner_range;

/* One way to run a pass. */
typedef struct yoke_planner_way {
    bool possible;                                      /* every figure is known */
    yoke_planner_range ns;                              /* of the pass: predicted */
    yoke_planner_basis basis;                           /* the weakest of the figures it rests on */
    yoke_planner_range share[YOKE_PLANNER_MAX_ENGINES]; /* of the operations: fractions */
} yoke_planner_way;

/* A pass: all rows of the prompt, or one token of the answer. */
typedef struct yoke_planner_phase {
    size_t rows;
    double bytes, operations; /* of the model as stored, cache included */
    yoke_planner_way alone[YOKE_PLANNER_MAX_ENGINES];
    yoke_planner_way split; /* each product as the solver shares it, whole on one engine where
                             * that is better */
} yoke_planner_phase;

typedef struct yoke_planner_prediction {
    yoke_planner_phase prefill, decode;
} yoke_planner_prediction;

typedef struct yoke_planner_request {
    size_t prompt;  /* rows of the prefill pass; 0 means 512 */
    size_t context; /* positions that attention reads for a token of the answer; 0: not counted */
} yoke_planner_request;

/* Counted: every weight product, and with a context the read of the cache (f16). Not counted:
 * scores and values of attention in the prompt, norms, activations, sampling.
 *
 * A range goes from all figures at their better end to all at their worse; that of a share also
 * covers each engine at its better end with the others at their worse.
 * Errors: YOKE_ERR_USAGE (no engines), YOKE_ERR_MEMORY, those of yoke_solve. Thread-safe. */
YOKE_API yoke_status yoke_planner_predict(const yoke_planner_model *model,
                                          const yoke_planner_machine *machine,
                                          const yoke_planner_request *request,
                                          yoke_planner_prediction *prediction, yoke_error *err);

/* The possible engine that is fastest alone, by the middle of its range; machine->count: none. */
YOKE_API size_t yoke_planner_best(const yoke_planner_machine *machine,
                                  const yoke_planner_phase *phase);

#ifdef __cplusplus
}
#endif
#endif
