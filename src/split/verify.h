/* Whether what an engine gave can be used. */
#ifndef SPLIT_VERIFY_H
#define SPLIT_VERIFY_H

#include "split/product.h"

/* Whether an engine's facts promise an error of at most `tolerance`, relative to sum |w||x| over k
 * terms; 0 takes any. */
bool verify_promises(const yoke_engine_facts *facts, yoke_precision precision, size_t k,
                     double tolerance);

/* Checks a piece that party `engine` has computed from `held`: y itself, or, where alpha or beta
 * took part, another product of the same without them, which may take patience_ns. *verdict says
 * what was found. Errors: YOKE_ERR_CHECK when that is wrong, naming engine, place and verdict;
 * those of the engine. */
yoke_status verify_piece(const product *p, size_t engine, const holding *held, const piece *at,
                         uint64_t patience_ns, yoke_verdict *verdict, yoke_error *err);

#endif
