/* What the arithmetic of the Neural Engine reaches: products in a chain within one program, whose
 * weights stay in its own memory. */
#ifndef ANE_CHAIN_H
#define ANE_CHAIN_H

#include "engines/ane/procedure.h"

typedef struct ane_chain ane_chain;

/* Compiles a chain of options->depth products, and checks its result.
 * Errors: those of ane_program_make and ane_procedure_bind; YOKE_ERR_ENGINE: the result is wrong.
 */
yoke_status ane_chain_create(const ane_maker *maker, ane_chain **out, yoke_error *err);
void ane_chain_free(const ane_framework *f, ane_chain *c); /* takes NULL */

/* Runs it for about so long; *per_second: operations, two for a multiply-add.
 * Errors: YOKE_ERR_ENGINE. */
yoke_status ane_chain_measure(const ane_framework *f, const ane_chain *c, uint64_t duration_ns,
                              double *per_second, yoke_error *err);

#endif
