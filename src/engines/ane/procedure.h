/* A function of a loaded program, with the surfaces it reads and writes. */
#ifndef ANE_PROCEDURE_H
#define ANE_PROCEDURE_H

#include "engines/ane/program.h"
#include "engines/ane/surface.h"

enum { ANE_INPUTS_MOST = 2 };

/* An input or an output, as the text has it. */
typedef struct ane_port {
    ane_tensor tensor;
    ane_surface surface;
} ane_port;

typedef struct ane_procedure {
    apple_id model; /* the program's */
    size_t input_count, output_count;
    ane_port inputs[ANE_INPUTS_MOST], outputs[ANE_PARTS_MOST];
    apple_id request;
} ane_procedure;

/* Binds the function at that position of a program of so many, and runs it once. p is zeroed but
 * for the counts and the sizes of its tensors. On an error, too, it is to be freed; where there is
 * a worker, as what that discards: the run may have been given up. Errors: those of ane_error_set
 * and of worker_wait; YOKE_ERR_MEMORY. */
yoke_status ane_procedure_bind(const ane_maker *maker, const ane_program *program, size_t position,
                               size_t functions, ane_procedure *p, yoke_error *err);

/* Before its program. Zeroed ones are allowed. */
void ane_procedure_free(const ane_framework *f, ane_procedure *p);

/* Runs it on what its input surfaces hold. *hardware_ns: the hardware's own time, 0: not told.
 * Errors: those of ane_error_set. */
yoke_status ane_procedure_run(const ane_framework *f, const ane_procedure *p, bool statistics,
                              uint64_t *hardware_ns, yoke_error *err);

#endif
