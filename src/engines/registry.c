#include "engines/registry.h"

#include "engines/ane/ane.h"
#include "engines/coreml/coreml.h"
#include "engines/cpu/cpu.h"
#include "engines/fake/fake.h"
#include "engines/metal/metal.h"
#include "engines/opencl/opencl.h"
#include "engines/ref/ref.h"

static const yoke_engine_class *const built_in[] = {&engine_cpu,    &engine_opencl, &engine_ane,
                                                    &engine_coreml, &engine_metal,  &engine_ref,
                                                    &engine_fake};

const yoke_engine_class *const *registry_classes(size_t *count)
{
    *count = sizeof built_in / sizeof built_in[0];
    return built_in;
}
