#ifndef STANDIN_ANE_SHA256_H
#define STANDIN_ANE_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT_BYTES = 65 };

/* The hash as upper-case hexadecimal digits. */
void sha256_text(const void *bytes, size_t size, char out[SHA256_TEXT_BYTES]);

#endif
