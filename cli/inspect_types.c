#include "inspect_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/number.h"
#include "table.h"
#include "tensor.h"

typedef struct numbered {
    const yoke_tensor *tensor;
    size_t number;
} numbered;

/* Those of the same bytes are neighbours, the first of the file first. */
static int compare_places(const void *left, const void *right)
{
    const numbered *a = left, *b = right;
    int path = strcmp(a->tensor->path, b->tensor->path);
    if (path != 0)
        return path;
    if (a->tensor->offset != b->tensor->offset)
        return a->tensor->offset < b->tensor->offset ? -1 : 1;
    if (a->tensor->bytes != b->tensor->bytes)
        return a->tensor->bytes < b->tensor->bytes ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool same_bytes(const yoke_tensor *a, const yoke_tensor *b)
{
    return a->bytes > 0 && a->bytes == b->bytes && a->offset == b->offset &&
           strcmp(a->path, b->path) == 0;
}

bool *inspect_repeats(const yoke_file *file)
{
    size_t all = yoke_file_tensor_count(file), count = 0;
    bool *repeats = calloc(all + 1, sizeof *repeats);
    numbered *order = calloc(all + 1, sizeof *order);
    if (!repeats || !order) {
        free(repeats);
        free(order);
        return NULL;
    }
    for (size_t i = 0; i < all; i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        repeats[i] = tensor->joined;
        if (!tensor->joined)
            order[count++] = (numbered){tensor, i};
    }
    qsort(order, count, sizeof *order, compare_places);
    for (size_t i = 1; i < count; i++)
        repeats[order[i].number] = same_bytes(order[i].tensor, order[i - 1].tensor);
    free(order);
    return repeats;
}

/* One line of the summary. */
typedef struct type_total {
    const char *name;
    size_t tensors;
    uint64_t elements, bytes;
} type_total;

#define MAX_TYPES 64 /* a file cannot make the summary long: the last line takes the rest */

/* Each byte once. */
static size_t total_types(const yoke_file *file, const bool *repeats, type_total *totals)
{
    size_t count = 0;
    const yoke_tensor *tensor;
    for (size_t i = 0; (tensor = yoke_file_tensor(file, i)); i++) {
        size_t t = 0;
        if (repeats[i])
            continue;
        while (t < count && strcmp(totals[t].name, tensor->type_name) != 0)
            t++;
        if (t == MAX_TYPES)
            totals[--t].name = "other";
        else if (t == count)
            totals[count++] = (type_total){.name = tensor->type_name};
        totals[t].tensors++;
        totals[t].elements += tensor_elements(tensor);
        totals[t].bytes += tensor->bytes;
    }
    return count;
}

bool inspect_types_print(const yoke_file *file, const bool *repeats)
{
    static const table_column columns[] = {{"type", TABLE_TEXT},
                                           {"tensors", TABLE_NUMBER},
                                           {"elements", TABLE_NUMBER},
                                           {"bytes", TABLE_NUMBER},
                                           {"bits each", TABLE_NUMBER}};
    type_total totals[MAX_TYPES];
    size_t count = total_types(file, repeats, totals);
    table *t = table_create(columns, sizeof columns / sizeof columns[0]);
    if (!t)
        return false;
    for (size_t i = 0; i < count; i++) {
        double bits = (double)totals[i].bytes * 8 / (double)totals[i].elements;
        table_cell(t, "%s", totals[i].name);
        table_cell(t, "%s", number_count(totals[i].tensors).text);
        table_cell(t, "%s", number_count(totals[i].elements).text);
        table_cell(t, "%s", number_count(totals[i].bytes).text);
        table_cell(t, "%s", number_digits(bits, 3).text);
    }
    bool ok = table_print(t, stdout, CLI_WIDTH);
    table_free(t);
    return ok;
}

void inspect_types_count(const yoke_file *file, const bool *repeats)
{
    size_t all = yoke_file_tensor_count(file), joined = 0, again = 0;
    for (size_t i = 0; i < all; i++) {
        bool is_joined = yoke_file_tensor(file, i)->joined;
        joined += is_joined;
        again += repeats[i] && !is_joined;
    }
    size_t count = all - joined - again;
    printf("%s tensor%s", number_count(count).text, count == 1 ? "" : "s");
    if (again > 0)
        printf(" under %s names", number_count(count + again).text);
    if (joined > 0)
        printf(", and %s joined of them", number_count(joined).text);
    printf("; shapes are outermost first\n");
}
