/* Programs that have every form of weight that yoke decodes, and every form of text that it reads.
 */
#ifndef FUZZ_SEEDS_PROGRAMS_H
#define FUZZ_SEEDS_PROGRAMS_H

#include "files/coreml/mil.h"

enum { PROGRAM_BLOBS = 4 };

/* One blob of the weight file. */
typedef struct program_blob {
    mil_element element;
    size_t bytes;
} program_blob;

typedef struct program {
    const char *name;
    const char *text;                  /* '$' stands for the offset of the next blob */
    program_blob blobs[PROGRAM_BLOBS]; /* those with bytes */
} program;

extern const program programs[];
extern const size_t program_count;

#endif
