/* Sets of GGUF parts, NAME-00001-of-00003.gguf and so on. */
#include <stdio.h>
#include <string.h>

#include "files/gguf.h"
#include "files/text.h"

/* "-00001-of-00003.gguf"; the numbers are those of gguf_split, room for any 64-bit value. */
typedef struct split_ending {
    char text[64];
} split_ending;

static split_ending ending_of(uint64_t no, uint64_t count)
{
    split_ending ending;
    /* Names count from 1, the key split.no from 0. */
    snprintf(ending.text, sizeof ending.text, "-%05ju-of-%05ju.gguf", (uintmax_t)no + 1,
             (uintmax_t)count);
    return ending;
}

static yoke_status check_name(const char *path, const gguf_split *split, yoke_error *err)
{
    if (split->no >= split->count)
        return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: split.no is %ju of split.count %ju", path,
                              (uintmax_t)split->no, (uintmax_t)split->count);
    split_ending ending = ending_of(split->no, split->count);
    if (text_ends_with(path, ending.text))
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_FORMAT,
                          "%s: split.no is %ju of split.count %ju, so its name must end in %s",
                          path, (uintmax_t)split->no, (uintmax_t)split->count, ending.text);
}

/* Does a part say of itself what was expected? */
static yoke_status check_part(const char *path, const gguf_split *split, uint64_t no,
                              uint64_t count, yoke_error *err)
{
    bool right_no = split->no == no;
    if (right_no && split->count == count)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_FORMAT, "%s: %s is %ju, but %ju was expected", path,
                          right_no ? "split.count" : "split.no",
                          (uintmax_t)(right_no ? split->count : split->no),
                          (uintmax_t)(right_no ? count : no));
}

static yoke_status read_part(yoke_file *file, const char *stem, size_t stem_length, uint64_t no,
                             uint64_t count, yoke_error *err)
{
    split_ending ending = ending_of(no, count);
    gguf_split split;
    yoke_status status = file_open_part(file, stem, stem_length, ending.text, err);
    if (status == YOKE_OK)
        status = gguf_read_part(file, &split, err);
    return status == YOKE_OK
               ? check_part(file->parts[file->part_count - 1].path, &split, no, count, err)
               : status;
}

yoke_status gguf_split_check(const yoke_file *file, const gguf_split *split, yoke_error *err)
{
    if (!split->tensors || split->tensors == file->tensor_count)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_FORMAT,
                          "%s: split.tensors.count is %ju, but the %s %zu tensors",
                          file->parts[0].path, (uintmax_t)split->tensors,
                          file->part_count > 1 ? "parts hold" : "file holds", file->tensor_count);
}

yoke_status gguf_split_read(yoke_file *file, const char *path, const gguf_split *split,
                            yoke_error *err)
{
    yoke_status status = check_name(path, split, err);
    if (status != YOKE_OK)
        return status;
    size_t stem = strlen(path) - strlen(ending_of(split->no, split->count).text);
    for (uint64_t no = 0; no < split->count && status == YOKE_OK; no++)
        status = read_part(file, path, stem, no, split->count, err);
    return status == YOKE_OK ? gguf_split_check(file, split, err) : status;
}
