/* An engine's specification in parts: "cpu:0,isa=avx2" is class "cpu", device "0", one option. */
#ifndef ENGINES_SPECIFICATION_H
#define ENGINES_SPECIFICATION_H

#include "yoke/engine.h"

typedef struct specification {
    char *text; /* the parts point into it */
    const char *name;
    yoke_engine_config config;
    yoke_engine_option *options;
} specification;

/* Splits NAME[:DEVICE][,key=value]... Free with specification_free.
 * Errors: YOKE_ERR_USAGE (says what is wrong), YOKE_ERR_MEMORY. */
yoke_status specification_parse(const char *text, specification *out, yoke_error *err);
void specification_free(specification *parsed);

/* Whether a class may be called that: lower case letters, digits and '_', at least one. */
bool specification_name_is_valid(const char *name);

#endif
