/* The inputs and outputs of a model: arrays of any extent, without the limits of surfaces. */
#include "../ane/port.h"

#include <stdlib.h>
#include <string.h>

bool port_axes_fit(const tensor *t)
{
    (void)t;
    return true;
}

static bool fill(port *p, const char *name, const tensor *t)
{
    *p = (port){.name = name, .element = t->element};
    if (t->rank != 4 || (t->element != MIL_FP16 && t->element != MIL_FP32))
        return false;
    memcpy(p->shape, t->shape, sizeof p->shape);
    return true;
}

bool ports_of_inputs(procedure *of)
{
    const mil_block *body = &of->function->body;
    tensor t;
    of->inputs = calloc(body->input_count + 1, sizeof *of->inputs);
    for (; of->inputs && of->input_count < body->input_count; of->input_count++) {
        const mil_variable *input = &body->inputs[of->input_count];
        if (!tensor_make(&input->type, false, &t) ||
            !fill(&of->inputs[of->input_count], input->name, &t))
            return false;
    }
    return of->inputs && of->input_count > 0;
}

bool ports_of_outputs(procedure *of, variables *seen)
{
    const mil_block *body = &of->function->body;
    of->outputs = calloc(body->output_count + 1, sizeof *of->outputs);
    for (; of->outputs && of->output_count < body->output_count; of->output_count++) {
        const char *name = body->outputs[of->output_count];
        const named_tensor *result = variables_find(seen, name);
        if (!result || !fill(&of->outputs[of->output_count], name, &result->value))
            return false;
    }
    return of->outputs && of->output_count > 0;
}
