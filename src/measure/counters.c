#include "measure/counters.h"

#include <math.h>
#include <stdlib.h>

#include "measure/counters_parts.h"

struct counters {
    rapl *rapl;
    apple_counters *apple;
};

yoke_status counters_open(const char *root, const char *engine, const char *cpu, counters **out,
                          yoke_error *err)
{
    counters *c = calloc(1, sizeof *c);
    if (!c)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "counters: no memory");
    yoke_status status = apple_counters_open(engine, cpu, &c->apple, err);
    if (status == YOKE_OK && !c->apple)
        status = rapl_open(root, &c->rapl, err);
    if (status == YOKE_OK)
        *out = c;
    else
        counters_free(c);
    return status;
}

void counters_free(counters *c)
{
    if (!c)
        return;
    rapl_free(c->rapl);
    apple_counters_free(c->apple);
    free(c);
}

bool counters_any(const counters *c)
{
    return c->rapl || c->apple;
}

void counters_begin(counters *c)
{
    if (c->rapl)
        rapl_begin(c->rapl);
    if (c->apple)
        apple_counters_begin(c->apple);
}

void counters_end(counters *c, counters_reading *reading)
{
    *reading = (counters_reading){.bytes = (double)NAN, .joules = (double)NAN};
    if (c->rapl)
        rapl_end(c->rapl, reading);
    if (c->apple)
        apple_counters_end(c->apple, reading);
}
