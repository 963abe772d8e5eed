#include "engines/coreml/plan.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engines/await.h"
#include "yoke/measure.h"

#define PATIENCE_NS     30000000000u
#define BLOCK_IS_GLOBAL (1 << 28) /* of the public block ABI: copying it is no copy */

typedef struct block_descriptor {
    unsigned long reserved, size;
} block_descriptor;

/* The completion handler: a block without captures, as the block ABI lays it out, and behind it
 * what it fills. */
typedef struct request {
    const void *isa;
    int flags, reserved;
    void (*invoke)(struct request *self, apple_id plan, apple_id error);
    const block_descriptor *descriptor;

    const apple *a;
    apple_id plan;
    atomic_bool done;
} request;

static void receive(request *self, apple_id plan, apple_id error)
{
    (void)error; /* no plan is all that matters */
    self->plan = apple_retain(self->a, plan);
    atomic_store(&self->done, true);
}

static bool is_done(void *arg)
{
    return atomic_load(&((request *)arg)->done);
}

static bool ask(request *r, apple_id url, apple_id configuration)
{
    typedef void call(apple_id, apple_sel, apple_id, apple_id, void *);
    apple_sel sel;
    apple_id class = apple_class(r->a, "MLComputePlan");
    call *method = (call *)apple_method(r->a, class,
                                        "loadContentsOfURL:configuration:completionHandler:", &sel);
    if (method && r->isa)
        method(class, sel, url, configuration, r);
    return method && r->isa;
}

/* The plan, owned; nil when there is none. A request that was never answered stays: its answer may
 * come yet. */
static apple_id load_plan(const apple *a, apple_id url, apple_id configuration)
{
    static const block_descriptor descriptor = {0, offsetof(request, a)};
    request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->isa = dlsym(RTLD_DEFAULT, "_NSConcreteGlobalBlock");
    r->flags = BLOCK_IS_GLOBAL;
    r->invoke = receive;
    r->descriptor = &descriptor;
    r->a = a;
    atomic_init(&r->done, false);
    if (ask(r, url, configuration) &&
        !await(is_done, r, YOKE_WAIT_BLOCK, 0, yoke_clock_ns() + PATIENCE_NS))
        return NULL;
    apple_id plan = r->plan;
    free(r);
    return plan;
}

static bool is_kind_of(const apple *a, apple_id object, const char *class_name)
{
    typedef apple_bool call(apple_id, apple_sel, apple_id);
    apple_sel sel;
    apple_id class = apple_class(a, class_name);
    call *method = (call *)apple_method(a, object, "isKindOfClass:", &sel);
    return class && method && method(object, sel, class);
}

static coreml_placement placement_of(const apple *a, apple_id plan, apple_id operation)
{
    apple_id usage = apple_send_id(a, plan, "computeDeviceUsageForMLProgramOperation:", operation);
    apple_id device = apple_send(a, usage, "preferredComputeDevice");
    if (is_kind_of(a, device, "MLNeuralEngineComputeDevice"))
        return COREML_PLACED_ANE;
    if (is_kind_of(a, device, "MLGPUComputeDevice"))
        return COREML_PLACED_GPU;
    return is_kind_of(a, device, "MLCPUComputeDevice") ? COREML_PLACED_CPU : COREML_PLACED_UNKNOWN;
}

/* "conv", or with its opset in front: "ios16.conv". */
static bool is_convolution(const apple *a, apple_id operation)
{
    char name[64];
    apple_text(a, apple_send(a, operation, "operatorName"), name, sizeof name);
    const char *dot = strrchr(name, '.');
    return strcmp(dot ? dot + 1 : name, "conv") == 0;
}

coreml_placement coreml_plan_read(const apple *a, apple_id url, apple_id configuration)
{
    apple_id plan = load_plan(a, url, configuration);
    apple_id program = apple_send(a, apple_send(a, plan, "modelStructure"), "program");
    apple_id function = apple_dictionary_get(a, apple_send(a, program, "functions"), "main");
    apple_id operations = apple_send(a, apple_send(a, function, "block"), "operations");
    coreml_placement all = COREML_PLACED_UNKNOWN;
    bool first = true;
    for (size_t i = 0; i < apple_array_count(a, operations); i++) {
        apple_id operation = apple_array_get(a, operations, i);
        if (!is_convolution(a, operation))
            continue;
        const coreml_placement one = placement_of(a, plan, operation);
        all = first || one == all ? one : COREML_PLACED_SEVERAL;
        first = false;
    }
    apple_release(a, plan);
    return all;
}
