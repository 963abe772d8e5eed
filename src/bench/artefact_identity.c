#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/size.h"
#include "bench/artefact.h"

enum { PAGE_BYTES = 4096, PAGES = 64, HEADER_BYTES = 65536 };

/* The beginning of the file, where its header is. A file that cannot be read any more adds nothing:
 * the hash then differs, as it should. */
static uint64_t hash_header(uint64_t hash, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return hash;
    unsigned char bytes[PAGE_BYTES];
    size_t left = HEADER_BYTES, got;
    while (left > 0 && (got = fread(bytes, 1, size_min(left, sizeof bytes), file)) > 0) {
        hash = hash_bytes(hash, bytes, got);
        left -= got;
    }
    fclose(file);
    return hash;
}

static bool all_zero(const unsigned char *bytes, size_t count)
{
    return count > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

static uint64_t hash_pages(uint64_t hash, const yoke_matrix *w, size_t bytes, double *zero_pages)
{
    size_t pages = size_min(size_ceil_div(bytes, PAGE_BYTES), PAGES), zeros = 0;
    for (size_t i = 0; i < pages; i++) {
        size_t begin = pages > 1 ? (bytes - size_min(bytes, PAGE_BYTES)) / (pages - 1) * i : 0;
        size_t count = size_min(PAGE_BYTES, bytes - begin);
        const unsigned char *page = (const unsigned char *)w->data + begin;
        hash = hash_bytes(hash, page, count);
        zeros += all_zero(page, count);
    }
    *zero_pages = pages > 0 ? (double)zeros / (double)pages : (double)NAN;
    return hash;
}

void artefact_identify(yoke_artefact *artefact)
{
    yoke_identity *identity = &artefact->identity;
    const yoke_matrix *w = &artefact->matrix;
    identity->format = w->format;
    identity->n = w->rows;
    identity->k = w->cols;
    identity->bytes = yoke_matrix_bytes(w);
    size_t elements = 0; /* without the table, which lies elsewhere */
    yoke_format_bytes(w->format, w->rows, w->cols, &elements, NULL);
    uint64_t hash = HASH_BASIS;
    if (artefact->file)
        hash = hash_header(hash, identity->path);
    hash = hash_pages(hash, w, elements, &identity->zero_pages);
    snprintf(identity->hash, sizeof identity->hash, "%016llx", (unsigned long long)hash);
    snprintf(identity->hash_of, sizeof identity->hash_of,
             "%s64 pages spread over the weight, FNV-1a",
             artefact->file ? "the file's first 64 KiB and " : "");
}
