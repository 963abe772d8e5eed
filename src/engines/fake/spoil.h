/* What goes wrong with a product's result, by the script. */
#ifndef ENGINES_FAKE_SPOIL_H
#define ENGINES_FAKE_SPOIL_H

#include "engines/fake/script.h"

/* Spoils the right result y of product `number` over k inputs. */
yoke_status spoil_result(const script *s, uint64_t number, size_t k, const yoke_matrix *y,
                         yoke_error *err);

#endif
