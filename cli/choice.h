/* Which engines a verb works with. */
#ifndef CLI_CHOICE_H
#define CLI_CHOICE_H

#include "yoke/yoke.h"

#define CHOICE_MOST 32

typedef struct choice {
    const char *specifications[CHOICE_MOST];
    size_t count;
    char *text; /* of a list; freed by choice_free */
} choice;

/* Adds one; false when there are CHOICE_MOST already. The text stays the caller's. */
bool choice_add(choice *c, const char *specification);

/* Replaces the choice by a list, "cpu:0,caller=1,opencl:0": a comma begins another engine, unless
 * key=value follows: that is an option of the engine before. False for too many, an empty one, or
 * no memory. */
bool choice_list(choice *c, const char *list);

/* The first that is there twice: results that bear its name could not be told apart. NULL when none
 * is. */
const char *choice_twice(const choice *c);

/* Adds those that make sense together when nobody chose: every one that is ready, but neither ref
 * nor the core sets (cpu:0 and so on), whose cores are those of cpu. */
void choice_add_ready(choice *c, const yoke_context *context);

/* Adds those that have hardware of their own: cpu and whatever is ready beside the host's CPU;
 * where nothing is, the core sets of cpu. */
void choice_add_apart(choice *c, const yoke_context *context);

void choice_free(choice *c);

#endif
