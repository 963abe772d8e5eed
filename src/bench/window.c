#include "bench/bench.h"

yoke_status bench_window_weight(const bench *b, const bench_engine *e, size_t outputs,
                                yoke_weight **own, const yoke_weight **weight, yoke_error *err)
{
    *own = NULL;
    *weight = e->weight;
    if (!e->info->facts.windows_cost_all || outputs == yoke_weight_outputs(e->weight))
        return YOKE_OK;
    const yoke_matrix first = yoke_matrix_rows(yoke_artefact_matrix(b->artefact), 0, outputs);
    yoke_status status = yoke_weight_prepare(e->engine, &first, own, NULL, err);
    *weight = *own;
    return status;
}
