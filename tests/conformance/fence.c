#include "conformance/fence.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/subject.h"

#define MARGIN_BYTES 64

fence fence_create(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t usable = (bytes + MARGIN_BYTES + page - 1) / page * page;
    fence f = {.map_bytes = usable + page};
    f.map = mmap(NULL, f.map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f.map == MAP_FAILED || mprotect(f.map + usable, page, PROT_NONE) != 0)
        fail_msg("no memory for %zu bytes", bytes);
    f.end = f.map + usable;
    return f;
}

void fence_free(fence *f)
{
    munmap(f->map, f->map_bytes);
    *f = (fence){0};
}

static size_t bytes_of(yoke_format format, size_t elements)
{
    const yoke_format_info *info = yoke_format_get(format);
    return elements / info->block * info->block_bytes;
}

size_t fence_extent(yoke_format format, size_t rows, size_t cols, size_t stride)
{
    return rows ? bytes_of(format, (rows - 1) * stride + cols) : 0;
}

yoke_matrix fence_matrix(const fence *f, yoke_format format, size_t rows, size_t cols,
                         size_t stride)
{
    size_t bytes = fence_extent(format, rows, cols, stride);
    assert_true(bytes + MARGIN_BYTES <= (size_t)(f->end - f->map));
    memset(f->end - bytes - MARGIN_BYTES, 0xff, bytes + MARGIN_BYTES);
    return (yoke_matrix){
        .format = format, .rows = rows, .cols = cols, .stride = stride, .data = f->end - bytes};
}

static void check_bytes(const unsigned char *from, size_t count, size_t row)
{
    for (size_t i = 0; i < count; i++)
        if (from[i] != 0xff)
            fail_msg("a byte outside the matrix was written: %zu before row %zu", count - i, row);
}

void fence_check_gaps(const yoke_matrix *matrix)
{
    const unsigned char *data = matrix->data;
    size_t stride = bytes_of(matrix->format, matrix->stride);
    size_t gap = bytes_of(matrix->format, matrix->stride - matrix->cols);
    check_bytes(data - MARGIN_BYTES, MARGIN_BYTES, 0);
    for (size_t row = 1; row < matrix->rows; row++)
        check_bytes(data + row * stride - gap, gap, row);
}
