#include "engines/coreml/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/model_write.h"

/* Palettes for groups of outputs came with iOS 18 (macOS 15); the rest is iOS 16 (macOS 13). */
static const struct {
    const char *opset;
    uint64_t specification;
} OPSETS[] = {{"CoreML6", 7}, {"CoreML8", 9}};

static const char BEGINNING[] =
    "string valid = const()[name = string(\"valid\"), val = string(\"valid\")];\n"
    "tensor<int32, [2]> ones = const()[name = string(\"ones\"), val = tensor<int32, [2]>([1, "
    "1])];\n"
    "tensor<int32, [4]> none = const()[name = string(\"none\"), val = tensor<int32, [4]>([0, 0, "
    "0, 0])];\n"
    "int32 one = const()[name = string(\"one\"), val = int32(1)];\n"
    "tensor<int32, [4]> in = const()[name = string(\"in\"), val = tensor<int32, [4]>([0, 3, 1, "
    "2])];\n"
    "tensor<int32, [4]> out = const()[name = string(\"out\"), val = tensor<int32, [4]>([0, 2, 3, "
    "1])];\n";

#define BLOB                                                                                       \
    "(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = uint64(%" PRIu64 ")))"

static const char *name_of(mil_element element)
{
    return mil_element_get(element)->name;
}

static void put_const(FILE *to, const char *type, const char *name, uint64_t offset)
{
    fprintf(to, "%s %s = const()[name = string(\"%s\"), val = %s" BLOB "];\n", type, name, name,
            type, offset);
}

static void put_palettes(FILE *to, const coreml_layout *l, size_t i)
{
    const coreml_part *part = &l->parts[i];
    char type[96], name[48];
    snprintf(type, sizeof type, "tensor<%s, [%zu, %zu, 1, 1]>", name_of(l->stored), part->rows,
             l->k);
    snprintf(name, sizeof name, "indices_%zu", i);
    put_const(to, type, name, part->values);
    snprintf(type, sizeof type, "tensor<fp16, [%zu, 1, 1, 1, %zu, 1]>",
             coreml_layout_palettes(l, part), yoke_format_get(l->format)->table_bytes / 2);
    snprintf(name, sizeof name, "palettes_%zu", i);
    put_const(to, type, name, part->table);
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> w_%zu = constexpr_lut_to_dense(indices = "
            "indices_%zu, lut = palettes_%zu)[name = string(\"w_%zu\")];\n",
            part->rows, l->k, i, i, i, i);
}

static void put_scaled(FILE *to, const coreml_layout *l, size_t i)
{
    const coreml_part *part = &l->parts[i];
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> w_%zu = constexpr_affine_dequantize()[axis = "
            "int32(0), name = string(\"w_%zu\"), quantized_data = tensor<int8, [%zu, %zu, 1, "
            "1]>" BLOB ", scale = tensor<fp16, [%zu]>" BLOB
            ", zero_point = tensor<int8, [%zu]>" BLOB "];\n",
            part->rows, l->k, i, i, part->rows, l->k, part->values, part->rows, part->table,
            part->rows, part->zeros);
}

static void put_weight(FILE *to, const coreml_layout *l, size_t i)
{
    char type[96], name[48];
    if (l->format == YOKE_INT8) {
        put_scaled(to, l, i);
    } else if (coreml_layout_has_palettes(l)) {
        put_palettes(to, l, i);
    } else {
        snprintf(type, sizeof type, "tensor<%s, [%zu, %zu, 1, 1]>", name_of(l->stored),
                 l->parts[i].rows, l->k);
        snprintf(name, sizeof name, "w_%zu", i);
        put_const(to, type, name, l->parts[i].values);
    }
}

/* `turned`: x is, and the result has to be turned back. */
static void put_product(FILE *to, const coreml_layout *l, size_t i, size_t rows, bool turned)
{
    const char *element = name_of(l->element), *result = turned ? "c" : "y";
    const size_t n = l->parts[i].rows;
    fprintf(to,
            "tensor<%s, [1, %zu, 1, %zu]> %s_%zu = conv(dilations = ones, groups = one, pad = "
            "none, pad_type = valid, strides = ones, weight = w_%zu, x = %s)[name = "
            "string(\"%s_%zu\")];\n",
            element, n, rows, result, i, i, turned ? "x_turned" : COREML_INPUT, result, i);
    if (turned)
        fprintf(to,
                "tensor<%s, [1, 1, %zu, %zu]> y_%zu = transpose(perm = out, x = c_%zu)[name = "
                "string(\"y_%zu\")];\n",
                element, rows, n, i, i, i);
}

static void put_program(FILE *to, const coreml_layout *l, size_t rows)
{
    const char *element = name_of(l->element);
    const bool turned = rows > 1;
    fprintf(to, "program(1.3)\n[buildInfo = dict<string, string>({})]\n{\nfunc main<ios18>(");
    if (turned)
        fprintf(to, "tensor<%s, [1, 1, %zu, %zu]> x) {\n%s", element, rows, l->k, BEGINNING);
    else
        fprintf(to, "tensor<%s, [1, %zu, 1, 1]> x) {\n%s", element, l->k, BEGINNING);
    if (turned)
        fprintf(to,
                "tensor<%s, [1, %zu, 1, %zu]> x_turned = transpose(perm = in, x = x)[name = "
                "string(\"x_turned\")];\n",
                element, l->k, rows);
    for (size_t i = 0; i < l->count; i++) {
        put_weight(to, l, i);
        put_product(to, l, i, rows, turned);
    }
    fprintf(to, "} -> (");
    for (size_t i = 0; i < l->count; i++)
        fprintf(to, "%s" COREML_OUTPUT, i ? ", " : "", i);
    fprintf(to, ");\n}\n");
}

static yoke_status write_model(const coreml_layout *l, mil_program *program, uint8_t **bytes,
                               size_t *size, yoke_error *err)
{
    const bool palettes = coreml_layout_has_palettes(l);
    mil_function function = program->functions[0];
    function.opset = OPSETS[palettes].opset;
    program->functions = &function;
    program->attributes.count = 0;
    return model_write(program, OPSETS[palettes].specification, bytes, size, err);
}

yoke_status coreml_program_model(const coreml_layout *l, size_t rows, uint8_t **bytes, size_t *size,
                                 yoke_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream)
        put_program(stream, l, rows);
    yoke_status status = YOKE_OK;
    if (!stream || fclose(stream) != 0)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "engine coreml: no memory for a program");
    arena memory = {0};
    mil_program program;
    if (status == YOKE_OK)
        status = mil_parse(text, length, "product", &memory, &program, err);
    if (status == YOKE_OK)
        status = write_model(l, &program, bytes, size, err);
    arena_free(&memory);
    free(text);
    return status;
}
