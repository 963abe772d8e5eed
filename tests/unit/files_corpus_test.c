/* The corpus of odd and malformed files: each gets the verdict that its manifest gives it. */
#include "files_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Reads every element of every readable tensor; false when there is no readable tensor. */
static bool read_all(yoke_file *file)
{
    bool any = false;
    for (size_t i = 0; i < yoke_file_tensor_count(file); i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        assert_ptr_equal(yoke_file_find(file, tensor->name, tensor->name_length), tensor);
        assert_true(tensor->readable || tensor->reason);
        if (!tensor->readable)
            continue;
        any = true;
        yoke_matrix matrix;
        yoke_error err = {0};
        if (yoke_file_matrix(file, tensor, &matrix, NULL, &err) != YOKE_OK)
            fail_msg("%s", err.text);
        assert_int_equal(yoke_matrix_validate(&matrix, "tensor", &err), YOKE_OK);
        float *row = malloc((matrix.rows ? matrix.cols : 0) * sizeof *row + 1);
        assert_non_null(row);
        for (size_t r = 0; r < matrix.rows && matrix.cols > 0; r++)
            assert_int_equal(yoke_matrix_read(&matrix, r, 0, matrix.cols, row, &err), YOKE_OK);
        free(row);
    }
    return any;
}

/* "" when the verdict is the right one. */
static const char *judge(const char *name, const char *expected)
{
    static char complaint[700];
    yoke_file *file = NULL;
    yoke_error err = {0};
    yoke_status status = yoke_file_open(shared(name), &file, &err);
    complaint[0] = '\0';
    if (status == YOKE_OK) {
        bool readable = read_all(file);
        if (strcmp(expected, "reject") == 0 || strcmp(expected, "reject-set") == 0)
            snprintf(complaint, sizeof complaint, "was accepted");
        if (starts_with(expected, "unsupported") && readable)
            snprintf(complaint, sizeof complaint, "is readable");
    } else {
        if (strcmp(expected, "ok") == 0 || starts_with(expected, "ok ") ||
            starts_with(expected, "unsupported"))
            snprintf(complaint, sizeof complaint, "was refused: %s", err.text);
        const char *base = strrchr(name, '/') + 1;
        if (!strstr(err.text, base) && strcmp(expected, "reject-set") != 0)
            snprintf(complaint, sizeof complaint, "is not named in: %s", err.text);
    }
    yoke_file_free(file);
    return complaint;
}

static void every_corpus_file_gets_its_verdict(void **state)
{
    (void)state;
    FILE *manifest = fopen(shared("corpus/manifest.tsv"), "r");
    assert_non_null(manifest);
    char line[2048];
    size_t judged = 0, wrong = 0;
    while (fgets(line, sizeof line, manifest)) {
        const char *name = strtok(line, "\t"), *expected = strtok(NULL, "\t");
        if (!starts_with(name, "safetensors/") && !starts_with(name, "gguf/") &&
            !starts_with(name, "npy/") && !starts_with(name, "milblob/"))
            continue;
        char path[256];
        snprintf(path, sizeof path, "corpus/%s", name);
        const char *complaint = judge(path, expected);
        if (*complaint)
            print_message("%s (%s) %s\n", name, expected, complaint);
        wrong += *complaint != '\0';
        judged++;
    }
    fclose(manifest);
    assert_true(judged > 90);
    assert_int_equal(wrong, 0);
}

static void refused(const char *name, const char *text)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    assert_int_not_equal(yoke_file_open(shared(name), &file, &err), YOKE_OK);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in: %s", text, err.text);
}

static void messages_say_what_a_person_needs_to_know(void **state)
{
    (void)state;
    refused("corpus/safetensors/bad_lfs_pointer.safetensors", "Git LFS");
    refused("corpus/safetensors/bad_html.safetensors", "HTML");
    refused("corpus/safetensors/bad_dup_key.safetensors", "duplicate");
    refused("corpus/safetensors/bad_len_100MB1.safetensors", "100000001 is over the limit");
    refused("corpus/safetensors/bad_dtype_unknown.safetensors", "FLOAT32");
    refused("corpus/gguf/bad_type_36.gguf", "36 (IQ4_NL_4_4) was removed");
    refused("corpus/gguf/bad_type_removed.gguf", "type 4 (Q4_2) was removed");
    refused("corpus/gguf/bad_v1.gguf", "GGUF v1");
    refused("corpus/gguf/bad_magic.gguf", "before GGUF");
    refused("corpus/gguf/splitbad-00001-of-00003.gguf", "splitbad-00002-of-00003.gguf");
    refused("corpus/npy/bad_obj.npy", "unpickle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_corpus_file_gets_its_verdict),
        cmocka_unit_test(messages_say_what_a_person_needs_to_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
