/* Names that are spelled nearly alike. */
#ifndef PLANNER_NEAR_H
#define PLANNER_NEAR_H

#include <stddef.h>

/* How many letters to change, add or leave out to get from one to the other, upper or lower case;
 * names longer than 63 letters differ in all of them. */
size_t near_distance(const char *a, const char *b);

#endif
