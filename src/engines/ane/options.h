/* The engine's options, and how they cut products. */
#ifndef ANE_OPTIONS_H
#define ANE_OPTIONS_H

#include "yoke/engine.h"

enum { ANE_SIZES_MOST = 4, ANE_PARTS_MOST = 15, ANE_PROCEDURES_MOST = 128 };

typedef struct ane_options {
    size_t rows[ANE_SIZES_MOST]; /* of x in one program, ascending: a weight is compiled for each */
    size_t size_count;
    size_t axis;               /* longest side of a part of w, */
    size_t part_rows;          /*   and of its rows alone */
    size_t parts;              /* most parts of w in one program */
    size_t program_bytes;      /* most bytes of weights in one program */
    size_t procedures;         /* most functions in one program, where weights share it */
    bool surface;              /* w is an input of the program, not compiled into it */
    bool guard;                /* rows of x are scaled so that no sum reaches 2^15 */
    bool round;                /* w may be rounded to f16 */
    bool statistics;           /* asks the driver for the hardware's own time */
    size_t depth;              /* products of the chain that measures the arithmetic */
    unsigned compile_s;        /* seconds a compile may take */
    const volatile bool *stop; /* ends it; NULL: nothing does. Not of the specification */
} ane_options;

/* rows=64[/512...] weights=compiled|surface axis=16384 parts=8 program_mib=960 procedures=112
 * guard=1 round=0
 * stats=0 depth=64 compile_s=120 helper=PATH|none. Errors: YOKE_ERR_USAGE. */
yoke_status ane_options_read(const yoke_engine_config *config, ane_options *out, yoke_error *err);

#endif
