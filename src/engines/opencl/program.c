#include "engines/opencl/program.h"

#include <stdio.h>
#include <string.h>

#include "engines/opencl/kernels.h"

/* Sums of TILE_M x TILE_N vectors fill the registers: 32 of 16 floats, or 16 of 8 or 4. */
static unsigned vector_tile_m(const device *d)
{
    return d->vector == 16 ? 6 : 3;
}

#define VECTOR_TILE_N 4u
#define ITEM_TILE     4u /* of one item of a work-group */

unsigned program_tile_m(const device *d)
{
    return d->grouped ? ITEM_TILE * d->side : vector_tile_m(d);
}

unsigned program_tile_n(const device *d)
{
    return d->grouped ? ITEM_TILE * d->side : VECTOR_TILE_N;
}

static const char *format_macro(yoke_format format)
{
    switch (format) {
    case YOKE_F16: return "WEIGHT_F16";
    case YOKE_BF16: return "WEIGHT_BF16";
    case YOKE_Q8_0: return "WEIGHT_Q8_0";
    case YOKE_Q4_0: return "WEIGHT_Q4_0";
    default: return "WEIGHT_F32";
    }
}

/* 16 bytes of them for an item of a group; else what one scale serves, or one vector. */
unsigned program_unit(const device *d, yoke_format format)
{
    if (format == YOKE_Q4_0)
        return 32;
    if (format == YOKE_Q8_0)
        return d->grouped ? 16 : 32;
    if (!d->grouped)
        return 16;
    return format == YOKE_F32 ? 4 : 8;
}

/* "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11): " and the first line of the compiler's log. */
static yoke_status build_failed(const opencl_engine *e, cl_program program, cl_int code,
                                yoke_error *err)
{
    char log[320] = "";
    size_t length = 0;
    static const char too_long[] = "its log is long";
    if (e->cl.clGetProgramBuildInfo(program, e->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                    &length) == CL_SUCCESS &&
        length > sizeof log)
        memcpy(log, too_long, sizeof too_long);
    else
        e->cl.clGetProgramBuildInfo(program, e->device.id, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                    NULL);
    return yoke_error_set(err, YOKE_ERR_ENGINE, "engine %s: clBuildProgram: %s (%d): %.300s",
                          e->name, api_error_name(code), (int)code, log);
}

static yoke_status build(opencl_engine *e, const char **sources, cl_uint count, const char *options,
                         cl_program *out, yoke_error *err)
{
    cl_int code;
    cl_program program = e->cl.clCreateProgramWithSource(e->context, count, sources, NULL, &code);
    yoke_status status = engine_check(e, "clCreateProgramWithSource", code, err);
    if (status != YOKE_OK)
        return status;
    code = e->cl.clBuildProgram(program, 1, &e->device.id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        status = build_failed(e, program, code, err);
        e->cl.clReleaseProgram(program);
        return status;
    }
    *out = program;
    return YOKE_OK;
}

static yoke_status create_kernel(opencl_engine *e, cl_program program, const char *name,
                                 cl_kernel *out, yoke_error *err)
{
    cl_int code;
    *out = e->cl.clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS)
        *out = NULL;
    return engine_check(e, "clCreateKernel", code, err);
}

static void format_options(const opencl_engine *e, yoke_format format, char *out, size_t bytes)
{
    const device *d = &e->device;
    int used = snprintf(out, bytes, "-D V=%u -D UNIT=%u -D %s -D ROWS=%u", d->vector,
                        program_unit(d, format), format_macro(format), PROGRAM_ROWS);
    if (d->grouped)
        snprintf(out + used, bytes - (size_t)used, " -D LANES=%u -D SIDE=%u", d->lanes, d->side);
    else
        snprintf(out + used, bytes - (size_t)used, " -D TILE_M=%u -D TILE_N=%u -D CONTIGUOUS",
                 vector_tile_m(d), VECTOR_TILE_N);
}

yoke_status program_build_common(opencl_engine *e, yoke_error *err)
{
    const char *sources[] = {kernels_weights, kernels_elements, kernels_limit};
    char options[160];
    format_options(e, YOKE_F32, options, sizeof options);
    yoke_status status = build(e, sources, 3, options, &e->common, err);
    if (status == YOKE_OK)
        status = create_kernel(e, e->common, "widen", &e->widen, err);
    if (status == YOKE_OK)
        status = create_kernel(e, e->common, "read_all", &e->read_all, err);
    if (status == YOKE_OK)
        status = create_kernel(e, e->common, "multiply_add", &e->multiply_add, err);
    return status;
}

static void release_kernel(const opencl_engine *e, cl_kernel kernel)
{
    if (kernel)
        e->cl.clReleaseKernel(kernel);
}

static void release_products(const opencl_engine *e, product_kernels *p)
{
    release_kernel(e, p->row);
    release_kernel(e, p->tile);
    if (p->program)
        e->cl.clReleaseProgram(p->program);
    *p = (product_kernels){0};
}

yoke_status program_build_products(opencl_engine *e, yoke_format format, yoke_error *err)
{
    product_kernels *p = &e->products[format];
    if (p->program)
        return YOKE_OK;
    const char *sources[] = {kernels_weights, kernels_elements,
                             e->device.grouped ? kernels_group : kernels_vector};
    char options[160];
    format_options(e, format, options, sizeof options);
    yoke_status status = build(e, sources, 3, options, &p->program, err);
    if (status == YOKE_OK)
        status = create_kernel(e, p->program, "multiply_row", &p->row, err);
    if (status == YOKE_OK)
        status = create_kernel(e, p->program, "multiply_tile", &p->tile, err);
    if (status != YOKE_OK)
        release_products(e, p);
    return status;
}

void program_release_all(opencl_engine *e)
{
    for (size_t f = 0; f < YOKE_FORMAT_COUNT; f++)
        release_products(e, &e->products[f]);
    release_kernel(e, e->widen);
    release_kernel(e, e->read_all);
    release_kernel(e, e->multiply_add);
    if (e->common)
        e->cl.clReleaseProgram(e->common);
}
