#include "conformance/subject.h"

#include <stdio.h>

#include "conformance/random.h"

subject tested;

#define SKIPPED 77

/* What this machine lacks is no failure; a specification that is wrong is. */
static yoke_status open_subject(const char *specification)
{
    yoke_error err = {0};
    tested = (subject){.specification = specification};
    yoke_status status = yoke_context_create(NULL, &tested.context, &err);
    if (status == YOKE_OK)
        status = yoke_engine_open(tested.context, specification, &tested.engine, &err);
    if (status == YOKE_OK) {
        tested.facts = &yoke_engine_describe(tested.engine)->facts;
        return YOKE_OK;
    }
    yoke_context_free(tested.context);
    fprintf(stderr, "%s: %s\n", specification, err.text);
    return status;
}

static void close_subject(void)
{
    yoke_engine_free(tested.engine);
    yoke_context_free(tested.context);
}

int subject_run_all(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    int failures = 0, ran = 0;
    for (int i = 1; i < argc; i++) {
        yoke_status status = open_subject(argv[i]);
        if (status == YOKE_ERR_UNSUPPORTED)
            continue;
        if (status != YOKE_OK)
            return 1;
        failures += _cmocka_run_group_tests(argv[i], tests, count, NULL, NULL);
        close_subject();
        ran++;
    }
    if (ran == 0) {
        fprintf(stderr, "skipped: none of the engines named can be had here\n");
        return SKIPPED;
    }
    return failures ? 1 : 0;
}

yoke_engine *subject_open_variant(const char *more_options)
{
    char specification[128];
    yoke_error err = {0};
    yoke_engine *engine = NULL;
    snprintf(specification, sizeof specification, "%s,%s", tested.specification, more_options);
    if (yoke_engine_open(tested.context, specification, &engine, &err) != YOKE_OK)
        print_message("%s: %s\n", specification, err.text);
    return engine;
}

bool subject_takes(yoke_format format)
{
    yoke_matrix w;
    yoke_weight *weight = NULL;
    if (tested.facts->rounds_to == YOKE_FORMAT_NONE)
        return true;
    assert_int_equal(yoke_matrix_create(format, 16, 768, &w, NULL), YOKE_OK);
    random_fill(&w, 1);
    const yoke_status status = yoke_weight_prepare(tested.engine, &w, &weight, NULL, NULL);
    yoke_weight_free(weight);
    yoke_matrix_free(&w);
    return status != YOKE_ERR_UNSUPPORTED;
}

yoke_weight *prepare_on(yoke_engine *engine, const yoke_matrix *w)
{
    yoke_error err = {0};
    yoke_weight *weight = NULL;
    if (yoke_weight_prepare(engine, w, &weight, NULL, &err) != YOKE_OK)
        fail_msg("prepare %zu x %zu %s: %s", w->rows, w->cols, yoke_format_get(w->format)->name,
                 err.text);
    return weight;
}

void multiply_with(const yoke_weight *weight, const yoke_matrix *x, yoke_matrix *y,
                   const yoke_multiply_options *options)
{
    yoke_error err = {0};
    if (yoke_weight_multiply(weight, x, y, options, NULL, &err) != YOKE_OK)
        fail_msg("multiply m=%zu n=%zu k=%zu: %s", x->rows, y->cols, x->cols, err.text);
}

void multiply_once(const yoke_matrix *x, const yoke_matrix *w, yoke_matrix *y,
                   const yoke_multiply_options *options)
{
    yoke_weight *weight = prepare_on(tested.engine, w);
    multiply_with(weight, x, y, options);
    yoke_weight_free(weight);
}
