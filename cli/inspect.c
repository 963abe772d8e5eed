/* yoke inspect: what is in a weight file, and the values of one tensor. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "inspect_bundle.h"
#include "inspect_types.h"
#include "inspect_values.h"
#include "report/number.h"
#include "table.h"
#include "tensor.h"
#include "verb.h"

#define SHAPE_BYTES 96

typedef struct request {
    const char *path;
    const char *tensor; /* NULL: list them all */
    bool wide;
} request;

static void print_file(const yoke_file *file)
{
    size_t parts = yoke_file_part_count(file);
    printf("%s, %s", yoke_file_kind(file), number_bytes(yoke_file_bytes(file)).text);
    if (parts == 1)
        printf(": %s\n", yoke_file_part(file, 0));
    else
        printf(" in %zu parts:\n", parts);
    for (size_t i = 0; parts > 1 && i < parts; i++)
        printf("  %s\n", yoke_file_part(file, i));
}

/* A plain element that does not lie at a multiple of its own size has to be copied to be used. */
static bool is_unaligned(const yoke_tensor *tensor)
{
    const yoke_format_info *info = yoke_format_get(tensor->format);
    return info->block == 1 && info->block_bytes > 1 && tensor->offset % info->block_bytes != 0;
}

/* Core ML's types say how a weight is stored, not what it is multiplied as. */
static void add_note(table *t, const yoke_tensor *tensor, bool bundle)
{
    const char *format = yoke_format_get(tensor->format)->name;
    if (tensor->readable && bundle && strcmp(format, tensor->type_name) != 0)
        table_cell(t, "as %s%s", format, tensor->joined ? "; the bytes of its parts" : "");
    else if (!tensor->readable)
        table_cell(t, "%s", tensor->reason ? tensor->reason : "not readable");
    else if (is_unaligned(tensor))
        table_cell(t, "unaligned, at byte %" PRIu64, tensor->offset);
    else
        table_cell(t, "%s", "");
}

static bool add_tensor(table *t, const yoke_tensor *tensor, bool bundle)
{
    char shape[SHAPE_BYTES];
    char *name = tensor_name_text(tensor);
    if (!name)
        return false;
    table_cell(t, "%s", name);
    table_cell(t, "%s", tensor->type_name);
    table_cell(t, "%s", tensor_shape_text(tensor, shape, sizeof shape));
    table_cell(t, "%s", number_count(tensor->bytes).text);
    add_note(t, tensor, bundle);
    free(name);
    return true;
}

static bool print_tensors(const yoke_file *file, bool wide)
{
    static const table_column columns[] = {{"name", TABLE_TEXT},
                                           {"type", TABLE_TEXT},
                                           {"shape", TABLE_TEXT},
                                           {"bytes", TABLE_NUMBER},
                                           {"note", TABLE_TEXT}};
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    bool ok = t != NULL, bundle = yoke_coreml_function_count(file) > 0;
    const yoke_tensor *tensor;
    for (size_t i = 0; ok && (tensor = yoke_file_tensor(file, i)); i++)
        ok = add_tensor(t, tensor, bundle);
    ok = ok && table_print(t, stdout, wide ? 0 : CLI_WIDTH);
    table_free(t);
    return ok;
}

static yoke_status list(const yoke_file *file, bool wide, yoke_error *err)
{
    size_t count = yoke_file_tensor_count(file);
    bool *repeats = inspect_repeats(file), ok = repeats != NULL;
    if (ok) {
        print_file(file);
        inspect_types_count(file, repeats);
        ok = inspect_bundle_print(file, wide);
    }
    if (ok && count > 0) {
        putchar('\n');
        ok = print_tensors(file, wide);
        putchar('\n');
        ok = ok && inspect_types_print(file, repeats);
    }
    free(repeats);
    if (!ok)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory to list %zu tensors", count);
    return YOKE_OK;
}

static yoke_status describe(yoke_file *file, const char *name, yoke_error *err)
{
    const yoke_tensor *tensor;
    yoke_matrix matrix;
    size_t copied;
    inspect_values of;
    char shape[SHAPE_BYTES];
    yoke_status status = tensor_find(file, name, &tensor, err);
    if (status == YOKE_OK)
        status = yoke_file_matrix(file, tensor, &matrix, &copied, err);
    if (status == YOKE_OK)
        status = inspect_values_of(&matrix, &of, err);
    if (status != YOKE_OK)
        return status;
    char *text = tensor_name_text(tensor);
    printf("tensor   %s\n", text ? text : "?");
    free(text);
    printf("type     %s, %s, outermost first; as a matrix %zu rows of %zu\n", tensor->type_name,
           tensor_shape_text(tensor, shape, sizeof shape), matrix.rows, matrix.cols);
    printf("stored   %s bytes at byte %" PRIu64 "%s of %s\n", number_count(tensor->bytes).text,
           tensor->offset, is_unaligned(tensor) ? " (unaligned)" : "", tensor->path);
    if (copied > 0)
        printf("copied   %s bytes that cannot be used as they are stored\n",
               number_count(copied).text);
    inspect_values_print(&of);
    return YOKE_OK;
}

static int inspect(const request *what)
{
    yoke_error err = {0};
    yoke_file *file = NULL;
    yoke_status status = yoke_file_open(what->path, &file, &err);
    if (status == YOKE_OK)
        status = what->tensor ? describe(file, what->tensor, &err) : list(file, what->wide, &err);
    yoke_file_free(file);
    return status == YOKE_OK ? EXIT_DONE : cli_fail(&err);
}

enum { TENSOR, WIDE };

static const verb_option option_table[] = {
    {"tensor", TENSOR, "NAME", VALUE_TEXT, NULL,
     "the values of one tensor: range, mean, NaN, the first ones"},
    {"wide", WIDE, NULL, VALUE_TEXT, NULL, "do not cut long names to fit the terminal"},
    VERB_END};

static bool take(void *what, int key, const char *value)
{
    request *r = what;
    switch (key) {
    case TENSOR: r->tensor = value; return true;
    case WIDE: r->wide = true; return true;
    default: return false;
    }
}

static int run(int argc, char **argv)
{
    request what = {0};
    int code = verb_parse(&inspect_verb, argc, argv, take, &what);
    if (code != CLI_GO_ON)
        return code;
    if (optind == argc)
        return cli_usage(argv[0], "needs a FILE");
    if (optind + 1 < argc)
        return cli_usage(argv[0], "takes one FILE, not '%s' too", argv[optind + 1]);
    what.path = argv[optind];
    return inspect(&what);
}

static const verb_word words[] = {{"FILE", VALUE_FILE, NULL, NULL}, {0}};

static const verb_example examples[] = {
    {"inspect model.gguf", "the tensors of a file"},
    {"inspect model.safetensors --tensor lm_head.weight", "the values of one"},
    {0}};

const verb inspect_verb = {
    .name = "inspect",
    .summary = "what is in a weight file",
    .run = run,
    .usage = {"FILE [--tensor NAME] [--wide]"},
    .description = "Lists the tensors of a safetensors, GGUF or npy file (or a set of parts) or a "
                   "Core ML bundle, and the types in it; of a bundle also its functions, their "
                   "inputs, outputs and operations.",
    .words = words,
    .options = option_table,
    .examples = examples,
    .exit_status = VERB_PLAIN_STATUS,
};
