/* A program in the Neural Engine. */
#ifndef ANE_PROGRAM_H
#define ANE_PROGRAM_H

#include "engines/ane/attributes.h"
#include "engines/ane/model.h"
#include "engines/ane/options.h"
#include "engines/worker.h"

typedef struct ane_program {
    ane_model model;
    bool compiled; /* by this process */
    bool loaded;
    bool refused; /* by the compiler: another text may do */
} ane_program;

/* How programs come to be. */
typedef struct ane_maker {
    const ane_framework *framework;
    const ane_options *options;
    const char *helper; /* "": compile in this process */
    worker *worker;     /* that runs procedures; NULL: this thread does */
} ane_maker;

/* Compiles (unless the system has it compiled) and loads. p is zeroed; the source stays the
 * caller's until it is freed. On an error nothing is left of it but `refused`. Errors:
 * YOKE_ERR_ENGINE, YOKE_ERR_TIMEOUT, YOKE_ERR_UNSUPPORTED (no entitlement, too many programs),
 * YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status ane_program_make(const ane_maker *maker, const ane_source *source, ane_program *p,
                             yoke_error *err);

/* Zeroed ones are allowed. */
void ane_program_free(const ane_framework *f, ane_program *p);

#endif
