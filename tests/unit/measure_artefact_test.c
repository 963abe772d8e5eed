#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/measure_near.h"
#include "yoke/bench.h"

static yoke_artefact *random_artefact(size_t n, size_t k, uint64_t seed, yoke_format format,
                                      size_t threads)
{
    yoke_artefact *artefact;
    yoke_artefact_options options = {.format = format, .threads = threads};
    assert_int_equal(yoke_artefact_random(n, k, seed, &options, &artefact, NULL), YOKE_OK);
    return artefact;
}

static void random_weight_does_not_depend_on_the_threads(void **state)
{
    (void)state;
    yoke_artefact *one = random_artefact(1000, 64, 7, YOKE_F16, 1);
    yoke_artefact *three = random_artefact(1000, 64, 7, YOKE_F16, 3);
    const yoke_matrix *a = yoke_artefact_matrix(one), *b = yoke_artefact_matrix(three);
    assert_memory_equal(a->data, b->data, 1000 * 64 * 2);
    assert_string_equal(yoke_artefact_identity(one)->hash, yoke_artefact_identity(three)->hash);
    yoke_artefact_free(three);
    yoke_artefact_free(one);
}

/* Rows that repeat would let a memory or a cache that compresses look fast. */
static void no_two_rows_of_a_random_weight_are_equal(void **state)
{
    (void)state;
    yoke_artefact *artefact = random_artefact(1000, 64, 1, YOKE_F16, 2);
    const char *rows = yoke_artefact_matrix(artefact)->data;
    for (size_t i = 0; i < 1000; i++)
        for (size_t j = i + 1; j < 1000; j++)
            assert_true(memcmp(rows + i * 128, rows + j * 128, 128) != 0);
    yoke_artefact_free(artefact);
}

static void another_seed_is_another_weight(void **state)
{
    (void)state;
    yoke_artefact *a = random_artefact(64, 64, 1, YOKE_F16, 1);
    yoke_artefact *b = random_artefact(64, 64, 2, YOKE_F16, 1);
    assert_string_not_equal(yoke_artefact_identity(a)->hash, yoke_artefact_identity(b)->hash);
    yoke_artefact_free(b);
    yoke_artefact_free(a);
}

static void identity_says_shape_bytes_and_origin(void **state)
{
    (void)state;
    yoke_artefact *artefact = random_artefact(96, 64, 5, YOKE_Q8_0, 1);
    const yoke_identity *identity = yoke_artefact_identity(artefact);
    assert_string_equal(identity->kind, "random");
    assert_int_equal(identity->seed, 5);
    assert_int_equal(identity->format, YOKE_Q8_0);
    assert_int_equal(identity->n, 96);
    assert_int_equal(identity->k, 64);
    assert_int_equal(identity->bytes, 96 * 2 * 34); /* two blocks of 34 bytes a row */
    assert_int_equal(strlen(identity->hash), 16);
    assert_near(identity->zero_pages, 0, 0);
    yoke_artefact_free(artefact);
}

static void weights_that_cannot_be_made_are_refused(void **state)
{
    (void)state;
    yoke_artefact *artefact;
    yoke_artefact_options q4 = {.format = YOKE_Q4_0};
    assert_int_equal(yoke_artefact_random(0, 64, 1, NULL, &artefact, NULL), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_artefact_random(64, 33, 1, &q4, &artefact, NULL), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_artefact_random(SIZE_MAX / 2, 64, 1, NULL, &artefact, NULL),
                     YOKE_ERR_SHAPE);
}

static void a_raised_flag_stops_the_making(void **state)
{
    (void)state;
    bool stop = true;
    yoke_artefact *artefact;
    yoke_artefact_options options = {.stop = &stop, .threads = 2};
    assert_int_equal(yoke_artefact_random(1000, 64, 1, &options, &artefact, NULL),
                     YOKE_ERR_INTERRUPTED);
}

/* A safetensors file of a bias of 8, a 2 x 4 weight and a vector of zeros longer than both. */
static const char header[] =
    "{\"bias\":{\"dtype\":\"F32\",\"shape\":[8],\"data_offsets\":[0,32]},"
    "\"weight\":{\"dtype\":\"F32\",\"shape\":[2,4],\"data_offsets\":[32,64]},"
    "\"zeros\":{\"dtype\":\"F32\",\"shape\":[2048],\"data_offsets\":[64,8256]}}";

static char file_path[] = "/tmp/yoke-artefact-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    float data[8 + 8 + 2048] = {0};
    for (size_t i = 0; i < 16; i++)
        data[i] = (float)i + 1;
    int descriptor = mkstemp(file_path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!file)
        return -1;
    unsigned char length[8] = {sizeof header - 1};
    fwrite(length, 1, sizeof length, file);
    fwrite(header, 1, sizeof header - 1, file);
    fwrite(data, 1, sizeof data, file);
    return fclose(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(file_path);
}

static void the_largest_matrix_of_a_file_is_taken_before_any_vector(void **state)
{
    (void)state;
    yoke_artefact *artefact;
    assert_int_equal(yoke_artefact_open(file_path, NULL, NULL, &artefact, NULL), YOKE_OK);
    const yoke_identity *identity = yoke_artefact_identity(artefact);
    assert_string_equal(identity->tensor, "weight");
    assert_string_equal(identity->kind, "safetensors");
    assert_string_equal(identity->path, file_path);
    assert_int_equal(identity->n, 2);
    assert_int_equal(identity->k, 4);
    yoke_artefact_free(artefact);
}

static void a_tensor_is_converted_when_another_format_is_asked_for(void **state)
{
    (void)state;
    yoke_artefact *artefact;
    yoke_artefact_options options = {.format = YOKE_F16, .threads = 2};
    assert_int_equal(yoke_artefact_open(file_path, "weight", &options, &artefact, NULL), YOKE_OK);
    const yoke_matrix *w = yoke_artefact_matrix(artefact);
    float last;
    assert_int_equal(w->format, YOKE_F16);
    assert_int_equal(yoke_matrix_read(w, 1, 3, 1, &last, NULL), YOKE_OK);
    assert_near(last, 16, 0);
    yoke_artefact_free(artefact);
}

static void pages_of_zeros_are_noticed(void **state)
{
    (void)state;
    yoke_artefact *artefact;
    assert_int_equal(yoke_artefact_open(file_path, "zeros", NULL, &artefact, NULL), YOKE_OK);
    assert_near(yoke_artefact_identity(artefact)->zero_pages, 1, 0);
    yoke_artefact_free(artefact);
}

static void a_tensor_that_is_not_there_is_named(void **state)
{
    (void)state;
    yoke_artefact *artefact;
    yoke_error err;
    assert_int_equal(yoke_artefact_open(file_path, "none", NULL, &artefact, &err),
                     YOKE_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "'none'"));
    assert_non_null(strstr(err.text, file_path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_weight_does_not_depend_on_the_threads),
        cmocka_unit_test(no_two_rows_of_a_random_weight_are_equal),
        cmocka_unit_test(another_seed_is_another_weight),
        cmocka_unit_test(identity_says_shape_bytes_and_origin),
        cmocka_unit_test(weights_that_cannot_be_made_are_refused),
        cmocka_unit_test(a_raised_flag_stops_the_making),
        cmocka_unit_test(the_largest_matrix_of_a_file_is_taken_before_any_vector),
        cmocka_unit_test(a_tensor_is_converted_when_another_format_is_asked_for),
        cmocka_unit_test(pages_of_zeros_are_noticed),
        cmocka_unit_test(a_tensor_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
