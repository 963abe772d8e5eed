/* The plain read that bandwidth is held against. */
#ifndef CPU_READ_H
#define CPU_READ_H

#include <stddef.h>
#include <stdint.h>

/* Reads `count` bytes with plain loads, as wide as `features` allow, in 8 concurrent streams: one
 * stream leaves the memory system of many cores partly idle. The result depends on every whole
 * cache line, so that none can be left out. */
uint64_t read_bytes(const void *bytes, size_t count, uint32_t features);

#endif
