#include "files/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "files/stranger.h"
#include "files/text.h"
#include "yoke/measure.h"

yoke_status file_create(yoke_file **out, yoke_error *err)
{
    yoke_file *file = calloc(1, sizeof *file);
    if (!file || pthread_mutex_init(&file->copy_lock, NULL) != 0) {
        free(file);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for an open file");
    }
    file->names.seed = yoke_clock_ns() ^ (uint64_t)(uintptr_t)file;
    *out = file;
    return YOKE_OK;
}

void yoke_file_free(yoke_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->tensor_count; i++)
        memory_unmap(file->tensors[i].copy, file->tensors[i].copy_bytes);
    pthread_mutex_destroy(&file->copy_lock);
    names_free(&file->names);
    arena_free(&file->arena);
    free(file->tensors);
    for (size_t i = 0; i < file->part_count; i++)
        mapping_close(&file->parts[i].map);
    free(file->parts);
    free(file);
}

yoke_status file_add_part(yoke_file *file, const char *path, mapping map, yoke_error *err)
{
    char *copy = arena_text(&file->arena, path, strlen(path));
    file_part *parts = realloc(file->parts, (file->part_count + 1) * sizeof *parts);
    if (parts)
        file->parts = parts;
    if (!copy || !parts) {
        mapping_close(&map);
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its name", path);
    }
    parts[file->part_count++] = (file_part){.path = copy, .map = map};
    return YOKE_OK;
}

yoke_status file_open_part(yoke_file *file, const char *head, size_t head_length, const char *tail,
                           yoke_error *err)
{
    size_t tail_size = strlen(tail) + 1;
    char *path = malloc(head_length + tail_size);
    if (!path)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for a path", tail);
    memcpy(path, head, head_length);
    memcpy(path + head_length, tail, tail_size);
    mapping map;
    yoke_status status = mapping_open(path, &map, err);
    if (status == YOKE_OK) {
        status = file_add_part(file, path, map, err);
        if (status == YOKE_OK && stranger_name(&map))
            status = stranger_refuse(&map, path, err);
    }
    free(path);
    return status;
}

static bool tensor_has_name(const void *owner, size_t number, const char *name, size_t length)
{
    const yoke_file *file = owner;
    const yoke_tensor *tensor = &file->tensors[number].seen;
    return tensor->name_length == length && memcmp(tensor->name, name, length) == 0;
}

bool file_shape_elements(const uint64_t *shape, unsigned rank, size_t *elements)
{
    bool fits = true;
    *elements = 1;
    for (unsigned i = 0; i < rank; i++) {
        if (shape[i] == 0) {
            *elements = 0;
            return true;
        }
        if (shape[i] > SIZE_MAX || !size_mul(*elements, (size_t)shape[i], elements))
            fits = false;
    }
    return fits;
}

/* All dimensions but the last are rows. NULL, or why it cannot be a matrix. */
static const char *tensor_as_matrix(file_tensor *tensor)
{
    const yoke_tensor *seen = &tensor->seen;
    const yoke_format_info *format = yoke_format_get(seen->format);
    if (!format->readable)
        return "yoke does not read elements of this type";
    uint64_t cols = seen->rank ? seen->shape[seen->rank - 1] : 1;
    tensor->rows = 1;
    for (unsigned i = 0; i + 1 < seen->rank; i++)
        if (seen->shape[i] > SIZE_MAX ||
            !size_mul(tensor->rows, (size_t)seen->shape[i], &tensor->rows))
            return "its row count does not fit";
    size_t extent;
    if (cols > SIZE_MAX || !size_mul((size_t)cols, format->block_bytes, &extent))
        return "its column count does not fit";
    if (cols % format->block != 0)
        return "its rows are not whole blocks, or not whole bytes";
    tensor->cols = (size_t)cols;
    return NULL;
}

static bool file_grow_tensors(yoke_file *file)
{
    file_tensor *tensors = memory_room(file->tensors, file->tensor_count, &file->tensor_capacity,
                                       sizeof *file->tensors);
    if (tensors)
        file->tensors = tensors;
    return tensors != NULL;
}

/* A copy of *from that the file owns, at the end of its tensors. */
static bool file_append_tensor(yoke_file *file, const yoke_tensor *from)
{
    yoke_tensor tensor = *from;
    size_t shape_bytes = tensor.rank * sizeof *tensor.shape;
    uint64_t *shape = arena_take(&file->arena, shape_bytes);
    tensor.name = arena_text(&file->arena, from->name, from->name_length);
    tensor.type_name = arena_text(&file->arena, from->type_name, strlen(from->type_name));
    if (!shape || !tensor.name || !tensor.type_name || !file_grow_tensors(file))
        return false;
    if (tensor.rank)
        memcpy(shape, from->shape, shape_bytes);
    tensor.shape = shape;
    tensor.path = file->parts[file->part_count - 1].path;
    file_tensor *added = &file->tensors[file->tensor_count];
    *added = (file_tensor){.seen = tensor, .part = file->part_count - 1};
    added->seen.reason = tensor_as_matrix(added);
    added->seen.readable = !added->seen.reason;
    if (!names_add(&file->names, tensor.name, tensor.name_length, file->tensor_count))
        return false;
    file->tensor_count++;
    return true;
}

yoke_status file_add_tensor(yoke_file *file, const yoke_tensor *tensor, size_t entry,
                            yoke_error *err)
{
    const char *path = file->parts[file->part_count - 1].path;
    size_t other =
        names_find(&file->names, tensor->name, tensor->name_length, tensor_has_name, file);
    if (other != NAMES_NONE)
        return yoke_error_set(
            err, YOKE_ERR_FORMAT,
            "%s: duplicate tensor name \"%s\" at byte %zu: tensor %zu, of %s, has "
            "it too",
            path, text_shown(tensor->name, tensor->name_length).text, entry, other,
            text_base_name(file->tensors[other].seen.path));
    if (!file_append_tensor(file, tensor))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for tensor %zu", path,
                              file->tensor_count);
    return YOKE_OK;
}

static int compare_offsets(const void *left, const void *right)
{
    const yoke_tensor *a = *(const yoke_tensor *const *)left;
    const yoke_tensor *b = *(const yoke_tensor *const *)right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

const yoke_tensor **file_by_offset(const yoke_file *file, size_t first)
{
    size_t count = file->tensor_count - first;
    const yoke_tensor **order = malloc((count + 1) * sizeof *order);
    if (!order)
        return NULL;
    for (size_t i = 0; i < count; i++)
        order[i] = &file->tensors[first + i].seen;
    qsort(order, count, sizeof *order, compare_offsets);
    return order;
}

const char *yoke_file_kind(const yoke_file *file)
{
    return file->kind;
}

uint64_t yoke_file_bytes(const yoke_file *file)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < file->part_count; i++)
        bytes += file->parts[i].map.size;
    return bytes;
}

size_t yoke_file_part_count(const yoke_file *file)
{
    return file->part_count;
}

const char *yoke_file_part(const yoke_file *file, size_t index)
{
    return index < file->part_count ? file->parts[index].path : NULL;
}

size_t yoke_file_tensor_count(const yoke_file *file)
{
    return file->tensor_count;
}

const yoke_tensor *yoke_file_tensor(const yoke_file *file, size_t index)
{
    return index < file->tensor_count ? &file->tensors[index].seen : NULL;
}

const yoke_tensor *yoke_file_find(const yoke_file *file, const char *name, size_t name_length)
{
    size_t number = names_find(&file->names, name, name_length, tensor_has_name, file);
    return number == NAMES_NONE ? NULL : &file->tensors[number].seen;
}

static yoke_matrix file_matrix_of(const file_tensor *tensor)
{
    return (yoke_matrix){.format = tensor->seen.format,
                         .rows = tensor->rows,
                         .cols = tensor->cols,
                         .table_rows = tensor->table_rows};
}

/* Bytes of a tensor's elements; 0 when they do not fit. */
static size_t file_element_bytes(const file_tensor *tensor)
{
    size_t bytes = 0;
    yoke_format_bytes(tensor->seen.format, tensor->rows, tensor->cols, &bytes, NULL);
    return bytes;
}

static bool has_table(const file_tensor *tensor)
{
    return yoke_format_get(tensor->seen.format)->table_bytes > 0;
}

size_t file_table_at(const file_tensor *tensor)
{
    return tensor->table_only ? 0 : size_round_up(file_element_bytes(tensor), 64);
}

/* False when it does not fit. */
static bool file_copy_bytes(const file_tensor *tensor, size_t *bytes)
{
    yoke_matrix matrix = file_matrix_of(tensor);
    size_t elements = file_element_bytes(tensor);
    *bytes = elements;
    return !has_table(tensor) ||
           size_add(file_table_at(tensor), yoke_matrix_bytes(&matrix) - elements, bytes);
}

/* Makes a tensor's copy, with the lock held. */
static yoke_status file_make_copy(yoke_file *file, file_tensor *tensor, yoke_error *err)
{
    size_t bytes;
    yoke_status status =
        yoke_format_bytes(tensor->seen.format, tensor->rows, tensor->cols, &bytes, err);
    if (status != YOKE_OK || bytes == 0)
        return status;
    void *copy = file_copy_bytes(tensor, &bytes) ? memory_map(bytes) : NULL;
    if (!copy)
        return yoke_error_set(
            err, YOKE_ERR_MEMORY, "%s: no memory for %zu bytes, a copy of tensor \"%s\"",
            tensor->seen.path, bytes, text_shown(tensor->seen.name, tensor->seen.name_length).text);
    status = tensor->fill(file, tensor, copy, err);
    if (status != YOKE_OK) {
        memory_unmap(copy, bytes);
        return status;
    }
    tensor->copy = copy;
    tensor->copy_bytes = bytes;
    return YOKE_OK;
}

/* The copy of a tensor that has one; made on first use. */
static yoke_status file_copy(yoke_file *file, file_tensor *tensor, const void **copy,
                             yoke_error *err)
{
    yoke_status status = YOKE_OK;
    pthread_mutex_lock(&file->copy_lock);
    if (!tensor->copy)
        status = file_make_copy(file, tensor, err);
    *copy = tensor->copy;
    pthread_mutex_unlock(&file->copy_lock);
    return status;
}

yoke_status yoke_file_matrix(yoke_file *file, const yoke_tensor *tensor, yoke_matrix *matrix,
                             size_t *copied, yoke_error *err)
{
    if (!file || !tensor || !matrix)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_file_matrix: an argument is NULL");
    file_tensor *own = (file_tensor *)tensor;
    const file_part *part = &file->parts[own->part];
    if (!tensor->readable)
        return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s: tensor \"%s\" is %s: %s", part->path,
                              text_shown(tensor->name, tensor->name_length).text, tensor->type_name,
                              tensor->reason);
    yoke_status status = mapping_recheck(&part->map, part->path, err);
    /* An empty tensor may be said to lie behind the end. */
    const void *data = tensor->bytes ? part->map.bytes + tensor->offset : part->map.bytes;
    const void *copy = NULL;
    if (status == YOKE_OK && own->fill)
        status = file_copy(file, own, &copy, err);
    if (status != YOKE_OK)
        return status;
    *matrix = file_matrix_of(own);
    matrix->data = (void *)(own->fill && !own->table_only ? copy : data);
    if (has_table(own))
        matrix->table = (void *)(own->table ? own->table : (const char *)copy + file_table_at(own));
    if (copied)
        *copied = own->copy_bytes;
    return YOKE_OK;
}
