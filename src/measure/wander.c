#include "measure/wander.h"

#include "base/size.h"

size_t wander_begin(size_t outputs, size_t window, size_t granule, size_t run)
{
    size_t places = outputs / window;
    if (places > 1)
        return run % places * window;
    return run % 2 * ((outputs - window) / granule * granule); /* from either end in turns */
}

size_t wander_size(size_t outputs, size_t wanted, size_t granule)
{
    if (wanted >= outputs)
        return outputs;
    size_t whole = wanted / granule * granule;
    return whole > 0 ? whole : size_min(granule, outputs);
}
