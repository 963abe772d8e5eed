/* Programs that several groups share: for each number of rows one, with a function for each group.
 * The framework limits how many programs a process compiles and has loaded, so that the hundreds of
 * weights of a language model only fit when many of them stand in one. */
#ifndef ANE_BANK_H
#define ANE_BANK_H

#include "engines/ane/layout.h"
#include "engines/ane/procedure.h"

typedef struct ane_bank ane_bank;

/* A group made ready. */
typedef struct ane_prepared_group {
    ane_group *group;
    const ane_encoding *encoding; /* only while it is prepared */
    double largest_sum;           /* of a row's magnitudes */
    bool at_fault;                /* it has values that cannot be kept */
    ane_bank *bank;
    ane_procedure procedures[ANE_SIZES_MOST]; /* one for each number of rows */
} ane_prepared_group;

/* Makes one bank of all these groups, which gets shared by them: each leaves it by itself, the last
 * one frees it, after an error, too. *refused (else false): the compiler took neither spelling.
 * Errors: those of ane_layout_fill, ane_program_make and ane_procedure_bind. */
yoke_status ane_bank_make(const ane_maker *maker, ane_prepared_group *const *groups, size_t count,
                          bool *refused, yoke_error *err);

/* Does it stand in a bank with others? */
bool ane_bank_is_shared(const ane_prepared_group *g);

/* The group is not used any more, or only by a product that was given up. Once that is so for all,
 * nothing is left on disk. Before it leaves. A group that is in no bank is allowed. Thread-safe for
 * different groups. */
void ane_bank_forget(ane_prepared_group *g);

/* A group that is in no bank is allowed. Thread-safe for different groups. */
void ane_bank_leave(const ane_framework *f, ane_prepared_group *g);

#endif
