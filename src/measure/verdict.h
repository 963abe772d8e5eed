/* A check's result as a sentence. */
#ifndef MEASURE_VERDICT_H
#define MEASURE_VERDICT_H

#include "yoke/matrix.h"

/* "the answer is wrong: row 3, output 7, error 12 of its bound", or why it could not be checked. */
void verdict_say(const yoke_check_result *found, char *text, size_t bytes);

#endif
