/* Every product of the chain is with the same matrix H / 16, where H is the Hadamard matrix of 256:
 * it is its own inverse, none of its elements is 0, and small integers go through it exactly. So
 * after an even number of products x comes back, bit for bit, and after an odd one it is known. */
#include "engines/ane/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/memory.h"
#include "engines/ane/text.h"
#include "files/coreml/blob.h"
#include "yoke/measure.h"

enum { CHANNELS = 256, WIDTH = 512, CHECKED = 8 };
#define FILE_BYTES (BLOB_HEADER_BYTES + BLOB_METADATA_BYTES + (size_t)2 * CHANNELS * CHANNELS)

struct ane_chain {
    size_t depth;
    char *text;
    void *weights;
    ane_program program;
    ane_procedure procedure;
};

/* 1 or -1: Sylvester's construction. */
static int hadamard(unsigned row, unsigned col)
{
    return __builtin_parity(row & col) ? -1 : 1;
}

static int element_of_x(unsigned channel, unsigned at)
{
    return (int)((channel * 7 + at * 3) % 5) - 2;
}

static void *make_weights(void)
{
    uint8_t *file = memory_map(FILE_BYTES);
    if (!file)
        return NULL;
    const size_t at = BLOB_HEADER_BYTES;
    blob_write_header(file, 1);
    blob_write_metadata(file + at, MIL_FP16, (uint64_t)2 * CHANNELS * CHANNELS, at);
    for (unsigned row = 0; row < CHANNELS; row++)
        for (unsigned col = 0; col < CHANNELS; col++) {
            const uint16_t half = f16_from_f32((float)hadamard(row, col) / 16);
            memcpy(file + at + BLOB_METADATA_BYTES + 2 * (CHANNELS * row + col), &half,
                   sizeof half);
        }
    return file;
}

/* H / 16 times a column of x. */
static float product_of(unsigned row, unsigned at)
{
    int sum = 0;
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        sum += hadamard(row, channel) * element_of_x(channel, at);
    return (float)sum / 16;
}

static yoke_status write_input(const ane_framework *f, const ane_port *port, yoke_error *err)
{
    char *memory = ane_surface_lock(f, &port->surface, false);
    if (!memory)
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine ane: IOSurfaceLock failed");
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        for (unsigned at = 0; at < WIDTH; at++) {
            const uint16_t half = f16_from_f32((float)element_of_x(channel, at));
            memcpy(memory + channel * port->tensor.plane_bytes + 2 * at, &half, sizeof half);
        }
    ane_surface_unlock(f, &port->surface, false);
    return YOKE_OK;
}

static yoke_status check_output(const ane_framework *f, const ane_port *port, size_t depth,
                                yoke_error *err)
{
    const char *memory = ane_surface_lock(f, &port->surface, true);
    bool right = memory != NULL;
    for (unsigned at = 0; right && at < WIDTH; at += WIDTH / CHECKED)
        for (unsigned channel = 0; right && channel < CHANNELS; channel++) {
            uint16_t half;
            memcpy(&half, memory + channel * port->tensor.plane_bytes + 2 * at, sizeof half);
            right = f16_to_f32(half) ==
                    (depth % 2 ? product_of(channel, at) : (float)element_of_x(channel, at));
        }
    if (memory)
        ane_surface_unlock(f, &port->surface, true);
    return right
               ? YOKE_OK
               : yoke_error_set(err, YOKE_ERR_ENGINE,
                                "engine ane: a chain of %zu products gives a wrong result", depth);
}

static yoke_status make_source(ane_chain *c, yoke_error *err)
{
    c->weights = make_weights();
    if (!c->weights)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: no memory for a chain");
    return ane_text_make_chain(CHANNELS, WIDTH, c->depth, &c->text, err);
}

static yoke_status make(const ane_maker *maker, ane_chain *c, yoke_error *err)
{
    const ane_framework *f = maker->framework;
    const ane_tensor shape = {.channels = CHANNELS, .width = WIDTH};
    uint64_t hardware_ns;
    yoke_status status = make_source(c, err);
    if (status != YOKE_OK)
        return status;
    const ane_source source = {c->text, strlen(c->text), c->weights, FILE_BYTES};
    c->procedure = (ane_procedure){.input_count = 1, .output_count = 1};
    c->procedure.inputs[0].tensor = c->procedure.outputs[0].tensor = shape;
    status = ane_program_make(maker, &source, &c->program, err);
    if (status == YOKE_OK)
        status = ane_procedure_bind(maker, &c->program, 0, 1, &c->procedure, err);
    if (status == YOKE_OK)
        status = write_input(f, &c->procedure.inputs[0], err);
    if (status == YOKE_OK)
        status = ane_procedure_run(f, &c->procedure, false, &hardware_ns, err);
    if (status == YOKE_OK)
        status = check_output(f, &c->procedure.outputs[0], c->depth, err);
    return status;
}

yoke_status ane_chain_create(const ane_maker *maker, ane_chain **out, yoke_error *err)
{
    ane_chain *c = calloc(1, sizeof *c);
    if (!c)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "engine ane: no memory for a chain");
    c->depth = maker->options->depth;
    yoke_status status = make(maker, c, err);
    if (status == YOKE_OK)
        *out = c;
    else
        ane_chain_free(maker->framework, c);
    return status;
}

void ane_chain_free(const ane_framework *f, ane_chain *c)
{
    if (!c)
        return;
    ane_procedure_free(f, &c->procedure);
    ane_program_free(f, &c->program);
    memory_unmap(c->weights, FILE_BYTES);
    free(c->text);
    free(c);
}

yoke_status ane_chain_measure(const ane_framework *f, const ane_chain *c, uint64_t duration_ns,
                              double *per_second, yoke_error *err)
{
    uint64_t runs = 0, hardware_ns, now, begin = yoke_clock_ns();
    do {
        yoke_status status = ane_procedure_run(f, &c->procedure, false, &hardware_ns, err);
        if (status != YOKE_OK)
            return status;
        runs++;
        now = yoke_clock_ns();
    } while (now - begin < duration_ns);
    const double operations = 2.0 * CHANNELS * CHANNELS * WIDTH * (double)c->depth;
    *per_second = operations * (double)runs * 1e9 / (double)(now - begin);
    return YOKE_OK;
}
