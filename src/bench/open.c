#include "bench/bench.h"

yoke_status bench_open(const bench *b, yoke_context *context, const char *specification,
                       bench_engine *e, yoke_error *err)
{
    *e = (bench_engine){.specification = specification};
    yoke_status status = yoke_engine_open(context, specification, &e->engine, err);
    if (status != YOKE_OK)
        return status;
    yoke_engine_heed(e->engine, b->options.stop);
    e->info = yoke_engine_describe(e->engine);
    return YOKE_OK;
}
