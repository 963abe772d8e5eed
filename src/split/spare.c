#include "split/spare.h"

#include <stdlib.h>

#include "base/size.h"

struct spare {
    size_t bytes;
    unsigned char data[];
};

spare *spare_take(spare_pool *pool, size_t bytes)
{
    spare *taken = NULL;
    for (size_t i = 0; i < SPARE_BUFFERS && !taken; i++)
        taken = atomic_exchange(&pool->buffers[i], NULL);
    if (taken && taken->bytes >= bytes)
        return taken;
    free(taken);
    size_t total;
    taken = size_add(sizeof *taken, bytes, &total) ? malloc(total) : NULL;
    if (taken)
        taken->bytes = bytes;
    return taken;
}

void spare_give(spare_pool *pool, spare *buffer)
{
    for (size_t i = 0; i < SPARE_BUFFERS && buffer; i++) {
        spare *none = NULL;
        if (atomic_compare_exchange_strong(&pool->buffers[i], &none, buffer))
            buffer = NULL;
    }
    free(buffer);
}

unsigned char *spare_data(spare *buffer)
{
    return buffer->data;
}

void spare_free_all(spare_pool *pool)
{
    for (size_t i = 0; i < SPARE_BUFFERS; i++)
        free(atomic_exchange(&pool->buffers[i], NULL));
}
