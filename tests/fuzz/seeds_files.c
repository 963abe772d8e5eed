/* npy, safetensors and GGUF files. */
#include <string.h>

#include "seeds.h"

static void seed_npy(const char *folder, const char *name, unsigned version, const char *header,
                     size_t bytes)
{
    FILE *seed = seed_begin(folder, "files", name);
    fputs("\x93NUMPY", seed);
    fputc((int)version, seed);
    fputc(0, seed);
    size_t length = strlen(header);
    fputc((int)length, seed);
    fputc(0, seed);
    if (version > 1)
        fwrite("\0", 2, 1, seed);
    fputs(header, seed);
    seed_put_data(seed, bytes);
    seed_end(seed);
}

static void seed_safetensors(const char *folder, const char *name, const char *header, size_t bytes)
{
    FILE *seed = seed_begin(folder, "files", name);
    seed_put_u64(seed, strlen(header));
    fputs(header, seed);
    seed_put_data(seed, bytes);
    seed_end(seed);
}

enum { GGUF_U8, GGUF_U32 = 4, GGUF_BOOL = 7, GGUF_STRING, GGUF_ARRAY, GGUF_U64, GGUF_F64 = 12 };

static void put_text(FILE *to, const char *text)
{
    seed_put_u64(to, strlen(text));
    fputs(text, to);
}

static void put_key(FILE *to, const char *key, uint32_t type)
{
    put_text(to, key);
    seed_put_u32(to, type);
}

static void put_tensor(FILE *to, const char *name, uint64_t cols, uint32_t type, uint64_t offset)
{
    put_text(to, name);
    seed_put_u32(to, 2);
    seed_put_u64(to, cols);
    seed_put_u64(to, 2);
    seed_put_u32(to, type);
    seed_put_u64(to, offset);
}

static void put_start(FILE *to, uint32_t version, uint64_t tensors, uint64_t pairs)
{
    fputs("GGUF", to);
    seed_put_u32(to, version);
    seed_put_u64(to, tensors);
    seed_put_u64(to, pairs);
}

static FILE *begin_gguf(const char *folder, const char *name, uint32_t version, uint64_t tensors,
                        uint64_t pairs)
{
    FILE *seed = seed_begin(folder, "files", name);
    put_start(seed, version, tensors, pairs);
    return seed;
}

/* A value of each kind, and arrays within an array. */
static void put_pairs(FILE *to)
{
    put_key(to, "general.alignment", GGUF_U32);
    seed_put_u32(to, 64);
    put_key(to, "general.name", GGUF_STRING);
    put_text(to, "seed");
    put_key(to, "b", GGUF_BOOL);
    fputc(1, to);
    put_key(to, "f", GGUF_F64);
    seed_put_u64(to, UINT64_C(0x3ff0000000000000));
    put_key(to, "words", GGUF_ARRAY);
    seed_put_u32(to, GGUF_STRING);
    seed_put_u64(to, 2);
    put_text(to, "one");
    put_text(to, "");
    put_key(to, "lists", GGUF_ARRAY);
    seed_put_u32(to, GGUF_ARRAY);
    seed_put_u64(to, 1);
    seed_put_u32(to, GGUF_U8);
    seed_put_u64(to, 3);
    fputs("abc", to);
}

/* Rows of 8 floats, of a block of 32, and of a block of 256. */
static void seed_gguf(const char *folder)
{
    FILE *seed = begin_gguf(folder, "gguf", 3, 3, 6);
    put_pairs(seed);
    put_tensor(seed, "f32", 8, 0, 0);
    put_tensor(seed, "q8_0", 32, 8, 64);
    put_tensor(seed, "q4_K", 256, 12, 192);
    seed_align(seed, 64);
    seed_put_data(seed, 192 + 288);
    seed_end(seed);
    seed = begin_gguf(folder, "gguf_v2", 2, 1, 0);
    put_tensor(seed, "w", 8, 1, 0);
    seed_align(seed, 32);
    seed_put_data(seed, 32);
    seed_end(seed);
}

/* One tensor of 2 rows of 8 floats; `no` counts from 0. */
enum { SPLIT_PART_BYTES = 224 };

static void put_split_part(FILE *to, const char *tensor, uint32_t no)
{
    long begin = ftell(to);
    put_start(to, 3, 1, 3);
    put_key(to, "split.no", GGUF_U32);
    seed_put_u32(to, no);
    put_key(to, "split.count", GGUF_U32);
    seed_put_u32(to, 2);
    put_key(to, "split.tensors.count", GGUF_U32);
    seed_put_u32(to, 2);
    put_tensor(to, tensor, 8, 0, 0);
    while ((ftell(to) - begin) % 32 != 0)
        fputc(0, to);
    seed_put_data(to, 64);
}

static void seed_sets(const char *folder)
{
    FILE *seed = seed_begin(folder, "files_set", "split");
    seed_put_u32(seed, SPLIT_PART_BYTES);
    put_split_part(seed, "a", 0);
    put_split_part(seed, "b", 1);
    seed_end(seed);
    static const char index[] = "{\"weight_map\":{\"a\":\"m-00002-of-00002.gguf\"}}";
    static const char header[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}";
    seed = seed_begin(folder, "files_set", "index");
    seed_put_u32(seed, (uint32_t)strlen(index));
    fputs(index, seed);
    seed_put_u64(seed, strlen(header));
    fputs(header, seed);
    seed_put_data(seed, 4);
    seed_end(seed);
}

void seeds_files(const char *folder)
{
    seed_npy(folder, "npy", 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n",
             24);
    seed_npy(folder, "npy_turned", 2,
             "{'descr': '>f2', 'fortran_order': True, 'shape': (2, 3, 2), }  \n", 24);
    seed_npy(folder, "npy_scalar", 3, "{\"shape\":(),\"descr\":'|b1','fortran_order':False}\n", 1);
    seed_safetensors(
        folder, "safetensors",
        "{\"__metadata__\":{\"format\":\"pt\"},\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],"
        "\"data_offsets\":[0,24]},\"b.\\u00e4\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":"
        "[24,32]}} ",
        32);
    seed_safetensors(folder, "safetensors_kinds",
                     "{\"f\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],\"data_offsets\":[0,3]},"
                     "\"i\":{\"shape\":[1,1],\"dtype\":\"I64\",\"data_offsets\":[3,11]},"
                     "\"z\":{\"dtype\":\"F16\",\"shape\":[0],\"data_offsets\":[11,11]}}",
                     11);
    seed_gguf(folder);
    seed_sets(folder);
}
