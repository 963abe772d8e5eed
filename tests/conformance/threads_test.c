/* Several callers at once; made to be run under a thread sanitizer too. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "conformance/random.h"
#include "conformance/subject.h"

enum { CALLERS = 4, ROUNDS = 12, M = 3, N = 90, K = 64 };

static yoke_matrix create_random(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_matrix made;
    assert_int_equal(yoke_matrix_create(format, rows, cols, &made, NULL), YOKE_OK);
    random_fill(&made, seed);
    return made;
}

/* What one caller does: the same product again and again, compared with its first result. */
typedef struct caller {
    pthread_t thread;
    const yoke_weight *weight;
    const yoke_matrix *x;
    yoke_multiply_options options;
    float expected[M * N];
    atomic_int wrong, failed;
} caller;

static void *call_again_and_again(void *arg)
{
    caller *self = arg;
    for (int round = 0; round < ROUNDS; round++) {
        float result[M * N];
        yoke_matrix y = {.format = YOKE_F32, .rows = M, .cols = N, .data = result};
        memset(result, 0xff, sizeof result);
        if (yoke_weight_multiply(self->weight, self->x, &y, &self->options, NULL, NULL) != YOKE_OK)
            atomic_fetch_add(&self->failed, 1);
        else if (memcmp(result, self->expected, sizeof result) != 0)
            atomic_fetch_add(&self->wrong, 1);
    }
    return NULL;
}

static void caller_init(caller *c, const yoke_weight *weight, const yoke_matrix *x,
                        yoke_wait_how how)
{
    memset(c, 0, sizeof *c);
    c->weight = weight;
    c->x = x;
    c->options.wait = how;
    yoke_matrix y = {.format = YOKE_F32, .rows = M, .cols = N, .data = c->expected};
    multiply_with(weight, x, &y, NULL);
}

static void run_all(caller *callers)
{
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(
            pthread_create(&callers[i].thread, NULL, call_again_and_again, &callers[i]), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(callers[i].failed, 0);
        assert_int_equal(callers[i].wrong, 0);
    }
}

static void several_callers_share_one_weight(void **state)
{
    (void)state;
    static caller callers[CALLERS];
    yoke_matrix w = create_random(YOKE_F16, N, K, 1), x[CALLERS];
    yoke_weight *weight = prepare_on(tested.engine, &w);
    for (int i = 0; i < CALLERS; i++) {
        x[i] = create_random(YOKE_F32, M, K, 10 + (uint64_t)i);
        caller_init(&callers[i], weight, &x[i], (yoke_wait_how)(i % 3));
    }
    run_all(callers);
    for (int i = 0; i < CALLERS; i++)
        yoke_matrix_free(&x[i]);
    yoke_weight_free(weight);
    yoke_matrix_free(&w);
}

static void several_weights_share_one_engine(void **state)
{
    (void)state;
    static const yoke_format formats[CALLERS] = {YOKE_F32, YOKE_BF16, YOKE_Q8_0, YOKE_Q4_0};
    static caller callers[CALLERS];
    yoke_matrix x = create_random(YOKE_BF16, M, K, 2), w[CALLERS];
    yoke_weight *prepared[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        w[i] = create_random(subject_takes(formats[i]) ? formats[i] : YOKE_F16, N, K,
                             20 + (uint64_t)i);
        prepared[i] = prepare_on(tested.engine, &w[i]);
        caller_init(&callers[i], prepared[i], &x, YOKE_WAIT_BLOCK);
    }
    run_all(callers);
    for (int i = 0; i < CALLERS; i++) {
        yoke_weight_free(prepared[i]);
        yoke_matrix_free(&w[i]);
    }
    yoke_matrix_free(&x);
}

static void several_engines_work_at_once(void **state)
{
    (void)state;
    const char *const specifications[CALLERS] = {tested.specification, tested.specification, "ref",
                                                 "fake,fixed_us=50"};
    static caller callers[CALLERS];
    yoke_matrix w = create_random(subject_takes(YOKE_F32) ? YOKE_F32 : YOKE_F16, N, K, 3);
    yoke_matrix x = create_random(YOKE_F32, M, K, 4);
    yoke_engine *engines[CALLERS];
    yoke_weight *prepared[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        yoke_error err = {0};
        if (yoke_engine_open(tested.context, specifications[i], &engines[i], &err) != YOKE_OK)
            fail_msg("%s", err.text);
        prepared[i] = prepare_on(engines[i], &w);
        caller_init(&callers[i], prepared[i], &x, YOKE_WAIT_BLOCK);
    }
    run_all(callers);
    for (int i = 0; i < CALLERS; i++) {
        yoke_weight_free(prepared[i]);
        yoke_engine_free(engines[i]);
    }
    yoke_matrix_free(&w);
    yoke_matrix_free(&x);
}

static void *open_prepare_multiply_free(void *arg)
{
    atomic_int *failed = arg;
    for (int round = 0; round < 3; round++) {
        float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, result = 0;
        const yoke_matrix x = {.format = YOKE_F32, .rows = 1, .cols = 8, .data = ones};
        yoke_matrix y = {.format = YOKE_F32, .rows = 1, .cols = 1, .data = &result};
        yoke_engine *engine = NULL;
        yoke_weight *weight = NULL;
        bool right =
            yoke_engine_open(tested.context, tested.specification, &engine, NULL) == YOKE_OK &&
            yoke_weight_prepare(engine, &x, &weight, NULL, NULL) == YOKE_OK &&
            yoke_weight_multiply(weight, &x, &y, NULL, NULL, NULL) == YOKE_OK && result == 8;
        yoke_weight_free(weight);
        yoke_engine_free(engine);
        if (!right)
            atomic_fetch_add(failed, 1);
    }
    return NULL;
}

static void engines_are_opened_and_closed_from_several_threads(void **state)
{
    (void)state;
    pthread_t threads[CALLERS];
    static atomic_int failed;
    atomic_store(&failed, 0);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_prepare_multiply_free, &failed), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(failed, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(several_callers_share_one_weight),
    cmocka_unit_test(several_weights_share_one_engine),
    cmocka_unit_test(several_engines_work_at_once),
    cmocka_unit_test(engines_are_opened_and_closed_from_several_threads),
};
SUBJECT_MAIN(tests)
