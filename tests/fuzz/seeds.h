/* Small inputs that their readers take, for the fuzzers to begin with. */
#ifndef FUZZ_SEEDS_H
#define FUZZ_SEEDS_H

#include <stdint.h>
#include <stdio.h>

#include "yoke/status.h"

/* Creates the seed FOLDER/READER/NAME; ends the program when it cannot. */
FILE *seed_begin(const char *folder, const char *reader, const char *name);
void seed_end(FILE *seed);

/* Ends the program, saying why, unless it is YOKE_OK. */
void seed_require(yoke_status status, const yoke_error *err);

/* Little-endian. */
void seed_put_u32(FILE *seed, uint32_t value);
void seed_put_u64(FILE *seed, uint64_t value);

/* Any bytes: 01010101 each, so that half of a mask's bits are set and every float is finite. */
void seed_put_data(FILE *seed, size_t size);

/* Behind what was written, so that it ends at a multiple of the alignment. */
void seed_align(FILE *seed, size_t alignment);

void seeds_coreml(const char *folder);
void seeds_files(const char *folder);
void seeds_record(const char *folder);

#endif
