/* Predictions against what others measured. Nothing that is compared here is among the figures of
 * data/chips that the prediction rests on. docs/planning.md shows the table; this holds it to what
 * the planner says today. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "planner_support.h"

typedef struct comparison {
    const char *what;
    yoke_planner_range (*predict)(const struct comparison *of);
    const char *chip;
    yoke_format format; /* NONE: the mixture Q4_K_M */
    size_t tokens;      /* generated on average, or of the prompt */
    const char *unit;
    double published;
    const char *source;
} comparison;

/* Tokens a second from a time for `rows`. */
static yoke_planner_range rate(yoke_planner_range ns, size_t rows)
{
    return (yoke_planner_range){(double)rows * 1e9 / ns.high, (double)rows * 1e9 / ns.low};
}

/* ---- Llama 3 8B on a GPU ---- */

/* llama.cpp's mixture: v and down of half the layers, and the head, in q6_k. */
static yoke_planner_model *q4_k_m(void)
{
    yoke_planner_model *model = planner_create("llama-3-8b Q4_K_M");
    planner_add(model, "q", 4096, 4096, 32, YOKE_Q4_K);
    planner_add(model, "k", 1024, 4096, 32, YOKE_Q4_K);
    planner_add(model, "o", 4096, 4096, 32, YOKE_Q4_K);
    planner_add(model, "gate", 14336, 4096, 32, YOKE_Q4_K);
    planner_add(model, "up", 14336, 4096, 32, YOKE_Q4_K);
    planner_add(model, "v", 1024, 4096, 16, YOKE_Q4_K);
    planner_add(model, "v", 1024, 4096, 16, YOKE_Q6_K);
    planner_add(model, "down", 4096, 14336, 16, YOKE_Q4_K);
    planner_add(model, "down", 4096, 14336, 16, YOKE_Q6_K);
    planner_add(model, "head", 128256, 4096, 1, YOKE_Q6_K);
    return model;
}

static void mixture_is_as_large_as_the_published_file(void **state)
{
    (void)state;
    yoke_planner_model *model = q4_k_m();
    double embedding = 128256.0 * 4096 * 144 / 256;
    double bytes = (double)yoke_planner_model_about(model)->bytes + embedding;
    assert_true(fabs(bytes / (4.58 * 1073741824) - 1) < 0.005); /* 4.58 GiB */
    yoke_planner_model_free(model);
}

static yoke_planner_model *llama(const comparison *of)
{
    return of->format == YOKE_FORMAT_NONE ? q4_k_m() : planner_open("llama-3.1-8b", of->format);
}

static yoke_planner_range llama_decode(const comparison *of)
{
    yoke_planner_model *model = llama(of);
    yoke_planner_machine machine = planner_chip(of->chip);
    planner_keep(&machine, "gpu", NULL);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, of->tokens);
    yoke_planner_model_free(model);
    return rate(p.decode.alone[0].ns, 1);
}

static yoke_planner_range llama_prompt(const comparison *of)
{
    yoke_planner_model *model = llama(of);
    yoke_planner_machine machine = planner_chip(of->chip);
    planner_keep(&machine, "gpu", NULL);
    yoke_planner_prediction p = planner_predict(model, &machine, of->tokens, 0);
    yoke_planner_model_free(model);
    return rate(p.prefill.alone[0].ns, of->tokens);
}

/* ---- oMLX: a model of 27e9 weights, some products shared by GPU and Neural Engine ---- */

/* What both engines work at. 64 layers, 48 of them with a linear attention. */
static yoke_planner_model *shared_part(bool attention_too)
{
    yoke_planner_model *model = planner_create("shared");
    planner_add(model, "gate and up", 34816, 5120, 64, YOKE_Q4_0);
    if (attention_too)
        planner_add(model, "z and qkv", 16384, 5120, 48, YOKE_Q4_0);
    return model;
}

static yoke_planner_model *gpu_part(bool attention_too)
{
    yoke_planner_model *model = planner_create("on the GPU");
    planner_add(model, "down", 5120, 17408, 64, YOKE_Q4_0);
    if (!attention_too)
        planner_add(model, "z and qkv", 16384, 5120, 48, YOKE_Q4_0);
    planner_add(model, "out", 5120, 6144, 48, YOKE_Q4_0);
    planner_add(model, "gated q", 12288, 5120, 16, YOKE_Q4_0);
    planner_add(model, "k and v", 2048, 5120, 16, YOKE_Q4_0);
    planner_add(model, "o", 5120, 6144, 16, YOKE_Q4_0);
    planner_add(model, "head", 248320, 5120, 1, YOKE_Q4_0);
    return model;
}

static yoke_planner_prediction predict_part(yoke_planner_model *model, const char *chip,
                                            size_t tokens)
{
    yoke_planner_machine machine = planner_chip(chip);
    planner_keep(&machine, "gpu", "ane");
    yoke_planner_prediction p = planner_predict(model, &machine, tokens, 0);
    yoke_planner_model_free(model);
    return p;
}

static yoke_planner_range gain(const comparison *of, bool attention_too)
{
    yoke_planner_prediction shared = predict_part(shared_part(attention_too), of->chip, of->tokens),
                            rest = predict_part(gpu_part(attention_too), of->chip, of->tokens);
    const yoke_planner_range *gpu = &shared.prefill.alone[0].ns, *both = &shared.prefill.split.ns,
                             *other = &rest.prefill.alone[0].ns;
    double worse = (gpu->high + other->high) / (both->high + other->high);
    double better = (gpu->low + other->low) / (both->low + other->low);
    return (yoke_planner_range){fmin(worse, better), fmax(worse, better)};
}

static yoke_planner_range gain_with_attention(const comparison *of)
{
    return gain(of, true);
}

static yoke_planner_range gain_of_gate_and_up(const comparison *of)
{
    return gain(of, false);
}

static yoke_planner_range gpu_prompt(const comparison *of)
{
    yoke_planner_prediction shared = predict_part(shared_part(true), of->chip, of->tokens),
                            rest = predict_part(gpu_part(true), of->chip, of->tokens);
    yoke_planner_range ns = {shared.prefill.alone[0].ns.low + rest.prefill.alone[0].ns.low,
                             shared.prefill.alone[0].ns.high + rest.prefill.alone[0].ns.high};
    return rate(ns, of->tokens);
}

static yoke_planner_range ane_share(const comparison *of)
{
    yoke_planner_prediction p = predict_part(shared_part(false), of->chip, of->tokens);
    yoke_planner_range share = p.prefill.split.share[1];
    return (yoke_planner_range){100 * share.low, 100 * share.high};
}

/* ---- Orion: GPT-2 124M on the Neural Engine and on the CPU ---- */

/* Its decode step calls the Neural Engine twice a layer, for q, k, v and for the feed-forward part;
 * o and the head stay on the CPU, in f32 (kernels/inference/decode_ane.m). */
static void orion_parts(yoke_planner_model **ane, yoke_planner_model **cpu)
{
    *ane = planner_create("on the Neural Engine");
    planner_add(*ane, "qkv", 2304, 768, 12, YOKE_F16);
    planner_add(*ane, "up", 3072, 768, 12, YOKE_F16);
    yoke_planner_product down = {
        .role = "down", .n = 768, .k = 3072, .count = 12, .format = YOKE_F16, .no_call = true};
    assert_int_equal(yoke_planner_model_add(*ane, &down, NULL), YOKE_OK);
    *cpu = planner_create("on the CPU");
    planner_add(*cpu, "o", 768, 768, 12, YOKE_F32);
    planner_add(*cpu, "head", 50257, 768, 1, YOKE_F32);
}

static yoke_planner_range token_ns(yoke_planner_model *model, const char *chip, const char *engine)
{
    yoke_planner_machine machine = planner_chip(chip);
    planner_keep(&machine, engine, NULL);
    yoke_planner_prediction p = planner_predict(model, &machine, 1, 0);
    yoke_planner_model_free(model);
    return p.decode.alone[0].ns;
}

static yoke_planner_range orion_ane_ns(const char *chip)
{
    yoke_planner_model *ane, *cpu;
    orion_parts(&ane, &cpu);
    yoke_planner_range a = token_ns(ane, chip, "ane"), b = token_ns(cpu, chip, "cpu");
    return (yoke_planner_range){a.low + b.low, a.high + b.high};
}

static yoke_planner_range orion_ane(const comparison *of)
{
    return rate(orion_ane_ns(of->chip), 1);
}

static yoke_planner_range orion_cpu(const comparison *of)
{
    return rate(token_ns(planner_open("gpt2-124m", of->format), of->chip, "cpu"), 1);
}

/* The Neural Engine's rate over the CPU's. */
static yoke_planner_range orion_ratio(const comparison *of)
{
    yoke_planner_range ane = orion_ane_ns(of->chip);
    yoke_planner_range cpu = token_ns(planner_open("gpt2-124m", of->format), of->chip, "cpu");
    return (yoke_planner_range){cpu.low / ane.low, cpu.high / ane.high};
}

/* ---- The table ---- */

#define DAI    "XiongjieDai/GPU-Benchmarks-on-LLM-Inference, LLaMA 3"
#define OMLX   "jundot/omlx docs/experimental/qwen35_ane_prefill.md"
#define ORION  "mechramc/Orion RESULTS.md"
#define NORMIE "brand-o/normiebench issue "

static const comparison comparisons[] = {
    {"Llama 3 8B f16, decode, GPU", llama_decode, "M1 Max", YOKE_F16, 256, "tok/s", 18.75, DAI},
    {"Llama 3 8B f16, decode, GPU", llama_decode, "M2 Ultra", YOKE_F16, 256, "tok/s", 36.90, DAI},
    {"Llama 3 8B f16, decode, GPU", llama_decode, "M3 Max", YOKE_F16, 256, "tok/s", 22.04, DAI},
    {"Llama 3 8B Q4_K_M, decode, GPU", llama_decode, "M1 Max", 0, 256, "tok/s", 35.73, DAI},
    {"Llama 3.1 8B Q4_K_M, decode, GPU", llama_decode, "M1 Max", 0, 64, "tok/s", 46.2, NORMIE "40"},
    {"Llama 3 8B Q4_K_M, decode, GPU", llama_decode, "M2 Ultra", 0, 256, "tok/s", 78.81, DAI},
    {"Llama 3 8B Q4_K_M, decode, GPU", llama_decode, "M3 Max", 0, 256, "tok/s", 48.97, DAI},
    {"Llama 3.1 8B Q4_K_M, decode, GPU", llama_decode, "M4", 0, 64, "tok/s", 20.87, NORMIE "3"},
    {"Llama 3.1 8B 4 bits by MLX, decode, GPU", llama_decode, "M3 Ultra", YOKE_Q4_0, 0, "tok/s",
     119.39, "raullenchai/Rapid-MLX PR 586"},
    {"Llama 3 8B f16, prompt of 512, GPU", llama_prompt, "M1 Max", YOKE_F16, 512, "tok/s", 517.34,
     DAI},
    {"Llama 3 8B f16, prompt of 512, GPU", llama_prompt, "M2 Ultra", YOKE_F16, 512, "tok/s",
     1175.40, DAI},
    {"Llama 3 8B f16, prompt of 512, GPU", llama_prompt, "M3 Max", YOKE_F16, 512, "tok/s", 769.84,
     DAI},
    {"Qwen3.8 27B, prompt of 2048, GPU", gpu_prompt, "M3 Ultra", 0, 2048, "tok/s", 334.9, OMLX},
    {"the same with the Neural Engines: gain", gain_with_attention, "M3 Ultra", 0, 2048, "x", 1.356,
     OMLX},
    {"the same on one Neural Engine: best share", ane_share, "M5 Pro", 0, 2048, "%", 35, OMLX},
    {"at that share: gain", gain_of_gate_and_up, "M5 Pro", 0, 2048, "x", 1.270, OMLX},
    {"GPT-2 124M f32, decode, CPU", orion_cpu, "M4 Max", YOKE_F32, 0, "tok/s", 283, ORION},
    {"GPT-2 124M, decode, Neural Engine", orion_ane, "M4 Max", 0, 0, "tok/s", 170, ORION},
    {"Neural Engine over CPU", orion_ratio, "M4 Max", YOKE_F32, 0, "x", 170.0 / 283, ORION},
};
#define COMPARISON_COUNT (sizeof comparisons / sizeof comparisons[0])

static void write_number(char *out, size_t room, double value)
{
    snprintf(out, room, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

/* How far the middle of the range is off, and whether the range holds what was published. */
static void write_error(char *out, size_t room, yoke_planner_range range, double published)
{
    double off = (range.low + range.high) / 2 / published - 1;
    bool inside = range.low <= published && published <= range.high;
    snprintf(out, room, "%+.0f %%%s", 100 * off, inside ? ", inside" : "");
}

static void write_line(const comparison *c, char *line, size_t room)
{
    char low[32], high[32], published[32], error[48], range[80];
    yoke_planner_range r = c->predict(c);
    write_number(low, sizeof low, r.low);
    write_number(high, sizeof high, r.high);
    write_number(published, sizeof published, c->published);
    write_error(error, sizeof error, r, c->published);
    snprintf(range, sizeof range, strcmp(low, high) == 0 ? "%s" : "%s to %s", low, high);
    snprintf(line, room, "| %s | %s | %s %s | %s %s | %s | %s |\n", c->chip, c->what, range,
             c->unit, published, c->unit, error, c->source);
}

static char *read_page(void)
{
    static char page[1 << 17];
    FILE *file = fopen(YOKE_TEST_DATA "/../../docs/planning.md", "rb");
    assert_non_null(file);
    size_t size = fread(page, 1, sizeof page - 1, file);
    page[size] = '\0';
    fclose(file);
    return page;
}

static void table_of_the_page_is_what_the_planner_predicts(void **state)
{
    (void)state;
    const char *page = read_page();
    bool same = true;
    char lines[COMPARISON_COUNT][400];
    for (size_t i = 0; i < COMPARISON_COUNT; i++) {
        write_line(&comparisons[i], lines[i], sizeof lines[i]);
        same = same && strstr(page, lines[i]);
    }
    for (size_t i = 0; i < COMPARISON_COUNT && !same; i++)
        print_error("%s", lines[i]);
    assert_true(same);
}

/* ---- What the planner is asked for must hold, whatever the page says ---- */

static yoke_planner_range predicted(const char *chip, const char *what, double *published)
{
    for (size_t i = 0; i < COMPARISON_COUNT; i++) {
        if (strcmp(comparisons[i].chip, chip) != 0 || strcmp(comparisons[i].what, what) != 0)
            continue;
        *published = comparisons[i].published;
        return comparisons[i].predict(&comparisons[i]);
    }
    fail_msg("no row %s, %s", chip, what);
    return (yoke_planner_range){0};
}

static void decode_of_llama_8b_on_a_gpu_follows_from_its_bandwidth(void **state)
{
    (void)state;
    static const char *const chips[] = {"M1 Max", "M2 Ultra", "M3 Max"};
    for (size_t i = 0; i < 3; i++) {
        double published;
        yoke_planner_range r = predicted(chips[i], "Llama 3 8B f16, decode, GPU", &published);
        assert_true(fabs((r.low + r.high) / 2 / published - 1) < 0.15);
    }
}

static void gain_by_the_neural_engines_of_an_m3_ultra_comes_out(void **state)
{
    (void)state;
    double published;
    yoke_planner_range r =
        predicted("M3 Ultra", "the same with the Neural Engines: gain", &published);
    assert_true(fabs((r.low + r.high) / 2 / published - 1) < 0.10);
}

static void best_share_of_an_m5_pro_is_inside(void **state)
{
    (void)state;
    double published;
    yoke_planner_range r =
        predicted("M5 Pro", "the same on one Neural Engine: best share", &published);
    assert_true(r.low <= published && published <= r.high);
}

static void cpu_wins_for_gpt_2_as_it_did(void **state)
{
    (void)state;
    double published;
    yoke_planner_range r = predicted("M4 Max", "Neural Engine over CPU", &published);
    assert_true(r.low < 1 && r.high < 1 && published < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixture_is_as_large_as_the_published_file),
        cmocka_unit_test(table_of_the_page_is_what_the_planner_predicts),
        cmocka_unit_test(decode_of_llama_8b_on_a_gpu_follows_from_its_bandwidth),
        cmocka_unit_test(gain_by_the_neural_engines_of_an_m3_ultra_comes_out),
        cmocka_unit_test(best_share_of_an_m5_pro_is_inside),
        cmocka_unit_test(cpu_wins_for_gpt_2_as_it_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
