#include "engines/ane/program.h"

#include <stdio.h>
#include <time.h>

#include "apple/foundation.h"
#include "engines/ane/error.h"
#include "engines/ane/helper.h"
#include "engines/ane/limits.h"
#include "engines/ane/text.h"

#define RETRY_NS 100000000 /* a load that failed works after so long at times */

static yoke_status compile_here(const ane_maker *maker, const ane_program *p, yoke_error *err)
{
    yoke_status status = ane_limits_compile(err);
    return status == YOKE_OK ? ane_model_compile(maker->framework, &p->model, err) : status;
}

static yoke_status compile(const ane_maker *maker, const ane_program *p, yoke_error *err)
{
    if (ane_model_is_compiled(maker->framework, &p->model))
        return YOKE_OK;
    if (!maker->helper[0])
        return compile_here(maker, p, err);
    return ane_helper_compile(maker->helper, p->model.folder, maker->options->compile_s, err);
}

/* Another process may compile the same program and have removed the folder since. */
static yoke_status load_once(const ane_maker *maker, const ane_program *p, yoke_error *err)
{
    yoke_status status = ane_folder_write(p->model.folder, &p->model.source, err);
    if (status == YOKE_OK)
        status = ane_model_load(maker->framework, &p->model, maker->options->statistics, err);
    return status;
}

/* What the helper compiled is found by its content; where it is not, this process compiles too. */
static yoke_status load(const ane_maker *maker, const ane_program *p, yoke_error *err)
{
    if (load_once(maker, p, NULL) == YOKE_OK)
        return YOKE_OK;
    nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    const bool elsewhere = maker->helper[0] && !ane_model_is_compiled(maker->framework, &p->model);
    yoke_status status = elsewhere ? compile_here(maker, p, err) : YOKE_OK;
    return status == YOKE_OK ? load_once(maker, p, err) : status;
}

/* Surfaces of one size for all inputs, and for all outputs: others were refused. */
static yoke_status bind_ports(const ane_framework *f, const ane_program *p, ane_port *ports,
                              size_t count, bool output, yoke_error *err)
{
    size_t bytes = 0;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < count && status == YOKE_OK; i++) {
        char name[ANE_NAME_BYTES];
        if (output)
            snprintf(name, sizeof name, ANE_OUTPUT, i);
        else
            snprintf(name, sizeof name, "%s", i == 0 ? ANE_INPUT_X : ANE_INPUT_W);
        status = ane_attributes_find(f, p->model.object, name, output, i, &ports[i].tensor, err);
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

static yoke_status make_request(const apple *a, ane_program *p, yoke_error *err)
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
                                            NULL, NULL, apple_number(a, 0)));
    if (!p->request)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine ane: %s gives nothing", selector);
    return YOKE_OK;
}

static yoke_status bind_all(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    const ane_framework *f = maker->framework;
    uint64_t hardware_ns;
    yoke_status status = bind_ports(f, p, p->inputs, p->input_count, false, err);
    if (status == YOKE_OK)
        status = bind_ports(f, p, p->outputs, p->output_count, true, err);
    if (status == YOKE_OK)
        status = make_request(&f->objc, p, err);
    if (status == YOKE_OK)
        status = ane_program_run(f, p, maker->options->statistics, &hardware_ns, err);
    return status;
}

static yoke_status compile_and_load(const ane_maker *maker, ane_program *p, yoke_error *err)
{
    yoke_status status = ane_folder_write(p->model.folder, &p->model.source, err);
    if (status == YOKE_OK)
        status = compile(maker, p, err);
    p->refused = status == YOKE_ERR_ENGINE;
    if (status == YOKE_OK)
        status = ane_limits_load(err);
    if (status != YOKE_OK)
        return status;
    status = load(maker, p, err);
    p->loaded = status == YOKE_OK;
    if (!p->loaded)
        ane_limits_unload();
    return status;
}

yoke_status ane_program_make(const ane_maker *maker, const ane_source *source, ane_program *p,
                             yoke_error *err)
{
    const ane_framework *f = maker->framework;
    yoke_status status = ane_model_create(f, source, &p->model, err);
    if (status != YOKE_OK)
        return status;
    void *pool = apple_pool_push(&f->objc);
    status = compile_and_load(maker, p, err);
    if (status == YOKE_OK)
        status = bind_all(maker, p, err);
    apple_pool_pop(&f->objc, pool);
    if (status != YOKE_OK)
        ane_program_free(f, p);
    return status;
}

static void free_ports(const ane_framework *f, ane_port *ports, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ane_surface_free(f, &ports[i].surface);
}

void ane_program_free(const ane_framework *f, ane_program *p)
{
    apple_release(&f->objc, p->request);
    p->request = NULL;
    if (p->loaded) {
        ane_model_unload(f, &p->model);
        ane_limits_unload();
    }
    p->loaded = false;
    free_ports(f, p->inputs, p->input_count);
    free_ports(f, p->outputs, p->output_count);
    if (p->model.folder)
        ane_folder_remove(p->model.folder);
    ane_model_free(f, &p->model);
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

static yoke_status evaluate(const apple *a, const ane_program *p, apple_id options, yoke_error *err)
{
    typedef apple_bool call(apple_id, apple_sel, uint32_t, apple_id, apple_id, apple_id *);
    static const char selector[] = "evaluateWithQoS:options:request:error:";
    apple_sel sel;
    apple_id error = NULL;
    call *method = (call *)apple_method(a, p->model.object, selector, &sel);
    if (method && method(p->model.object, sel, ANE_QOS, options, p->request, &error))
        return YOKE_OK;
    return ane_error_set(a, selector, error, err);
}

yoke_status ane_program_run(const ane_framework *f, const ane_program *p, bool statistics,
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
