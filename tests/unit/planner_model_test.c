/* What is counted of a model: presets against what their makers publish, files against their
 * tensors. */
#include "files_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "planner_support.h"

/* ---- Presets ---- */

static void counts(const char *preset, uint64_t parameters)
{
    yoke_planner_model *model = planner_open(preset, YOKE_FORMAT_NONE);
    assert_int_equal(yoke_planner_model_about(model)->parameters, parameters);
    yoke_planner_model_free(model);
}

/* As the safetensors of these models on huggingface.co count them. */
static void presets_have_as_many_weights_as_is_published(void **state)
{
    (void)state;
    counts("llama-3.1-8b", 8030261248);
    counts("llama-3.2-1b", 1235814400);
    counts("gpt2-124m", 124439808);
    counts("qwen3-4b", 4022468096);
}

static void tied_head_is_a_product_and_not_counted_twice(void **state)
{
    (void)state;
    yoke_planner_model *tied = planner_open("llama-3.2-1b", YOKE_F16);
    const yoke_planner_product *head = planner_product(tied, "head");
    assert_int_equal(head->n, 128256);
    assert_int_equal(head->k, 2048);
    assert_true(head->last_row);
    yoke_planner_model_free(tied);
}

static void grouped_queries_have_narrow_keys_and_values(void **state)
{
    (void)state;
    yoke_planner_model *model = planner_open("qwen3-4b", YOKE_F16);
    assert_int_equal(planner_product(model, "q")->n, 32 * 128);
    assert_int_equal(planner_product(model, "k")->n, 8 * 128);
    assert_int_equal(planner_product(model, "o")->k, 32 * 128);
    assert_int_equal(yoke_planner_model_about(model)->kv_width, 2 * 8 * 128);
    assert_int_equal(yoke_planner_model_about(model)->kv_layers, 36);
    yoke_planner_model_free(model);
}

static void q4_0_takes_18_bytes_for_32_weights(void **state)
{
    (void)state;
    yoke_planner_model *model = planner_open("llama-3.1-8b", YOKE_Q4_0);
    uint64_t norms = 65 * 4096;
    assert_int_equal(yoke_planner_model_about(model)->bytes,
                     (8030261248 - norms) / 32 * 18 + 4 * norms);
    yoke_planner_model_free(model);
}

static void refused(const char *what, yoke_format format, yoke_status status, const char *part)
{
    yoke_planner_model *model = NULL;
    yoke_error err = {0};
    assert_int_equal(yoke_planner_model_open(what, format, &model, &err), status);
    assert_null(model);
    if (!strstr(err.text, part))
        fail_msg("'%s' has no '%s'", err.text, part);
}

static void neither_preset_nor_file_names_the_presets(void **state)
{
    (void)state;
    refused("llama-9", YOKE_F16, YOKE_ERR_NOT_FOUND, "qwen3-4b");
}

static void inputs_that_blocks_do_not_divide_are_refused(void **state)
{
    (void)state;
    yoke_planner_model *model = planner_create("odd");
    yoke_planner_product odd = {.role = "odd", .n = 64, .k = 100, .count = 1, .format = YOKE_Q4_K};
    yoke_error err = {0};
    assert_int_equal(yoke_planner_model_add(model, &odd, &err), YOKE_ERR_SHAPE);
    assert_non_null(strstr(err.text, "100 inputs do not fit blocks of q4_k"));
    odd = (yoke_planner_product){
        .role = "huge", .n = SIZE_MAX / 2, .k = 64, .count = 1, .format = YOKE_F16};
    assert_int_equal(yoke_planner_model_add(model, &odd, &err), YOKE_ERR_SHAPE);
    assert_int_equal(yoke_planner_model_about(model)->parameters, 0);
    yoke_planner_model_free(model);
}

/* ---- Files ---- */

/* A tensor's entry of a safetensors header, f16, behind the bytes so far. */
static void add_entry(char *header, size_t room, size_t *offset, const char *name, size_t n,
                      size_t k)
{
    size_t used = strlen(header), size = 2 * n * (k ? k : 1);
    char shape[48];
    if (k)
        snprintf(shape, sizeof shape, "%zu,%zu", n, k);
    else
        snprintf(shape, sizeof shape, "%zu", n);
    snprintf(header + used, room - used,
             "%s\"%s\":{\"dtype\":\"F16\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
             used > 1 ? "," : "", name, shape, *offset, *offset + size);
    *offset += size;
}

typedef struct entry {
    const char *name;
    size_t n, k;
} entry;

/* A folder with these tensors, and config.json unless that is NULL. */
static char *model_folder(const entry *entries, const char *config)
{
    char header[4096] = "{", *folder = make_folder();
    size_t offset = 0;
    for (; entries->name; entries++)
        add_entry(header, sizeof header, &offset, entries->name, entries->n, entries->k);
    strcat(header, "}");
    void *data = calloc(1, offset);
    assert_non_null(data);
    bytes weights = safetensors_bytes(header, data, offset), text = {0};
    free(data);
    write_file(folder, "model.safetensors", &weights);
    if (config) {
        put_text(&text, config);
        write_file(folder, "config.json", &text);
    }
    return folder;
}

static const entry two_layers[] = {{"model.embed_tokens.weight", 64, 32},
                                   {"model.layers.0.self_attn.q_proj.weight", 32, 32},
                                   {"model.layers.0.self_attn.k_proj.weight", 16, 32},
                                   {"model.layers.0.self_attn.v_proj.weight", 16, 32},
                                   {"model.layers.0.input_layernorm.weight", 32, 0},
                                   {"model.layers.1.self_attn.q_proj.weight", 32, 32},
                                   {"model.layers.1.self_attn.k_proj.weight", 16, 32},
                                   {"model.layers.1.self_attn.v_proj.weight", 16, 32},
                                   {"model.layers.1.mystery.weight", 8, 32},
                                   {NULL, 0, 0}};

static void folder_is_counted_by_its_tensors(void **state)
{
    (void)state;
    char *folder =
        model_folder(two_layers, "{\"model_type\":\"tiny\",\"tie_word_embeddings\":true}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    const yoke_planner_model_info *about = yoke_planner_model_about(model);
    assert_string_equal(about->name, "tiny");
    assert_int_equal(about->parameters, 64 * 32 + 2 * (32 + 16 + 16) * 32 + 32 + 8 * 32);
    assert_int_equal(planner_product(model, "q")->count, 2);
    assert_int_equal(planner_product(model, "model.layers.*.mystery")->n, 8);
    assert_int_equal(planner_product(model, "head")->n, 64);
    assert_int_equal(about->kv_width, 32);
    assert_int_equal(about->kv_layers, 2);
    yoke_planner_model_free(model);
    remove_folder(folder);
}

static void head_of_its_own_is_not_made_again(void **state)
{
    (void)state;
    static const entry entries[] = {
        {"model.embed_tokens.weight", 64, 32}, {"lm_head.weight", 64, 32}, {NULL, 0, 0}};
    char *folder = model_folder(entries, "{}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    assert_int_equal(planner_product(model, "head")->count, 1);
    assert_int_equal(yoke_planner_model_about(model)->parameters, 2 * 64 * 32);
    yoke_planner_model_free(model);
    remove_folder(folder);
}

static const entry four_experts[] = {{"model.layers.0.mlp.experts.0.up_proj.weight", 8, 32},
                                     {"model.layers.0.mlp.experts.1.up_proj.weight", 8, 32},
                                     {"model.layers.0.mlp.experts.2.up_proj.weight", 8, 32},
                                     {"model.layers.0.mlp.experts.3.up_proj.weight", 8, 32},
                                     {NULL, 0, 0}};

static void token_uses_some_experts_of_a_mixture(void **state)
{
    (void)state;
    char *folder = model_folder(four_experts, "{\"num_experts\":4,\"num_experts_per_tok\":2}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    assert_int_equal(planner_product(model, "expert up")->count, 2);
    assert_int_equal(yoke_planner_model_about(model)->parameters, 4 * 8 * 32);
    assert_non_null(strstr(yoke_planner_model_about(model)->note, "uses 2 experts"));
    yoke_planner_model_free(model);
    remove_folder(folder);
}

/* The keys of ERNIE 4.5, DBRX, gpt-oss, and of models that do more than text. */
static void experts_are_counted_however_a_config_names_them(void **state)
{
    (void)state;
    static const char *const configs[] = {
        "{\"moe_num_experts\":4,\"moe_k\":1}",
        "{\"ffn_config\":{\"moe_num_experts\":4,\"moe_top_k\":1}}",
        "{\"num_local_experts\":4,\"experts_per_token\":1}",
        "{\"text_config\":{\"num_experts\":4,\"num_experts_per_tok\":1}}",
        "{\"thinker_config\":{\"text_config\":{\"num_experts\":4,\"num_experts_per_tok\":1}}}"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        char *folder = model_folder(four_experts, configs[i]);
        yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
        assert_int_equal(planner_product(model, "expert up")->count, 1);
        yoke_planner_model_free(model);
        remove_folder(folder);
    }
}

static void mixture_that_does_not_say_what_a_token_uses_counts_all_and_says_so(void **state)
{
    (void)state;
    char *folder = model_folder(four_experts, "{\"num_experts\":4}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    assert_int_equal(planner_product(model, "expert up")->count, 4);
    assert_non_null(strstr(yoke_planner_model_about(model)->note, "all experts counted"));
    yoke_planner_model_free(model);
    remove_folder(folder);
}

static void experts_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    char *folder = model_folder(four_experts, "{\"num_experts\":4,\"num_experts_per_tok\":20}");
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_FORMAT,
            ": experts: a token uses 20 of a layer's, which has 4");
    remove_folder(folder);
    folder = model_folder(four_experts, "{\"num_experts\":99,\"num_experts_per_tok\":2}");
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_FORMAT,
            ": experts: 99 are said to be in a layer, but there are 4 tensors \"expert up\"");
    remove_folder(folder);
}

static void scales_of_quantised_weights_are_no_products(void **state)
{
    (void)state;
    static const entry entries[] = {{"model.layers.0.self_attn.q_proj.weight", 32, 32},
                                    {"model.layers.0.self_attn.q_proj.weight_scale_inv", 2, 2},
                                    {"model.layers.0.self_attn.k_proj.scales", 4, 32},
                                    {NULL, 0, 0}};
    char *folder = model_folder(entries, "{}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    assert_int_equal(yoke_planner_model_about(model)->parameters, 32 * 32 + 2 * 2 + 4 * 32);
    assert_null(yoke_planner_model_product(model, 1));
    yoke_planner_model_free(model);
    remove_folder(folder);
}

/* Mamba's time_step_limit is [0.0, Infinity]. */
static void config_as_python_writes_it_is_read(void **state)
{
    (void)state;
    char *folder =
        model_folder(two_layers, "{\"limit\":[0.0, Infinity, -Infinity, NaN],\"say\":\"\\\"NaN\","
                                 "\"model_type\":\"NaNInfinity\"}");
    yoke_planner_model *model = planner_open(folder, YOKE_FORMAT_NONE);
    assert_string_equal(yoke_planner_model_about(model)->name, "NaNInfinity");
    yoke_planner_model_free(model);
    remove_folder(folder);
}

static void model_without_its_config_names_it(void **state)
{
    (void)state;
    char *folder = model_folder(two_layers, NULL);
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_IO, "/config.json: ");
    remove_folder(folder);
    folder = model_folder(two_layers, "");
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_FORMAT, "/config.json: the file is empty");
    remove_folder(folder);
    folder = model_folder(two_layers, "{\"model_type\":");
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_FORMAT, "/config.json: byte ");
    remove_folder(folder);
}

static void config_without_weights_is_refused(void **state)
{
    (void)state;
    char *folder = model_folder(two_layers, "{}");
    unlink(in_folder(folder, "model.safetensors"));
    refused(folder, YOKE_FORMAT_NONE, YOKE_ERR_IO, folder);
    remove_folder(folder);
}

/* 387x128 and 128x512 in f16 and f32, and the latter in q8_0, q4_0: as the file's notes say. */
static void gguf_of_no_known_architecture_is_counted_by_its_tensors(void **state)
{
    (void)state;
    yoke_planner_model *model =
        planner_open(shared("models/gguf/real_silero_mixed.gguf"), YOKE_FORMAT_NONE);
    const yoke_planner_model_info *about = yoke_planner_model_about(model);
    assert_int_equal(about->parameters, 2 * 387 * 128 + 4 * 128 * 512 + 512 + 3 * 129 * 128);
    assert_int_equal(about->bytes, 997696 - 576); /* the file without its header */
    assert_int_equal(planner_product(model, "silero.lstm_ih.q8_0")->n, 512);
    assert_int_equal(planner_product(model, "silero.lstm_ih.q8_0")->k, 128);
    assert_int_equal(planner_product(model, "silero.lstm_ih.q8_0")->format, YOKE_Q8_0);
    assert_int_equal(planner_product(model, "silero.conv1.f16")->n, 128);
    assert_non_null(strstr(about->note, "three dimensions and more: 1"));
    yoke_planner_model_free(model);
}

static void vocabulary_without_weights_has_no_products(void **state)
{
    (void)state;
    refused(shared("models/gguf/ggml-vocab-llama-spm.gguf"), YOKE_FORMAT_NONE, YOKE_ERR_UNSUPPORTED,
            "no weight products in its 0 tensors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_have_as_many_weights_as_is_published),
        cmocka_unit_test(tied_head_is_a_product_and_not_counted_twice),
        cmocka_unit_test(grouped_queries_have_narrow_keys_and_values),
        cmocka_unit_test(q4_0_takes_18_bytes_for_32_weights),
        cmocka_unit_test(neither_preset_nor_file_names_the_presets),
        cmocka_unit_test(inputs_that_blocks_do_not_divide_are_refused),
        cmocka_unit_test(folder_is_counted_by_its_tensors),
        cmocka_unit_test(head_of_its_own_is_not_made_again),
        cmocka_unit_test(token_uses_some_experts_of_a_mixture),
        cmocka_unit_test(experts_are_counted_however_a_config_names_them),
        cmocka_unit_test(mixture_that_does_not_say_what_a_token_uses_counts_all_and_says_so),
        cmocka_unit_test(experts_that_contradict_each_other_are_refused),
        cmocka_unit_test(scales_of_quantised_weights_are_no_products),
        cmocka_unit_test(config_as_python_writes_it_is_read),
        cmocka_unit_test(model_without_its_config_names_it),
        cmocka_unit_test(config_without_weights_is_refused),
        cmocka_unit_test(gguf_of_no_known_architecture_is_counted_by_its_tensors),
        cmocka_unit_test(vocabulary_without_weights_has_no_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
