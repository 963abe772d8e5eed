#include "files/coreml/head_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/coreml/mil_parse.h"
#include "files/coreml/mil_print.h"
#include "files/coreml/model_write.h"

/* Palettes for groups of outputs came with iOS 18, which is specification 9. */
enum { SPECIFICATION = 9 };
static const char PACKAGE_OPSET[] = "CoreML8";

static const char BEGINNING[] =
    "program(1.3)\n[buildInfo = dict<string, string>({})]\n{\n"
    "func main<ios18>(tensor<fp16, [1, %zu, 1, 1]> hidden_states) {\n"
    "string pad_type = const()[name = string(\"pad_type\"), val = string(\"valid\")];\n"
    "tensor<int32, [2]> strides = const()[name = string(\"strides\"), val = tensor<int32, "
    "[2]>([1, 1])];\n"
    "tensor<int32, [4]> pad = const()[name = string(\"pad\"), val = tensor<int32, [4]>([0, 0, 0, "
    "0])];\n"
    "tensor<int32, [2]> dilations = const()[name = string(\"dilations\"), val = tensor<int32, "
    "[2]>([1, 1])];\n"
    "int32 groups = const()[name = string(\"groups\"), val = int32(1)];\n";

static void put_const(FILE *to, const char *type, const char *name, uint64_t offset)
{
    fprintf(to,
            "%s %s = const()[name = string(\"%s\"), val = %s(BLOBFILE(path = "
            "string(\"@model_path/weights/weight.bin\"), offset = uint64(%" PRIu64 ")))];\n",
            type, name, name, type, offset);
}

static void put_weight(FILE *to, const head_layout *l, size_t part)
{
    uint64_t moved = part * l->part_bytes;
    char type[96], name[64];
    snprintf(type, sizeof type, "tensor<%s, [%zu, %zu, 1, 1]>",
             mil_element_get(l->weight.element)->name, l->rows, l->cols);
    if (l->palette_rows == 0) {
        snprintf(name, sizeof name, "lm_head_%zu", part + 1);
        put_const(to, type, name, l->weight.offset + moved);
        return;
    }
    snprintf(name, sizeof name, "lm_head_%zu_indices", part + 1);
    put_const(to, type, name, l->weight.offset + moved);
    snprintf(type, sizeof type, "tensor<fp16, [%zu, 1, 1, 1, %zu, 1]>", l->rows / l->palette_rows,
             yoke_format_get(l->format)->table_bytes / 2);
    snprintf(name, sizeof name, "lm_head_%zu_palettes", part + 1);
    put_const(to, type, name, l->palette.offset + moved);
    fprintf(to,
            "tensor<fp16, [%zu, %zu, 1, 1]> lm_head_%zu = constexpr_lut_to_dense(indices = "
            "lm_head_%zu_indices, lut = lm_head_%zu_palettes)[name = string(\"lm_head_%zu\")];\n",
            l->rows, l->cols, part + 1, part + 1, part + 1, part + 1);
}

static void put_program(FILE *to, const head_layout *l)
{
    fprintf(to, BEGINNING, l->cols);
    for (size_t i = 0; i < l->parts; i++) {
        put_weight(to, l, i);
        fprintf(to,
                "tensor<fp16, [1, %zu, 1, 1]> logits%zu = conv(dilations = dilations, groups = "
                "groups, pad = pad, pad_type = pad_type, strides = strides, weight = lm_head_%zu, "
                "x = hidden_states)[name = string(\"logits%zu\")];\n",
                l->rows, i + 1, i + 1, i + 1);
    }
    fprintf(to, "} -> (");
    for (size_t i = 0; i < l->parts; i++)
        fprintf(to, "%slogits%zu", i ? ", " : "", i + 1);
    fprintf(to, ");\n}\n");
}

/* By its text, so that both forms are of one program. */
static yoke_status make_program(const head_layout *layout, arena *memory, mil_program *program,
                                yoke_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream)
        put_program(stream, layout);
    yoke_status status = YOKE_OK;
    if (!stream || fclose(stream) != 0)
        status = yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for the program of a head");
    if (status == YOKE_OK)
        status = mil_parse(text, size, "head", memory, program, err);
    free(text);
    return status;
}

yoke_status head_program_text(const head_layout *layout, char **text, yoke_error *err)
{
    arena memory = {0};
    mil_program program;
    yoke_status status = make_program(layout, &memory, &program, err);
    if (status == YOKE_OK)
        status = mil_print(&program, text, err);
    arena_free(&memory);
    return status;
}

yoke_status head_program_model(const head_layout *layout, uint8_t **bytes, size_t *size,
                               yoke_error *err)
{
    arena memory = {0};
    mil_program program;
    yoke_status status = make_program(layout, &memory, &program, err);
    if (status == YOKE_OK) {
        mil_function function = program.functions[0];
        function.opset = PACKAGE_OPSET;
        program.functions = &function;
        program.attributes.count = 0;
        status = model_write(&program, SPECIFICATION, bytes, size, err);
    }
    arena_free(&memory);
    return status;
}
