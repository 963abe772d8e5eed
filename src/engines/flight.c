#include "engines/flight.h"

#include "yoke/measure.h"

/* y = beta * y: what is left of a product whose sum is empty. */
static yoke_status scale_result(flight *f, yoke_error *err)
{
    const yoke_matrix x = {.format = YOKE_F32, .rows = f->y.rows};
    const yoke_matrix w = {.format = YOKE_F32, .rows = f->y.cols};
    yoke_status status = yoke_matrix_product(1.0f, &x, &w, f->task.beta, &f->y, err);
    f->seen.submitted_ns = f->seen.done_ns = yoke_clock_ns();
    f->seen.path = "no product";
    return status;
}

yoke_status flight_submit(flight *f, yoke_error *err)
{
    yoke_engine *engine = f->weight->engine;
    if (f->x.rows == 0 || f->task.n_count == 0)
        return YOKE_OK;
    f->seen.submit_ns = yoke_clock_ns();
    if (f->weight->cols == 0 || f->task.alpha == 0.0f)
        return scale_result(f, err);
    yoke_status status =
        engine->class->submit(engine->self, f->weight->prepared, &f->task, &f->ticket, err);
    f->seen.submitted_ns = yoke_clock_ns();
    f->submitted = status == YOKE_OK;
    return status;
}

static void complete_timing(yoke_timing *timing, const yoke_timing *seen, const char *path)
{
    if (timing->submit_ns == 0)
        timing->submit_ns = seen->submit_ns;
    if (timing->submitted_ns == 0)
        timing->submitted_ns = seen->submitted_ns;
    if (timing->done_ns == 0)
        timing->done_ns = seen->done_ns;
    if (!timing->path)
        timing->path = path;
}

yoke_status flight_finish(flight *f, yoke_wait_how how, uint64_t predicted_end_ns,
                          uint64_t deadline_ns, yoke_timing *timing, yoke_error *err)
{
    yoke_engine *engine = f->weight->engine;
    if (!f->submitted) {
        *timing = f->seen;
        return YOKE_OK;
    }
    yoke_status status = engine->class->wait(engine->self, &f->ticket, how, predicted_end_ns,
                                             deadline_ns, timing, err);
    f->seen.done_ns = yoke_clock_ns();
    if (status == YOKE_ERR_TIMEOUT || status == YOKE_ERR_INTERRUPTED)
        atomic_store(&engine->lost, true);
    if (status == YOKE_OK)
        complete_timing(timing, &f->seen, engine->class->name);
    return status;
}
