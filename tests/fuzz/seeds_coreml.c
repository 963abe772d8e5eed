/* Programs as text and as protobuf, weight files, and both together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/coreml/blob.h"
#include "files/coreml/head_program.h"
#include "files/coreml/head_weights.h"
#include "files/coreml/mil_parse.h"
#include "files/coreml/model_write.h"
#include "seeds.h"
#include "seeds_programs.h"

enum { SPECIFICATION = 9 };

static void put_header(FILE *to, uint32_t count)
{
    uint8_t header[BLOB_HEADER_BYTES];
    blob_write_header(header, count);
    fwrite(header, sizeof header, 1, to);
}

/* A blob at byte `at` of its weight file; where the next one is. */
static uint64_t put_blob(FILE *to, const program_blob *of, uint64_t at)
{
    uint8_t metadata[BLOB_METADATA_BYTES];
    size_t padding = (BLOB_ALIGNMENT - of->bytes % BLOB_ALIGNMENT) % BLOB_ALIGNMENT;
    blob_write_metadata(metadata, of->element, of->bytes, at);
    fwrite(metadata, sizeof metadata, 1, to);
    seed_put_data(to, of->bytes + padding);
    return at + sizeof metadata + of->bytes + padding;
}

static void put_weights(FILE *to, const program *of)
{
    uint32_t count = 0;
    while (count < PROGRAM_BLOBS && of->blobs[count].bytes > 0)
        count++;
    uint64_t at = BLOB_HEADER_BYTES;
    put_header(to, count);
    for (uint32_t i = 0; i < count; i++)
        at = put_blob(to, &of->blobs[i], at);
}

/* The text with the offsets of its blobs, which the caller frees. */
static char *fill_text(const program *of)
{
    char *text = NULL;
    size_t size, next = 0;
    uint64_t at = BLOB_HEADER_BYTES;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        abort();
    for (const char *c = of->text; *c; c++) {
        if (*c != '$') {
            fputc(*c, to);
            continue;
        }
        fprintf(to, "%" PRIu64, at);
        uint64_t end = at + BLOB_METADATA_BYTES + of->blobs[next++].bytes + BLOB_ALIGNMENT - 1;
        at = end - end % BLOB_ALIGNMENT;
    }
    seed_end(to);
    return text;
}

static void seed_bytes(const char *folder, const char *reader, const char *name, const void *bytes,
                       size_t size)
{
    FILE *seed = seed_begin(folder, reader, name);
    fwrite(bytes, size, 1, seed);
    seed_end(seed);
}

static void seed_model(const char *folder, const char *name, const char *text)
{
    arena memory = {0};
    mil_program parsed;
    yoke_error err = {0};
    uint8_t *bytes;
    size_t size;
    seed_require(mil_parse(text, strlen(text), name, &memory, &parsed, &err), &err);
    seed_require(model_write(&parsed, SPECIFICATION, &bytes, &size, &err), &err);
    seed_bytes(folder, "coreml_model", name, bytes, size);
    free(bytes);
    arena_free(&memory);
}

static void seed_program(const char *folder, const program *of)
{
    char *text = fill_text(of);
    seed_bytes(folder, "coreml_mil", of->name, text, strlen(text));
    seed_model(folder, of->name, text);
    FILE *seed = seed_begin(folder, "coreml_bundle", of->name);
    fwrite(text, strlen(text) + 1, 1, seed);
    put_weights(seed, of);
    seed_end(seed);
    seed = seed_begin(folder, of->blobs[0].bytes ? "coreml_blob" : "files", of->name);
    if (of->blobs[0].bytes)
        put_weights(seed, of);
    else
        fputs(text, seed);
    seed_end(seed);
    free(text);
}

/* Eight elements of each type. */
static void seed_elements(const char *folder)
{
    uint64_t at = BLOB_HEADER_BYTES;
    FILE *seed = seed_begin(folder, "coreml_blob", "elements");
    put_header(seed, 0); /* some writers count too few */
    for (mil_element i = 0; i < MIL_ELEMENT_COUNT; i++)
        if (mil_element_get(i)->blob != 0)
            at = put_blob(seed, &(program_blob){i, mil_element_get(i)->bits}, at);
    seed_end(seed);
}

static void seed_head(const char *folder, const char *name, const yoke_coreml_head *head)
{
    head_layout layout;
    yoke_error err = {0};
    char *text, path[1024];
    uint8_t *bytes;
    size_t size;
    seed_require(head_layout_make(head, &layout, &err), &err);
    seed_require(head_program_text(&layout, &text, &err), &err);
    seed_bytes(folder, "coreml_mil", name, text, strlen(text));
    seed_require(head_program_model(&layout, &bytes, &size, &err), &err);
    seed_bytes(folder, "coreml_model", name, bytes, size);
    snprintf(path, sizeof path, "%s/coreml_blob/%s", folder, name);
    remove(path);
    seed_require(head_weights_write(&layout, head, path, &err), &err);
    FILE *weights = fopen(path, "rb"), *seed = seed_begin(folder, "coreml_bundle", name);
    if (!weights)
        abort();
    fwrite(text, strlen(text) + 1, 1, seed);
    for (int c; (c = fgetc(weights)) != EOF;)
        fputc(c, seed);
    fclose(weights);
    seed_end(seed);
    free(text);
    free(bytes);
}

void seeds_coreml(const char *folder)
{
    for (size_t i = 0; i < program_count; i++)
        seed_program(folder, &programs[i]);
    seed_elements(folder);
    seed_head(folder, "head",
              &(yoke_coreml_head){.outputs = 16, .inputs = 4, .parts = 4, .format = YOKE_F16});
    seed_head(folder, "head_lut2",
              &(yoke_coreml_head){.outputs = 64, .inputs = 4, .format = YOKE_LUT2});
}
