/* A program in the Neural Engine, with the surfaces it reads and writes. */
#ifndef ANE_PROGRAM_H
#define ANE_PROGRAM_H

#include "engines/ane/attributes.h"
#include "engines/ane/model.h"
#include "engines/ane/options.h"
#include "engines/ane/surface.h"

enum { ANE_INPUTS_MOST = 2 };

/* An input or an output, as the text has it. */
typedef struct ane_port {
    ane_tensor tensor;
    ane_surface surface;
} ane_port;

typedef struct ane_program {
    ane_model model;
    bool loaded;
    bool refused; /* by the compiler: another text may do */
    size_t input_count, output_count;
    ane_port inputs[ANE_INPUTS_MOST], outputs[ANE_PARTS_MOST];
    apple_id request;
} ane_program;

/* How programs come to be. */
typedef struct ane_maker {
    const ane_framework *framework;
    const ane_options *options;
    const char *helper; /* "": compile in this process */
} ane_maker;

/* Compiles (unless the system has it compiled), loads and binds, and runs it once. p is zeroed but
 * for the counts and the sizes of its tensors; the source stays the caller's until it is freed.
 * On an error nothing is left of it but `refused`. Errors: YOKE_ERR_ENGINE, YOKE_ERR_TIMEOUT,
 * YOKE_ERR_UNSUPPORTED (no entitlement, too many programs), YOKE_ERR_IO, YOKE_ERR_MEMORY. */
yoke_status ane_program_make(const ane_maker *maker, const ane_source *source, ane_program *p,
                             yoke_error *err);
void ane_program_free(const ane_framework *f, ane_program *p);

/* Runs it on what its input surfaces hold. *hardware_ns: the hardware's own time, 0: not told.
 * Errors: YOKE_ERR_ENGINE, YOKE_ERR_TIMEOUT. */
yoke_status ane_program_run(const ane_framework *f, const ane_program *p, bool statistics,
                            uint64_t *hardware_ns, yoke_error *err);

#endif
