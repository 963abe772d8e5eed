/* A set of two files, in one input: the length of the first in four bytes, then both. The first is
 * a part of a split GGUF file, or the index of safetensors, which may name the second; the set is
 * opened and read, or refused with one line. */
#include <stdint.h>
#include <unistd.h>

#include "files/bytes.h"
#include "require_tensor.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/yoke_fuzz_XXXXXX";
static char paths[2][64];

static void remove_set(void)
{
    unlink(paths[0]);
    unlink(paths[1]);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    require(mkdtemp(folder) != NULL);
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/m-0000%d-of-00002.gguf", folder, i + 1);
    atexit(remove_set);
    return 0;
}

static void write_part(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    require(file != NULL);
    require(fwrite(data, 1, size, file) == size);
    require(fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || bytes_u32(data) > size - 4)
        return 0;
    size_t first = bytes_u32(data);
    yoke_file *file = NULL;
    yoke_error err = {0};
    write_part(paths[0], data + 4, first);
    write_part(paths[1], data + 4 + first, size - 4 - first);
    yoke_status status = yoke_file_open(paths[0], &file, &err);
    require_file(status, file, &err, size);
    return 0;
}
