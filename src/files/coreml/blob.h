/* Core ML's weight file (weight.bin), storage version 2, little-endian:
 *
 *     header    u32 count, u32 version = 2, 56 bytes reserved
 *     metadata  u32 0xDEADBEEF, u32 element type, u64 bytes, u64 offset of the data,
 *               u64 padding bits, 32 bytes reserved          at a multiple of 64, for each blob
 *     data      at a multiple of 64
 *
 * A program refers to a blob by the offset of its metadata. Old writers left garbage in the padding
 * of elements of whole bytes and in the reserved words; these are not looked at. */
#ifndef FILES_COREML_BLOB_H
#define FILES_COREML_BLOB_H

#include "files/coreml/mil.h"
#include "files/mapping.h"

#define BLOB_SENTINEL 0xDEADBEEFu
enum { BLOB_HEADER_BYTES = 64, BLOB_METADATA_BYTES = 64, BLOB_ALIGNMENT = 64, BLOB_VERSION = 2 };

typedef struct blob {
    mil_element element;
    uint64_t offset; /* of the data, which lies in the file */
    uint64_t bytes;
    uint64_t elements;
} blob;

/* Is it such a file, of whatever version? By its first metadata, or by its header when it is
 * empty. */
bool blob_is_file(const mapping *map);

/* Checks the header. Errors: YOKE_ERR_FORMAT, YOKE_ERR_UNSUPPORTED (another version). */
yoke_status blob_check_header(const mapping *map, const char *path, yoke_error *err);

/* The blob whose metadata is at `at`. Errors: YOKE_ERR_FORMAT. */
yoke_status blob_read(const mapping *map, const char *path, uint64_t at, blob *out,
                      yoke_error *err);

/* Where the metadata behind a blob is, of the first one for NULL; 0 when there is none. */
uint64_t blob_after(const mapping *map, const blob *previous);

/* How many blobs the header counts. */
uint32_t blob_count(const mapping *map);

/* Bytes that `elements` packed elements take; false when they do not fit. */
bool blob_bytes(mil_element element, uint64_t elements, uint64_t *bytes);

/* The header of a file with `count` blobs; the metadata, at byte `at`, of a blob of whole bytes
 * whose data follows. */
void blob_write_header(uint8_t to[BLOB_HEADER_BYTES], uint32_t count);
void blob_write_metadata(uint8_t to[BLOB_METADATA_BYTES], mil_element element, uint64_t bytes,
                         uint64_t at);

#endif
