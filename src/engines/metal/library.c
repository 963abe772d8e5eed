#include "engines/metal/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/metal/kernels.h"

static const char *format_macro(yoke_format format)
{
    switch (format) {
    case YOKE_F32: return "WEIGHT_F32";
    case YOKE_F16: return "WEIGHT_F16";
    case YOKE_BF16: return "WEIGHT_BF16";
    case YOKE_Q8_0: return "WEIGHT_Q8_0";
    case YOKE_Q4_0: return "WEIGHT_Q4_0";
    default: return NULL;
    }
}

/* What product.metal needs in front. The caller frees it; NULL when memory is out. */
static char *source_for(const char *macro)
{
    static const char beginning[] = "#include <metal_stdlib>\nusing namespace metal;\n"
                                    "#define AS_FLOAT(bits) as_type<float>(bits)\n"
                                    "#define ";
    const size_t room = sizeof beginning + strlen(macro) + 2 + strlen(metal_kernels);
    char *source = malloc(room);
    if (source)
        snprintf(source, room, "%s%s\n%s", beginning, macro, metal_kernels);
    return source;
}

static apple_id create_pipeline(metal_engine *e, apple_id library, const char *function,
                                yoke_error *err)
{
    apple_id error;
    apple_id pipeline = metal_pipeline_new(&e->api, e->device, library, function, &error);
    if (!pipeline)
        apple_error_set(&e->api.objc, err, YOKE_ERR_ENGINE, METAL_NAME,
                        "newComputePipelineStateWithFunction:error:", error);
    return pipeline;
}

static void release_built(const metal_engine *e, metal_kernels_built *built)
{
    apple_release(&e->api.objc, built->row);
    apple_release(&e->api.objc, built->widen);
    built->row = built->widen = NULL;
}

static void create_pipelines(metal_engine *e, apple_id library, metal_kernels_built *built)
{
    const apple *a = &e->api.objc;
    built->row = create_pipeline(e, library, "multiply_row", &built->why);
    if (built->row)
        built->widen = create_pipeline(e, library, "widen", &built->why);
    if (!built->widen) {
        release_built(e, built);
        return;
    }
    const uint64_t lanes = apple_send_u64(a, built->row, "threadExecutionWidth");
    const uint64_t most = apple_send_u64(a, built->row, "maxTotalThreadsPerThreadgroup");
    if (lanes == METAL_LANES && most >= METAL_LANES * METAL_SIMDS)
        return;
    yoke_error_set(&built->why, YOKE_ERR_UNSUPPORTED,
                   "engine %s: the device runs %llu threads in step and %llu in a group, not %u "
                   "and %u",
                   METAL_NAME, (unsigned long long)lanes, (unsigned long long)most, METAL_LANES,
                   METAL_LANES * METAL_SIMDS);
    release_built(e, built);
}

static void build(metal_engine *e, const char *macro, metal_kernels_built *built)
{
    char *source = source_for(macro);
    if (!source) {
        yoke_error_set(&built->why, YOKE_ERR_MEMORY, "engine %s: out of memory", METAL_NAME);
        return;
    }
    apple_id error;
    apple_id library = metal_library_new(&e->api, e->device, source, &error);
    free(source);
    if (!library) {
        apple_error_set(&e->api.objc, &built->why, YOKE_ERR_ENGINE, METAL_NAME,
                        "newLibraryWithSource:options:error:", error);
        return;
    }
    create_pipelines(e, library, built);
    apple_release(&e->api.objc, library);
}

const metal_kernels_built *metal_library_get(metal_engine *e, yoke_format format, yoke_error *err)
{
    const char *macro = format_macro(format);
    if (!macro || !e->own_kernels) {
        yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "engine %s: no kernels for %s%s", METAL_NAME,
                       yoke_format_get(format)->name, macro ? ": they are switched off" : "");
        return NULL;
    }
    metal_kernels_built *built = &e->kernels[format];
    pthread_mutex_lock(&e->mutex);
    if (!built->tried)
        build(e, macro, built);
    built->tried = true;
    pthread_mutex_unlock(&e->mutex);
    if (built->row)
        return built;
    yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s", built->why.text);
    return NULL;
}

void metal_library_release_all(metal_engine *e)
{
    for (size_t f = 0; f < YOKE_FORMAT_COUNT; f++)
        release_built(e, &e->kernels[f]);
}
