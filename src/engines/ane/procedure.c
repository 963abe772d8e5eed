#include "engines/ane/procedure.h"

#include <stdio.h>
#include <stdlib.h>

#include "apple/foundation.h"
#include "engines/ane/error.h"
#include "engines/ane/text.h"
#include "yoke/measure.h"

#define NS_PER_S UINT64_C(1000000000)

/* Surfaces of one size for all inputs, and for all outputs: others were refused. */
static yoke_status bind_ports(const ane_framework *f, const ane_procedure *p,
                              const ane_function *function, ane_port *ports, size_t count,
                              bool output, yoke_error *err)
{
    size_t bytes = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        char name[ANE_NAME_BYTES];
        if (output)
            snprintf(name, sizeof name, ANE_OUTPUT, i);
        else
            snprintf(name, sizeof name, "%s", i == 0 ? ANE_INPUT_X : ANE_INPUT_W);
        status = ane_attributes_find(f, p->model, function, name, output, i, &ports[i].tensor, err);
        if (ports[i].tensor.bytes > bytes)
            bytes = ports[i].tensor.bytes;
    }
    for (size_t i = 0; i < count && status == YOKE_OK; i++)
        status = ane_surface_create(f, bytes, &ports[i].surface, err);
    return status;
}

static apple_id surfaces_of(const apple *a, const ane_port *ports, size_t count, apple_id *indices)
{
    apple_id objects[ANE_PARTS_MOST], numbers[ANE_PARTS_MOST];
    for (size_t i = 0; i < count; i++) {
        objects[i] = ports[i].surface.object;
        numbers[i] = apple_number(a, (int64_t)ports[i].tensor.index);
    }
    *indices = apple_array(a, numbers, count);
    return apple_array(a, objects, count);
}

static yoke_status make_request(const apple *a, ane_procedure *p, size_t index, yoke_error *err)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id, apple_id, apple_id, apple_id,
                          apple_id, apple_id);
    static const char selector[] = "requestWithInputs:inputIndices:outputs:outputIndices:"
                                   "weightsBuffer:perfStats:procedureIndex:";
    apple_sel sel;
    apple_id class = apple_class(a, "_ANERequest"), inputs_at, outputs_at;
    const apple_id inputs = surfaces_of(a, p->inputs, p->input_count, &inputs_at);
    const apple_id outputs = surfaces_of(a, p->outputs, p->output_count, &outputs_at);
    call *method = (call *)apple_method(a, class, selector, &sel);
    if (method)
        p->request = apple_retain(a, method(class, sel, inputs, inputs_at, outputs, outputs_at,
                                            NULL, NULL, apple_number(a, (int64_t)index)));
    if (!p->request)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine ane: %s gives nothing", selector);
    return YOKE_OK;
}

/* The first run of a procedure. */
typedef struct trial {
    worker_job job;
    const ane_framework *framework;
    const ane_procedure *procedure;
    bool statistics;
} trial;

static yoke_status run_trial(worker_job *job, yoke_error *err)
{
    const trial *t = (const trial *)job;
    uint64_t hardware_ns;
    return ane_procedure_run(t->framework, t->procedure, t->statistics, &hardware_ns, err);
}

static void destroy_trial(worker_thing *thing)
{
    worker_job_destroy((worker_job *)thing);
    free(thing);
}

/* In the time that a compile may take. */
static yoke_status try_in_time(const ane_maker *maker, trial *t, yoke_error *err)
{
    worker_job_init(&t->job, run_trial, destroy_trial);
    worker_start(maker->worker, &t->job);
    yoke_status status = worker_wait(maker->worker, &t->job,
                                     "evaluateWithQoS:options:request:error:", YOKE_WAIT_BLOCK, 0,
                                     yoke_clock_ns() + maker->options->compile_s * NS_PER_S, err);
    worker_discard(maker->worker, &t->job.thing);
    return status;
}

static yoke_status try_once(const ane_maker *maker, const ane_procedure *p, yoke_error *err)
{
    trial *t = calloc(1, sizeof *t);
    if (!t)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: preparing w: out of memory");
    *t = (trial){
        .framework = maker->framework, .procedure = p, .statistics = maker->options->statistics};
    if (maker->worker)
        return try_in_time(maker, t, err);
    yoke_status status = run_trial(&t->job, err);
    free(t);
    return status;
}

static yoke_status bind_all(const ane_maker *maker, ane_procedure *p, const ane_function *function,
                            yoke_error *err)
{
    const ane_framework *f = maker->framework;
    yoke_status status = bind_ports(f, p, function, p->inputs, p->input_count, false, err);
    if (status == YOKE_OK)
        status = bind_ports(f, p, function, p->outputs, p->output_count, true, err);
    if (status == YOKE_OK)
        status = make_request(&f->objc, p, function->index, err);
    if (status == YOKE_OK)
        status = try_once(maker, p, err);
    return status;
}

yoke_status ane_procedure_bind(const ane_maker *maker, const ane_program *program, size_t position,
                               size_t functions, ane_procedure *p, yoke_error *err)
{
    const ane_framework *f = maker->framework;
    char name[ANE_NAME_BYTES];
    ane_text_function(position, functions, name);
    ane_function function = {.name = name};
    p->model = program->model.object;
    void *pool = apple_pool_push(&f->objc);
    ane_attributes_index(f, p->model, position, &function);
    yoke_status status = bind_all(maker, p, &function, err);
    apple_pool_pop(&f->objc, pool);
    return status;
}

static void free_ports(const ane_framework *f, ane_port *ports, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ane_surface_free(f, &ports[i].surface);
}

void ane_procedure_free(const ane_framework *f, ane_procedure *p)
{
    apple_release(&f->objc, p->request);
    p->request = NULL;
    free_ports(f, p->inputs, p->input_count);
    free_ports(f, p->outputs, p->output_count);
}

/* Has the request take statistics, where the framework knows them. */
static void ask_for_statistics(const apple *a, apple_id request)
{
    typedef apple_id make(apple_id, apple_sel, uint64_t);
    apple_sel sel;
    apple_id class = apple_class(a, "_ANEPerformanceStats");
    make *method = (make *)apple_method(a, class, "statsWithHardwareExecutionNS:", &sel);
    const apple_id statistics = method ? method(class, sel, 0) : NULL;
    typedef void set(apple_id, apple_sel, apple_id);
    set *setter = (set *)apple_method(a, request, "setPerfStats:", &sel);
    if (statistics && setter)
        setter(request, sel, statistics);
}

static yoke_status evaluate(const apple *a, const ane_procedure *p, apple_id options,
                            yoke_error *err)
{
    typedef apple_bool call(apple_id, apple_sel, uint32_t, apple_id, apple_id, apple_id *);
    static const char selector[] = "evaluateWithQoS:options:request:error:";
    apple_sel sel;
    apple_id error = NULL;
    call *method = (call *)apple_method(a, p->model, selector, &sel);
    if (method && method(p->model, sel, ANE_QOS, options, p->request, &error))
        return YOKE_OK;
    return ane_error_set(a, selector, error, err);
}

yoke_status ane_procedure_run(const ane_framework *f, const ane_procedure *p, bool statistics,
                              uint64_t *hardware_ns, yoke_error *err)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    if (statistics)
        ask_for_statistics(a, p->request);
    yoke_status status = evaluate(a, p, apple_dictionary(a, NULL, NULL, 0), err);
    *hardware_ns =
        statistics && status == YOKE_OK
            ? apple_send_u64(a, apple_send(a, p->request, "perfStats"), "hwExecutionTime")
            : 0;
    apple_pool_pop(a, pool);
    return status;
}
