/* fuzz_seeds FOLDER: makes FOLDER/READER/... */
#include "seeds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "fuzz_seeds: %s: %s\n", path, why);
    exit(EXIT_FAILURE);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        fail(path, strerror(errno));
}

FILE *seed_begin(const char *folder, const char *reader, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, reader);
    make_folder(path);
    snprintf(path, sizeof path, "%s/%s/%s", folder, reader, name);
    FILE *seed = fopen(path, "wb");
    if (!seed)
        fail(path, strerror(errno));
    return seed;
}

void seed_end(FILE *seed)
{
    if (fclose(seed) != 0)
        fail("a seed", strerror(errno));
}

void seed_require(yoke_status status, const yoke_error *err)
{
    if (status != YOKE_OK)
        fail("a seed", err->text);
}

void seed_put_u32(FILE *seed, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        fputc((int)(value >> 8 * i & 0xff), seed);
}

void seed_put_u64(FILE *seed, uint64_t value)
{
    seed_put_u32(seed, (uint32_t)value);
    seed_put_u32(seed, (uint32_t)(value >> 32));
}

void seed_put_data(FILE *seed, size_t size)
{
    while (size--)
        fputc(0x55, seed);
}

void seed_align(FILE *seed, size_t alignment)
{
    while ((size_t)ftell(seed) % alignment != 0)
        fputc(0, seed);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
        return EXIT_FAILURE;
    }
    make_folder(argv[1]);
    seeds_coreml(argv[1]);
    seeds_files(argv[1]);
    seeds_record(argv[1]);
    return EXIT_SUCCESS;
}
