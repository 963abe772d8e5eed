#include "measure/verdict.h"

#include <stdio.h>

void verdict_say(const yoke_check_result *found, char *text, size_t bytes)
{
    if (found->verdict == YOKE_VERDICT_UNCHECKED)
        snprintf(text, bytes,
                 "the answer cannot be checked: no row of the weight that a check looks at is "
                 "finite");
    else
        snprintf(text, bytes, "the answer is %s: row %zu, output %zu, error %.3g of its bound",
                 yoke_verdict_name(found->verdict), found->row, found->col, found->worst);
}
