#include "engines/opencl/launch.h"

cl_int launch(opencl_engine *e, cl_kernel kernel, const grid *g, const argument *arguments,
              size_t count, cl_event *event)
{
    for (size_t i = 0; i < count; i++) {
        cl_int code =
            e->cl.clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, arguments[i].value);
        if (code != CL_SUCCESS)
            return code;
    }
    return e->cl.clEnqueueNDRangeKernel(e->queue, kernel, 2, NULL, g->global_size,
                                        g->local_size[0] ? g->local_size : NULL, 0, NULL, event);
}
