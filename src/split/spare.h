/* Buffers that products borrow: made when first needed, then used again. */
#ifndef SPLIT_SPARE_H
#define SPLIT_SPARE_H

#include <stdatomic.h>
#include <stddef.h>

/* As many products as use buffers at the same time without making new ones. */
#define SPARE_BUFFERS 8

typedef struct spare spare;

typedef struct spare_pool {
    _Atomic(spare *) buffers[SPARE_BUFFERS];
} spare_pool;

/* A buffer of at least so many bytes; NULL when there is no memory. */
spare *spare_take(spare_pool *pool, size_t bytes);
void spare_give(spare_pool *pool, spare *buffer); /* takes NULL */
unsigned char *spare_data(spare *buffer);

/* Frees those that have been given back. */
void spare_free_all(spare_pool *pool);

#endif
