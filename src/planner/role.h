/* What a tensor is by its name. */
#ifndef PLANNER_ROLE_H
#define PLANNER_ROLE_H

#include "yoke/file.h"

typedef struct role {
    char text[48];  /* "q", "head"; of an unknown one its name, numbers as '*' */
    bool embedding; /* a table to look things up in: no product */
    bool words;     /*   that of the words, which a tied head multiplies by */
    bool turned;    /* stored k by n */
    bool expert;    /* of a mixture: only some are used */
} role;

role role_of(const yoke_tensor *tensor);

#endif
