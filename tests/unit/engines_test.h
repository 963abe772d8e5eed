/* What the tests of the engines share. */
#ifndef UNIT_ENGINES_TEST_H
#define UNIT_ENGINES_TEST_H

#include "yoke/yoke.h"

/* Fails the test with the error's text. */
#define assert_ok(call, err)                                                                       \
    do {                                                                                           \
        if ((call) != YOKE_OK)                                                                     \
            fail_msg("%s: %s", #call, (err)->text);                                                \
    } while (0)

#define assert_says(err, words)                                                                    \
    do {                                                                                           \
        if (!strstr((err)->text, (words)))                                                         \
            fail_msg("\"%s\" does not say \"%s\"", (err)->text, (words));                          \
    } while (0)

static inline yoke_matrix matrix_f32(float *data, size_t rows, size_t cols)
{
    return (yoke_matrix){.format = YOKE_F32, .rows = rows, .cols = cols, .data = data};
}

/* How opening the engine in a context of its own ends. */
static inline yoke_status open_alone(const char *specification, yoke_error *err)
{
    yoke_context *context;
    yoke_engine *engine;
    assert_ok(yoke_context_create(NULL, &context, err), err);
    yoke_status status = yoke_engine_open(context, specification, &engine, err);
    yoke_engine_free(engine);
    yoke_context_free(context);
    return status;
}

#endif
