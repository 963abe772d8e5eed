/* Names as llama.cpp and as Hugging Face's models write them; others stay what they are. */
#include "planner/role.h"

#include <stdio.h>
#include <string.h>

/* The end of a name, without ".weight" and with '*' for numbers. */
static const struct {
    const char *end;
    const char *role;
    bool turned;
} ends[] = {
    {"attn_q", "q", false},           {"attn_k", "k", false},
    {"attn_v", "v", false},           {"attn_qkv", "qkv", false},
    {"attn_output", "o", false},      {"ffn_gate", "gate", false},
    {"ffn_up", "up", false},          {"ffn_down", "down", false},
    {"ffn_gate_exps", "gate", false}, {"ffn_up_exps", "up", false},
    {"ffn_down_exps", "down", false}, {"output", "head", false},
    {"q_proj", "q", false},           {"k_proj", "k", false},
    {"v_proj", "v", false},           {"qkv_proj", "qkv", false},
    {"self_attn.o_proj", "o", false}, {"gate_proj", "gate", false},
    {"up_proj", "up", false},         {"down_proj", "down", false},
    {"lm_head", "head", false},       {"attn.c_attn", "qkv", true},
    {"attn.c_proj", "o", true},       {"mlp.c_fc", "up", true},
    {"mlp.c_proj", "down", true},
};

static const char *const words[] = {"token_embd", "embed_tokens", "wte", "word_embeddings"};
static const char *const tables[] = {"position_embd", "token_types", "wpe", "position_embeddings",
                                     "token_type_embeddings", "per_layer_token_embd",
                                     /* of quantised weights */
                                     "scales", "qzeros", "weight_scale", "weight_scale_inv"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The name with numbers between dots as '*', one line of plain characters, cut to fit. */
static void simplify(const yoke_tensor *tensor, char *out, size_t room)
{
    size_t used = 0, length = tensor->name_length;
    for (size_t i = 0; i < length && used + 1 < room; i++) {
        char c = tensor->name[i];
        bool number = is_digit(c) && (i == 0 || tensor->name[i - 1] == '.');
        size_t end = i;
        while (number && end < length && is_digit(tensor->name[end]))
            end++;
        if (number && (end == length || tensor->name[end] == '.')) {
            out[used++] = '*';
            i = end - 1;
        } else {
            out[used++] = c > ' ' && c < 0x7f ? c : '?';
        }
    }
    out[used] = '\0';
}

/* Does the name end so, at a dot? */
static bool ends_so(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    if (length < end_length || strcmp(name + length - end_length, end) != 0)
        return false;
    return length == end_length || name[length - end_length - 1] == '.';
}

static bool ends_in(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ends_so(name, list[i]))
            return true;
    return false;
}

role role_of(const yoke_tensor *tensor)
{
    char name[256];
    simplify(tensor, name, sizeof name);
    if (ends_so(name, "weight") && strlen(name) > strlen(".weight"))
        name[strlen(name) - strlen(".weight")] = '\0';
    role r = {.words = ends_in(name, words, COUNT(words))};
    r.embedding = r.words || ends_in(name, tables, COUNT(tables));
    r.expert = strstr(name, "_exps") || strstr(name, "experts.*");
    const char *text = name;
    for (size_t i = 0; i < COUNT(ends); i++) {
        if (!ends_so(name, ends[i].end))
            continue;
        text = ends[i].role;
        r.turned = ends[i].turned;
    }
    snprintf(r.text, sizeof r.text, "%s%.40s", r.expert ? "expert " : "", text);
    return r;
}
