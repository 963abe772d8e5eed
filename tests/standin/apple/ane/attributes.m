/* The dictionary of a loaded program: its inputs and outputs, their indices and their layout. */
#include <stdlib.h>
#include <string.h>

#include "../foundation/control.h"
#include "service.h"

static id text(const char *from)
{
    return standin_string("%s", from);
}

static id number(size_t value)
{
    return [NSNumber numberWithUnsignedLongLong:value];
}

/* Outputs are called by another name than in the program. */
static NSString *symbol(const port *p, bool output)
{
    return standin_string(output ? "%s@output" : "%s", p->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp([*(NSString *const *)a UTF8String], [*(NSString *const *)b UTF8String]);
}

/* In alphabetical order, each name once, whatever the order in the program; or, by a switch, each
 * function's own, one behind the other. */
NSArray *service_symbols(const program *loaded, bool outputs)
{
    id names[255];
    size_t count = 0;
    const bool own = standin_switch("own_symbols");
    for (size_t p = 0; p < loaded->procedure_count; p++) {
        const procedure *of = &loaded->procedures[p];
        const port *ports = outputs ? of->outputs : of->inputs;
        for (size_t i = 0; i < (outputs ? of->output_count : of->input_count); i++) {
            id name = symbol(&ports[i], outputs);
            if (count < 255 && (own || ![[NSArray arrayWithObjects:names
                                                             count:count] containsObject:name]))
                names[count++] = name;
        }
    }
    if (!own)
        qsort(names, count, sizeof *names, by_name);
    return [NSArray arrayWithObjects:names count:count];
}

size_t service_symbol(const program *loaded, const procedure *of, size_t at, bool outputs)
{
    const port *ports = outputs ? of->outputs : of->inputs;
    if (!standin_switch("own_symbols"))
        return [service_symbols(loaded, outputs) indexOfObject:symbol(&ports[at], outputs)];
    for (const procedure *before = loaded->procedures; before < of; before++)
        at += outputs ? before->output_count : before->input_count;
    return at;
}

size_t service_index(const program *loaded, const procedure *of)
{
    const size_t position = (size_t)(of - loaded->procedures);
    return standin_switch("procedures_backwards") ? loaded->procedure_count - 1 - position
                                                  : position;
}

const procedure *service_procedure(const program *loaded, size_t index)
{
    for (size_t i = 0; i < loaded->procedure_count; i++)
        if (service_index(loaded, &loaded->procedures[i]) == index)
            return &loaded->procedures[i];
    return NULL;
}

static id indices(const program *loaded, const procedure *of, bool outputs)
{
    NSMutableArray *made = [NSMutableArray array];
    for (size_t i = 0; i < (outputs ? of->output_count : of->input_count); i++)
        [made addObject:number(service_symbol(loaded, of, i, outputs))];
    return made;
}

static const char *element_name(mil_element element)
{
    switch (element) {
    case MIL_FP16: return "Float16";
    case MIL_FP32: return "Float32";
    case MIL_INT8: return "Int8";
    case MIL_UINT8: return "UInt8";
    case MIL_INT16: return "Int16";
    default: return "UInt16";
    }
}

static id describe(const port *p, bool output)
{
    NSMutableDictionary *made = [NSMutableDictionary dictionary];
    const struct {
        const char *key;
        size_t value;
    } numbers[] = {
        {"Batches", p->shape[0]},
        {"Channels", p->shape[1]},
        {"Depth", 1},
        {"Height", p->shape[2]},
        {"Width", p->shape[3]},
        {"Interleave", 1},
        {"RowStride", p->row_stride},
        {"PlaneStride", p->plane_stride},
        {"DepthStride", p->batch_stride},
        {"BatchStride", p->batch_stride},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        [made setObject:number(numbers[i].value) forKey:text(numbers[i].key)];
    [made setObject:symbol(p, output) forKey:text("Name")];
    [made setObject:symbol(p, output) forKey:text("Symbol")];
    [made setObject:text(element_name(p->element)) forKey:text("Type")];
    return made;
}

static id describe_all(const port *ports, size_t count, bool outputs)
{
    NSMutableArray *made = [NSMutableArray array];
    for (size_t i = 0; i < count; i++)
        [made addObject:describe(&ports[i], outputs)];
    return made;
}

NSDictionary *service_attributes(const program *loaded)
{
    NSMutableDictionary *about = [NSMutableDictionary dictionary];
    NSMutableDictionary *ids = [NSMutableDictionary dictionary];
    NSMutableArray *procedures = [NSMutableArray array], *networks = [NSMutableArray array];
    NSArray *inputs = service_symbols(loaded, false), *outputs = service_symbols(loaded, true);
    for (size_t i = 0; i < loaded->procedure_count; i++) {
        const procedure *of = &loaded->procedures[i];
        NSMutableDictionary *one = [NSMutableDictionary dictionary];
        NSMutableDictionary *network = [NSMutableDictionary dictionary];
        id index = number(service_index(loaded, of));
        [ids setObject:index forKey:text(of->name)];
        [one setObject:index forKey:text("ANEFModelProcedureID")];
        [one setObject:indices(loaded, of, false) forKey:text("ANEFModelInputSymbolIndexArray")];
        [one setObject:indices(loaded, of, true) forKey:text("ANEFModelOutputSymbolIndexArray")];
        [procedures addObject:one];
        [network setObject:text(of->name) forKey:text("Name")];
        [network setObject:describe_all(of->inputs, of->input_count, false)
                    forKey:text("LiveInputList")];
        [network setObject:describe_all(of->outputs, of->output_count, true)
                    forKey:text("LiveOutputList")];
        [networks addObject:network];
    }
    [about setObject:procedures forKey:text("ANEFModelProcedures")];
    [about setObject:inputs forKey:text("kANEFModelInputSymbolsArrayKey")];
    [about setObject:outputs forKey:text("kANEFModelOutputSymbolsArrayKey")];
    [about setObject:ids forKey:text("kANEFModelProcedureNameToIDMapKey")];
    NSMutableDictionary *made = [NSMutableDictionary dictionary];
    [made setObject:about forKey:text("ANEFModelDescription")];
    [made setObject:networks forKey:text("NetworkStatusList")];
    return made;
}
