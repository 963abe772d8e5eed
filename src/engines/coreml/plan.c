#include "engines/coreml/plan.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engines/await.h"
#include "yoke/measure.h"

#define PATIENCE_NS         30000000000u
#define BLOCK_HAS_SIGNATURE (1 << 30)

typedef struct block_descriptor {
    unsigned long reserved, size;
    const char *signature;
} block_descriptor;

/* Who is done with a request: the other one frees it. */
typedef enum request_state { ASKED, ANSWERED, GIVEN_UP } request_state;

typedef struct request {
    apple a; /* its own: the answer may come after the engine was closed */
    apple_id plan;
    atomic_int state;
} request;

/* The completion handler as the public block ABI lays it out: on the stack, so that the framework
 * makes a copy, which it keeps for as long as it likes and frees by itself. */
typedef struct block {
    const void *isa;
    int flags, reserved;
    void (*invoke)(struct block *self, apple_id plan, apple_id error);
    const block_descriptor *descriptor;
    request *to;
} block;

static void receive(block *self, apple_id plan, apple_id error)
{
    request *r = self->to;
    (void)error; /* no plan is all that matters */
    r->plan = apple_retain(&r->a, plan);
    if (atomic_exchange(&r->state, ANSWERED) != GIVEN_UP)
        return;
    apple_release(&r->a, r->plan);
    free(r);
}

static bool is_answered(void *arg)
{
    return atomic_load(&((request *)arg)->state) == ANSWERED;
}

static bool ask(request *r, apple_id url, apple_id configuration)
{
    typedef void call(apple_id, apple_sel, apple_id, apple_id, block *);
    static const block_descriptor descriptor = {0, sizeof(block), "v24@?0@8@16"};
    block handler = {.isa = dlsym(RTLD_DEFAULT, "_NSConcreteStackBlock"),
                     .flags = BLOCK_HAS_SIGNATURE,
                     .invoke = receive,
                     .descriptor = &descriptor,
                     .to = r};
    apple_sel sel;
    apple_id class = apple_class(&r->a, "MLComputePlan");
    call *method = (call *)apple_method(&r->a, class,
                                        "loadContentsOfURL:configuration:completionHandler:", &sel);
    if (!method || !handler.isa)
        return false;
    method(class, sel, url, configuration, &handler);
    return true;
}

/* The plan, owned; nil when there is none, or none in time. */
static apple_id load_plan(const apple *a, apple_id url, apple_id configuration)
{
    request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->a = *a;
    atomic_init(&r->state, ASKED);
    if (ask(r, url, configuration) &&
        !await(is_answered, r, YOKE_WAIT_BLOCK, 0, yoke_clock_ns() + PATIENCE_NS) &&
        atomic_exchange(&r->state, GIVEN_UP) == ASKED)
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
