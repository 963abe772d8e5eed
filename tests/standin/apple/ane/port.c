#include "port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "chip.h"
#include "value.h"

enum { ROW_ALIGNMENT = 64 };

bool port_axes_fit(const tensor *t)
{
    if (t->rank != 4)
        return true;
    const size_t limit = chip_get().max_axis;
    return t->shape[1] <= CHIP_MAX_CHANNELS && t->shape[2] <= limit && t->shape[3] <= limit;
}

static bool element_fits(mil_element element)
{
    return element == MIL_FP16 || element == MIL_FP32 || element == MIL_INT8 ||
           element == MIL_UINT8 || element == MIL_INT16 || element == MIL_UINT16;
}

static bool fill(port *p, const char *name, const tensor *t)
{
    /* [1, 4, 1, 4] was seen to fail. */
    const bool tiny = t->rank == 4 && t->shape[1] < 8 && t->shape[3] < 16;
    if (t->rank != 4 || !element_fits(t->element) || tiny || !port_axes_fit(t))
        return false;
    *p = (port){.name = name, .element = t->element};
    memcpy(p->shape, t->shape, sizeof p->shape);
    const size_t row = t->shape[3] * mil_element_get(t->element)->bits / 8;
    p->row_stride = (row + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    p->plane_stride = p->row_stride * t->shape[2];
    p->batch_stride = p->plane_stride * t->shape[1];
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
        if (!result || !fill(&of->outputs[of->output_count], name, &result->value)) {
            snprintf(seen->why, seen->room, "no surface can hold the output %s", name);
            return false;
        }
    }
    return of->outputs && of->output_count > 0;
}

size_t port_bytes(const port *p)
{
    return p->batch_stride * p->shape[0];
}

/* Rows of elements that lie together. */
static size_t rows(const port *p)
{
    return p->shape[0] * p->shape[1] * p->shape[2];
}

/* Where the i-th row begins. */
static size_t row_place(const port *p, size_t i)
{
    const size_t h = i % p->shape[2], c = i / p->shape[2] % p->shape[1];
    const size_t n = i / (p->shape[2] * p->shape[1]);
    return n * p->batch_stride + c * p->plane_stride + h * p->row_stride;
}

void port_read(const port *p, const unsigned char *from, float *values)
{
    const size_t width = p->shape[3];
    for (size_t i = 0; i < rows(p); i++)
        for (size_t w = 0; w < width; w++)
            values[i * width + w] = value_of_bits(p->element, from + row_place(p, i), w);
}

static void write_value(mil_element element, float value, unsigned char *at)
{
    const uint16_t half = f16_from_f32(value);
    const int32_t whole = element == MIL_FP16 || element == MIL_FP32 ? 0 : (int32_t)value;
    if (element == MIL_FP16)
        memcpy(at, &half, sizeof half);
    else if (element == MIL_FP32)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, mil_element_get(element)->bits / 8);
}

void port_write(const port *p, const float *values, unsigned char *to)
{
    const size_t width = p->shape[3], bytes = mil_element_get(p->element)->bits / 8;
    for (size_t i = 0; i < rows(p); i++)
        for (size_t w = 0; w < width; w++)
            write_value(p->element, values[i * width + w], to + row_place(p, i) + w * bytes);
}
