/* One request on a loaded program. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "../foundation/control.h"
#include "port.h"
#include "service.h"

typedef struct binding {
    const port *port;
    unsigned char *bytes;
    size_t size;
    tensor values;
} binding;

static bool inference_fails(NSError **error)
{
    return service_fail(error, ANE_PROGRAM_INFERENCE,
                        "ANEProgramProcessRequestDirect() Failed with status=0x1d : "
                        "statusType=0x9: Program Inference error");
}

/* The surface that the request gives for a port, by the index of the port's symbol. */
static bool bind(const port *p, size_t wanted, NSArray *surfaces, NSArray *indices, binding *out)
{
    const NSUInteger at = [indices indexOfObject:[NSNumber numberWithUnsignedLongLong:wanted]];
    if (at >= [surfaces count])
        return false;
    _ANEIOSurfaceObject *given = [surfaces objectAtIndex:at];
    const size_t offset = [[given startOffset] unsignedLongLongValue];
    const size_t size = IOSurfaceGetAllocSize([given ioSurface]);
    out->port = p;
    out->size = size;
    out->bytes = (unsigned char *)IOSurfaceGetBaseAddress([given ioSurface]) + offset;
    return offset <= size && size - offset >= port_bytes(p);
}

static bool bind_all(program *loaded, const procedure *of, bool outputs, NSArray *surfaces,
                     NSArray *indices, binding *out)
{
    const port *ports = outputs ? of->outputs : of->inputs;
    const size_t count = outputs ? of->output_count : of->input_count;
    bool bound = [surfaces count] == count;
    for (size_t i = 0; bound && i < count; i++)
        bound = bind(&ports[i], service_symbol(loaded, of, i, outputs), surfaces, indices, &out[i]);
    return bound;
}

static const procedure *find(program *loaded, _ANERequest *request)
{
    return service_procedure(loaded, [[request procedureIndex] unsignedLongLongValue]);
}

static bool bind_request(program *loaded, _ANERequest *request, binding *in, binding *out)
{
    const procedure *of = find(loaded, request);
    return of && [request validate] &&
           bind_all(loaded, of, false, [request inputArray], [request inputIndexArray], in) &&
           bind_all(loaded, of, true, [request outputArray], [request outputIndexArray], out);
}

bool service_check(program *loaded, _ANERequest *request, NSError **error)
{
    binding in[255], out[255];
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const bool fits = bind_request(loaded, request, in, out);
    [pool drain];
    return fits || service_fail(error, ANE_SURFACE_MAP, "IOSurface map error");
}

/* Seen on hardware: surfaces out of the order of their sizes (inputs up, outputs down) give zeros,
 * and no error. */
static bool sizes_are_in_order(NSArray *surfaces, bool up)
{
    for (NSUInteger i = 1; i < [surfaces count]; i++) {
        const size_t before = IOSurfaceGetAllocSize([[surfaces objectAtIndex:i - 1] ioSurface]);
        const size_t size = IOSurfaceGetAllocSize([[surfaces objectAtIndex:i] ioSurface]);
        if (up ? size < before : size > before)
            return false;
    }
    return true;
}

static bool sizes_are_equal(const binding *list, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (list[i].size != list[0].size)
            return false;
    return true;
}

/* From which evaluation on a switch acts; "name" alone is the first. */
static bool acts(const char *name, unsigned long long evaluation)
{
    return standin_switch(name) && evaluation >= standin_number(name, 0);
}

static bool device_is_well(unsigned long long evaluation, NSError **error)
{
    while (acts("evaluate_hangs", evaluation))
        usleep(1000);
    if (acts("evaluate_times_out", evaluation))
        return service_fail(error, ANE_TIMEOUT, "timeout error");
    if (standin_switch("evaluate_error"))
        return service_fail(error, (NSInteger)standin_number("evaluate_error", 0), "by a switch");
    if (acts("device_is_lost", evaluation))
        return service_fail(error, ANE_PROGRAM_NOT_FOUND, "program not found");
    if (acts("evaluate_fails", evaluation))
        return inference_fails(error);
    return true;
}

static void spoil(float *values, size_t count, unsigned long long evaluation, bool zeros)
{
    const bool infinite = acts("evaluate_gives_inf", evaluation);
    if (zeros || infinite || acts("evaluate_gives_zeros", evaluation))
        for (size_t i = 0; i < count; i++)
            values[i] = infinite ? INFINITY : 0;
    if (acts("evaluate_is_wrong", evaluation))
        values[count / 2] += 64;
}

static void make_values(const binding *list, size_t count, tensor *values)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = (tensor){.element = list[i].port->element, .rank = 4};
        values[i].count = 1;
        for (unsigned d = 0; d < 4; d++)
            values[i].count *= values[i].shape[d] = list[i].port->shape[d];
        values[i].values = calloc(values[i].count, sizeof(float));
        if (!values[i].values)
            abort();
    }
}

static void free_values(tensor *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(values[i].values);
}

static bool compute(program *loaded, const procedure *of, const binding *in, const binding *out,
                    unsigned long long evaluation, bool zeros)
{
    tensor given[255], made[255];
    char why[512];
    make_values(in, of->input_count, given);
    make_values(out, of->output_count, made);
    for (size_t i = 0; i < of->input_count; i++)
        port_read(in[i].port, in[i].bytes, given[i].values);
    const bool done = program_run(loaded, of, given, made, why, sizeof why);
    for (size_t i = 0; done && i < of->output_count; i++) {
        spoil(made[i].values, made[i].count, evaluation, zeros);
        port_write(out[i].port, made[i].values, out[i].bytes);
    }
    free_values(given, of->input_count);
    free_values(made, of->output_count);
    return done;
}

/* The how manieth evaluation since the switches were changed. */
static unsigned long long count_evaluation(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned generation;
    static unsigned long long evaluations;
    pthread_mutex_lock(&lock);
    if (generation != standin_generation())
        evaluations = 0;
    generation = standin_generation();
    const unsigned long long count = ++evaluations;
    pthread_mutex_unlock(&lock);
    return count;
}

bool service_evaluate(program *loaded, _ANERequest *request, NSError **error)
{
    const unsigned long long count = count_evaluation();
    binding in[255], out[255];
    if (!device_is_well(count, error))
        return false;
    if (!loaded)
        return service_fail(error, ANE_PROGRAM_NOT_FOUND, "program not found");
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const procedure *of = find(loaded, request);
    bool done = bind_request(loaded, request, in, out);
    if (done && standin_switch("equal_surfaces"))
        done = sizes_are_equal(in, of->input_count) && sizes_are_equal(out, of->output_count);
    const bool zeros = !sizes_are_in_order([request inputArray], true) ||
                       !sizes_are_in_order([request outputArray], false);
    done = done && compute(loaded, of, in, out, count, zeros);
    [pool drain];
    return done || inference_fails(error);
}
