#include "pages.h"

const char *pages_choices(verb_value value, const char *choices)
{
    return value == VALUE_ENGINE || value == VALUE_ENGINES ? PAGES_ENGINES : choices;
}
