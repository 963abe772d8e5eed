#include "engines/ane/error.h"

#include <string.h>

#include "apple/foundation.h"

/* As the framework numbers them; compilers of other frameworks count otherwise. */
enum {
    NO_ENTITLEMENT = 1,
    TIMED_OUT = 3,
    NOT_SIGNED = 7,
    NO_FILE_ACCESS = 9,
    NO_FILE = 16,
    HOST_TOO_OLD = 22
};

static bool is_the_frameworks(const apple *a, apple_id error)
{
    char domain[64];
    apple_text(a, apple_send(a, error, "domain"), domain, sizeof domain);
    return strstr(domain, "neuralengine") != NULL;
}

static yoke_status status_of(const apple *a, apple_id error)
{
    if (!is_the_frameworks(a, error))
        return YOKE_ERR_ENGINE;
    switch (apple_error_code(a, error)) {
    case NO_ENTITLEMENT:
    case NOT_SIGNED:
    case HOST_TOO_OLD: return YOKE_ERR_UNSUPPORTED;
    case TIMED_OUT: return YOKE_ERR_TIMEOUT;
    case NO_FILE_ACCESS:
    case NO_FILE: return YOKE_ERR_IO;
    default: return YOKE_ERR_ENGINE;
    }
}

yoke_status ane_error_set(const apple *a, const char *call, apple_id error, yoke_error *err)
{
    return apple_error_set(a, err, status_of(a, error), "ane", call, error);
}
