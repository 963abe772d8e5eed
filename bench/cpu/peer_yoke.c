#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static yoke_context *context;
static yoke_engine *engine;

typedef struct product {
    problem p;
    yoke_weight *weight;
} product;

/* By itself the engine takes as many threads as the others are told to. */
static bool open_yoke(size_t threads, char *version, size_t bytes)
{
    (void)threads;
    snprintf(version, bytes, "%s", yoke_version());
    return yoke_context_create(NULL, &context, NULL) == YOKE_OK &&
           yoke_engine_open(context, "cpu", &engine, NULL) == YOKE_OK;
}

static void *prepare(const problem *p)
{
    product *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    made->p = *p;
    if (yoke_weight_prepare(engine, p->w, &made->weight, NULL, NULL) == YOKE_OK)
        return made;
    free(made);
    return NULL;
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    const yoke_multiply_options options = {.precision = made->p.precision, .wait = YOKE_WAIT_POLL};
    if (yoke_weight_multiply(made->weight, made->p.x, made->p.y, &options, NULL, NULL) != YOKE_OK)
        exit(1);
}

static void release(void *prepared)
{
    product *made = prepared;
    yoke_weight_free(made->weight);
    free(made);
}

const peer peer_yoke = {"yoke", open_yoke, prepare, multiply, release};
