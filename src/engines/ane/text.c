#include "engines/ane/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/coreml/blob.h"
#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"

/* Written in the newer spelling; the older one is made from it. */
static const char BEGINNING[] = "program(1.3)\n[buildInfo = dict<string, string>({})]\n{\n";
static const char FUNCTION[] = "func %s<ios18>(tensor<fp16, [1, %zu, 1, %zu]> " ANE_INPUT_X;

static const char CONV_CONSTANTS[] =
    "string pt = const()[name = string(\"pt\"), val = string(\"valid\")];\n"
    "tensor<int32, [2]> st = const()[name = string(\"st\"), val = tensor<int32, [2]>([1, 1])];\n"
    "tensor<int32, [4]> pd = const()[name = string(\"pd\"), val = tensor<int32, [4]>([0, 0, 0, "
    "0])];\n"
    "tensor<int32, [2]> dl = const()[name = string(\"dl\"), val = tensor<int32, [2]>([1, 1])];\n"
    "int32 gr = const()[name = string(\"gr\"), val = int32(1)];\n";

static void put_blob(FILE *to, size_t at)
{
    fprintf(to, "(BLOBFILE(path = string(\"" ANE_BLOB_PATH "\"), offset = uint64(%zu)))", at);
}

/* Compressed weights as they were seen to compile: everything in the attributes. */
static void put_int8(FILE *to, const ane_part *part, const ane_encoding *e, size_t i, size_t k)
{
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> w_%02zu = constexpr_affine_dequantize()[axis = "
            "int32(0), name = string(\"w_%02zu\"), quantized_data = tensor<int8, [%zu, %zu, 1, 1]>",
            part->padded, k, i, i, part->padded, k);
    put_blob(to, part->weight_at);
    fprintf(to, ", scale = fp16(0x1p-8), zero_point = ");
    if (part->zeros_at) {
        fprintf(to, "tensor<int8, [%zu]>", part->padded);
        put_blob(to, part->zeros_at);
    } else {
        fprintf(to, "int8(%d)", ane_encoding_zero(e, part->begin));
    }
    fprintf(to, "];\n");
}

static void put_one_palette(FILE *to, const ane_part *part, const ane_encoding *e, size_t i,
                            size_t k)
{
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> w_%02zu = constexpr_lut_to_dense()[indices = "
            "tensor<uint8, [%zu]>",
            part->padded, k, i, part->padded * ane_encoding_row_bytes(e, k));
    put_blob(to, part->weight_at);
    fprintf(to, ", lut = tensor<fp16, [%u]>", 1u << e->bits);
    put_blob(to, part->palette_at);
    fprintf(to, ", name = string(\"w_%02zu\"), shape = tensor<uint32, [4]>([%zu, %zu, 1, 1])];\n",
            i, part->padded, k);
}

static void put_palettes(FILE *to, const ane_part *part, const ane_encoding *e, size_t i, size_t k)
{
    const size_t groups = e->palette_rows ? part->padded / e->palette_rows : 1;
    fprintf(to,
            "tensor<uint%u, [%zu, %zu, 1, 1]> i_%02zu = const()[name = string(\"i_%02zu\"), val = "
            "tensor<uint%u, [%zu, %zu, 1, 1]>",
            e->bits, part->padded, k, i, i, e->bits, part->padded, k);
    put_blob(to, part->weight_at);
    fprintf(to,
            "];\ntensor<fp16, [%zu, 1, 1, 1, %u, 1]> p_%02zu = const()[name = string(\"p_%02zu\"), "
            "val = tensor<fp16, [%zu, 1, 1, 1, %u, 1]>",
            groups, 1u << e->bits, i, i, groups, 1u << e->bits);
    put_blob(to, part->palette_at);
    fprintf(to,
            "];\ntensor<fp16, [%zu, %zu, 1, 1]> w_%02zu = constexpr_lut_to_dense(indices = "
            "i_%02zu, lut = p_%02zu)[name = string(\"w_%02zu\")];\n",
            part->padded, k, i, i, i, i);
}

static void put_f16(FILE *to, const ane_part *part, size_t i, size_t k)
{
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> w_%02zu = const()[name = string(\"w_%02zu\"), val = "
            "tensor<fp16, [%zu, %zu, 1, 1]>",
            part->padded, k, i, i, part->padded, k);
    put_blob(to, part->weight_at);
    fprintf(to, "];\n");
}

static void put_weight(FILE *to, const ane_part *part, const ane_encoding *e, size_t i, size_t k)
{
    if (e->kind == ANE_F16)
        put_f16(to, part, i, k);
    else if (e->kind == ANE_INT8)
        put_int8(to, part, e, i, k);
    else if (ane_encoding_has_one_palette(e))
        put_one_palette(to, part, e, i, k);
    else
        put_palettes(to, part, e, i, k);
}

static void put_conv(FILE *to, size_t n, size_t m, const char *weight, const char *x, const char *y)
{
    fprintf(to,
            "tensor<fp16, [1, %zu, 1, %zu]> %s = conv(dilations = dl, groups = gr, pad = pd, "
            "pad_type = pt, strides = st, weight = %s, x = %s)[name = string(\"%s\")];\n",
            n, m, y, weight, x, y);
}

static void put_convolutions(FILE *to, const char *name, const ane_group *g, const ane_encoding *e,
                             size_t m)
{
    fprintf(to, FUNCTION, name, g->k_padded, m);
    fprintf(to, ") {\n%s", CONV_CONSTANTS);
    for (size_t i = 0; i < g->part_count; i++) {
        put_weight(to, &g->parts[i], e, i, g->k_padded);
        char weight[ANE_NAME_BYTES], y[ANE_NAME_BYTES];
        snprintf(weight, sizeof weight, "w_%02zu", i);
        snprintf(y, sizeof y, ANE_OUTPUT, i);
        put_conv(to, g->parts[i].padded, m, weight, ANE_INPUT_X, y);
    }
    fprintf(to, "} -> (");
    for (size_t i = 0; i < g->part_count; i++)
        fprintf(to, "%sy_%02zu", i ? ", " : "", i);
    fprintf(to, ");\n");
}

static void put_shape(FILE *to, const char *name, size_t a, size_t b, size_t c, size_t d)
{
    fprintf(to,
            "tensor<int32, [4]> %s = const()[name = string(\"%s\"), val = tensor<int32, [4]>([%zu, "
            "%zu, %zu, %zu])];\n",
            name, name, a, b, c, d);
}

static void put_matmul(FILE *to, const char *name, const ane_group *g, size_t m)
{
    const size_t k = g->k_padded, n = g->parts[0].padded;
    fprintf(to, FUNCTION, name, k, m);
    fprintf(to, ", tensor<fp16, [1, %zu, 1, %zu]> " ANE_INPUT_W ") {\n", k, n);
    put_shape(to, "sx", 1, 1, k, m);
    put_shape(to, "sw", 1, 1, k, n);
    put_shape(to, "sy", 1, m, 1, n);
    put_shape(to, "pm", 0, 1, 3, 2);
    fprintf(to, "bool no = const()[name = string(\"no\"), val = bool(false)];\n");
    fprintf(to,
            "tensor<fp16, [1, 1, %zu, %zu]> x2 = reshape(shape = sx, x = " ANE_INPUT_X
            ")[name = string(\"x2\")];\n",
            k, m);
    fprintf(to,
            "tensor<fp16, [1, 1, %zu, %zu]> w2 = reshape(shape = sw, x = " ANE_INPUT_W
            ")[name = string(\"w2\")];\n",
            k, n);
    fprintf(to,
            "tensor<fp16, [1, 1, %zu, %zu]> xt = transpose(perm = pm, x = x2)[name = "
            "string(\"xt\")];\n",
            m, k);
    fprintf(to,
            "tensor<fp16, [1, 1, %zu, %zu]> p = matmul(transpose_x = no, transpose_y = no, x = xt, "
            "y = w2)[name = string(\"p\")];\n",
            m, n);
    fprintf(to,
            "tensor<fp16, [1, %zu, 1, %zu]> y_00 = reshape(shape = sy, x = p)[name = "
            "string(\"y_00\")];\n} -> (y_00);\n",
            m, n);
}

static yoke_status out_of_memory(yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: no memory for a program's text");
}

/* NULL: no memory. */
static const mil_function *with_opset(const mil_program *p, const char *opset, arena *memory)
{
    mil_function *made = arena_take(memory, p->function_count * sizeof *made);
    for (size_t i = 0; made && i < p->function_count; i++) {
        made[i] = p->functions[i];
        made[i].opset = opset;
    }
    return made;
}

/* The same program by version 1.0 and an older set of operations. */
static yoke_status respell(const ane_text *t, char **out, yoke_error *err)
{
    arena memory = {0};
    mil_program program;
    yoke_status status = mil_parse(t->written, t->size, "engine ane", &memory, &program, err);
    if (status == YOKE_OK) {
        program.version = "1.0";
        program.functions = with_opset(&program, t->has_ios18 ? "ios18" : "ios16", &memory);
        status = program.functions ? mil_print(&program, out, err) : out_of_memory(err);
    }
    arena_free(&memory);
    return status;
}

ane_spelling ane_text_spelling(const ane_text *t)
{
    return t->has_ios16 && !t->has_ios18 ? ANE_SPELLING_1_0 : ANE_SPELLING_1_3;
}

void ane_text_begin(size_t functions, ane_text *t)
{
    *t = (ane_text){.functions = functions};
    t->stream = open_memstream(&t->written, &t->size);
    if (t->stream)
        fputs(BEGINNING, t->stream);
}

void ane_text_function(size_t position, size_t functions, char name[ANE_NAME_BYTES])
{
    if (functions == 1)
        snprintf(name, ANE_NAME_BYTES, "main");
    else
        snprintf(name, ANE_NAME_BYTES, "procedure%03zu", position);
}

void ane_text_add(ane_text *t, const ane_group *g, const ane_encoding *e, bool surface, size_t m)
{
    char name[ANE_NAME_BYTES];
    ane_text_function(t->done++, t->functions, name);
    t->has_ios16 |= ane_encoding_has_one_palette(e);
    t->has_ios18 |= e->kind == ANE_LUT && !ane_encoding_has_one_palette(e);
    if (t->stream && surface)
        put_matmul(t->stream, name, g, m);
    else if (t->stream)
        put_convolutions(t->stream, name, g, e, m);
}

yoke_status ane_text_end(ane_text *t, ane_spelling spelling, char **text, yoke_error *err)
{
    *text = NULL;
    bool written = t->stream && fputs("}\n", t->stream) >= 0;
    if (t->stream)
        written &= fclose(t->stream) == 0;
    yoke_status status = YOKE_OK;
    if (!written)
        status = out_of_memory(err);
    else if (spelling == ANE_SPELLING_1_0)
        status = respell(t, text, err);
    else
        *text = t->written;
    if (*text != t->written)
        free(t->written);
    return status;
}

static void put_chain(FILE *to, const ane_part *weight, size_t width, size_t depth)
{
    fprintf(to, FUNCTION, "main", weight->padded, width);
    fprintf(to, ") {\n%s", CONV_CONSTANTS);
    put_f16(to, weight, 0, weight->padded);
    char x[ANE_NAME_BYTES] = ANE_INPUT_X, y[ANE_NAME_BYTES];
    for (size_t i = depth; i-- > 0;) { /* the last is the output, y_00 */
        snprintf(y, sizeof y, ANE_OUTPUT, i);
        put_conv(to, weight->padded, width, "w_00", x, y);
        memcpy(x, y, sizeof x);
    }
    fprintf(to, "} -> (y_00);\n");
}

yoke_status ane_text_make_chain(size_t channels, size_t width, size_t depth, char **text,
                                yoke_error *err)
{
    const ane_part weight = {.count = channels, .padded = channels, .weight_at = BLOB_HEADER_BYTES};
    ane_text t;
    ane_text_begin(1, &t);
    if (t.stream)
        put_chain(t.stream, &weight, width, depth);
    return ane_text_end(&t, ANE_SPELLING_1_3, text, err);
}
