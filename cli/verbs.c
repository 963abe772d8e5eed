/* All verbs, in the order in which they are listed. */
#include "verb.h"

const verb *const verbs[] = {&engines_verb, &inspect_verb, &bench_verb, &history_verb,
                             &compare_verb, &report_verb,  &chips_verb, &make_bundle_verb,
                             &matmul_verb,  &plan_verb,    &tune_verb};
const size_t verb_count = sizeof verbs / sizeof verbs[0];
