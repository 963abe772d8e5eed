/* What must hold whatever the bytes are. */
#ifndef FUZZ_REQUIRE_H
#define FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yoke/status.h"

static inline void require(bool holds)
{
    if (!holds)
        abort();
}

/* A refusal says why in one line. */
static inline void require_reason(yoke_status status, const yoke_error *err)
{
    require(status != YOKE_OK && err->status == status && err->text[0] != '\0' &&
            !strchr(err->text, '\n'));
}

/* How many inputs were read rather than refused is told at the end: seeds must be. */
static size_t accepted;

__attribute__((destructor)) static void tell_accepted(void)
{
    fprintf(stderr, "accepted: %zu\n", accepted);
}

#endif
