/* Core ML bundles from making one to multiplying with it. */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

/* A folder of its own in the tests' temporary one. */
static const char *new_folder(const char *name)
{
    const char *path = program_new_path(name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static size_t entries_in(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static void made_bundles_are_told_with_functions_operations_and_one_head(void **state)
{
    (void)state;
    const char *folder = new_folder("inspected");
    char path[200];
    program p = program_run("make-bundle", "llama_lm_head_lut6", folder, "--shape", "128x64");
    assert_int_equal(p.exit_code, 0);
    /* 64 + 8 * (64 + 768 + 64 + 256) */
    assert_true(text_has(p.out, "llama_lm_head_lut6.mlpackage: weights of 9,280 bytes\n"));
    assert_true(text_has(p.out, "llama_lm_head_lut6.mlmodelc: weights of 9,280 bytes\n"));
    program_free(&p);
    static const char *const endings[] = {"mlpackage", "mlmodelc"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/llama_lm_head_lut6.%s", folder, endings[i]);
        p = program_run("inspect", path);
        assert_int_equal(p.exit_code, 0);
        assert_true(text_has(p.out, "function main, "));
        assert_true(text_has(p.out, "input   hidden_states  tensor<fp16, [1, 64, 1, 1]>"));
        assert_true(text_has(p.out, "output  logits8        tensor<fp16, [1, 16, 1, 1]>"));
        assert_true(text_has(p.out, "constexpr_lut_to_dense      8\n"));
        assert_true(text_has(p.out, "8 tensors, and 1 joined of them; shapes"));
        assert_true(text_has(p.out, "lm_head_8  lut6      16x64   1,024"));
        assert_true(text_has(
            p.out, "lm_head    8 x lut6  128x64  8,192  as lut6; the bytes of its parts\n"));
        /* The parts alone are counted: 8 times 16 rows of 48 bytes, and 2 palettes of 128. */
        assert_true(text_has(p.out, "type  tensors  elements  bytes  bits each\n"
                                    "lut6        8     8,192  8,192       8.00\n"));
        program_free(&p);
    }
}

static void a_made_head_is_measured_and_multiplied_as_one_weight_at_its_stored_size(void **state)
{
    (void)state;
    const char *folder = new_folder("measured");
    char path[200];
    static const struct {
        const char *name, *weight, *row;
    } heads[] = {{"llama_lm_head", "f16 128 x 64", "\ncpu     f16 "},
                 {"llama_lm_head_lut6", "lut6 128 x 64", "\ncpu     lut6 "}};
    for (size_t i = 0; i < 2; i++) {
        program p =
            program_run("make-bundle", heads[i].name, folder, "--shape", "128x64", "--compiled");
        assert_int_equal(p.exit_code, 0);
        program_free(&p);
        snprintf(path, sizeof path, "%s/%s.mlmodelc", folder, heads[i].name);
        p = program_run("bench", path, "--quick", "--suite", "read", "--engine", "cpu");
        assert_int_equal(p.exit_code, 0);
        assert_true(text_has(p.out, heads[i].weight));
        assert_true(text_has(p.out, heads[i].row));
        assert_true(text_has(p.out, "lm_head of "));
        program_free(&p);
        p = program_run("matmul", path, "--tensor", "lm_head", "--m", "3", "--engine", "cpu",
                        "--check");
        assert_int_equal(p.exit_code, 0);
        assert_true(
            text_has(p.out, i == 0 ? "w 128 x 64 f16 (16.38 kB)" : "w 128 x 64 lut6 (8.19 kB)"));
        assert_true(text_has(p.out, "right"));
        program_free(&p);
    }
    assert_int_equal(entries_in(folder), 2);
}

#define STORED                                                                                     \
    "tensor<fp16, [2, 4]> w = const()[val = tensor<fp16, [2, 4]>(BLOBFILE(path = "                 \
    "string(\"@model_path/weight.bin\"), offset = uint64(64)))];\n"

static void a_weight_that_two_functions_share_counts_once(void **state)
{
    (void)state;
    static const char text[] =
        "program(1.3)\n[]\n{\n"
        "func decode<ios18>(tensor<fp16, [4]> x) {\n" STORED
        "} -> (x);\nfunc prefill<ios18>(tensor<fp16, [4]> x) {\n" STORED "} -> (x);\n}\n";
    /* A header of one blob; the blob's mark, fp16, 16 bytes from byte 128 on; the bytes. */
    uint32_t weights[36] = {1, 2, [16] = 0xdeadbeef, 1, 16, 0, 128};
    const char *folder = new_folder("shared.mlmodelc");
    program_file("shared.mlmodelc/weight.bin", weights, sizeof weights);
    program_file("shared.mlmodelc/model.mil", text, strlen(text));
    program p = program_run("inspect", folder);
    assert_int_equal(p.exit_code, 0);
    assert_true(text_has(p.out, "\n1 tensor under 2 names; shapes"));
    assert_true(text_has(p.out, "\nw          fp16  2x4       16"));
    assert_true(text_has(p.out, "\nprefill/w  fp16  2x4       16"));
    assert_true(text_has(p.out, "\nfp16        1         8     16       16.0\n"));
    program_free(&p);
}

static void an_interrupt_leaves_no_half_bundle(void **state)
{
    (void)state;
    const char *folder = new_folder("interrupted");
    program_started run = program_start(
        (const char *const[]){"make-bundle", "llama_lm_head", folder, "--package", NULL}, NULL);
    program_signal(run, SIGINT);
    program p = program_wait(run);
    assert_int_equal(p.exit_code, 1);
    assert_true(text_has(p.err, "stopped on request"));
    assert_int_equal(entries_in(folder), 0);
    program_free(&p);
}

static void a_disk_that_is_full_leaves_no_half_bundle(void **state)
{
    (void)state;
    const char *folder = new_folder("full");
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 20000, .rlim_max = before.rlim_max}),
        0);
    program p = program_run("make-bundle", "llama_lm_head", folder, "--shape", "1024x64");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    program_assert_refused(&p, "weight.bin: cannot write");
    assert_int_equal(entries_in(folder), 0);
}

static void what_cannot_be_made_is_refused_by_name(void **state)
{
    (void)state;
    const char *folder = new_folder("refused");
    program p = program_run("make-bundle", "llama_lm_head");
    program_assert_refused(&p, "needs a NAME and a DIR");
    p = program_run("make-bundle", "no_head", folder);
    program_assert_refused(&p, "no_head");
    p = program_run("make-bundle", "llama_lm_head", folder, "--package", "--compiled");
    program_assert_refused(&p, "--package and --compiled");
    p = program_run("make-bundle", "llama_lm_head", folder, "--shape", "13x8");
    program_assert_refused(&p, "13 by 8");
    p = program_run("make-bundle", "llama_lm_head", "/no/such/folder", "--shape", "8x8");
    program_assert_refused(&p, "/no/such/folder/llama_lm_head.mlpackage");
    assert_int_equal(entries_in(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_bundles_are_told_with_functions_operations_and_one_head),
        cmocka_unit_test(a_made_head_is_measured_and_multiplied_as_one_weight_at_its_stored_size),
        cmocka_unit_test(a_weight_that_two_functions_share_counts_once),
        cmocka_unit_test(an_interrupt_leaves_no_half_bundle),
        cmocka_unit_test(a_disk_that_is_full_leaves_no_half_bundle),
        cmocka_unit_test(what_cannot_be_made_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
