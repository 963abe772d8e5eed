#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/size.h"

#define HUGE_PAGE_BYTES ((size_t)2 << 20)
#define PAGE_BYTES      ((size_t)16384) /* the largest base page among our targets (arm64 macOS) */

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

static size_t mapped_bytes(size_t bytes)
{
    return size_round_up(bytes, bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : PAGE_BYTES);
}

void *memory_map(size_t bytes)
{
    if (bytes == 0 || bytes > SIZE_MAX / 2)
        return NULL;
    size_t want = mapped_bytes(bytes);
    size_t slack = bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : 0;
    char *base =
        mmap(NULL, want + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (slack == 0)
        return base;

    /* Trim to a huge-page boundary on both sides. */
    size_t head = (size_t)(-(uintptr_t)base & (HUGE_PAGE_BYTES - 1));
    if (head > 0)
        munmap(base, head);
    if (slack > head)
        munmap(base + head + want, slack - head);
#ifdef MADV_HUGEPAGE
    madvise(base + head, want, MADV_HUGEPAGE); /* advice only: without it, small pages */
#endif
    return base + head;
}

void memory_unmap(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, mapped_bytes(bytes));
}

void *memory_room(void *array, size_t count, size_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return array;
    size_t wanted = *capacity ? *capacity : 32, bytes;
    if (!size_mul(wanted, 2, &wanted) || !size_mul(wanted, item_bytes, &bytes))
        return NULL;
    void *grown = realloc(array, bytes);
    if (grown)
        *capacity = wanted;
    return grown;
}
