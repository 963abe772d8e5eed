/* One OpenCL device: what it says of itself, and how it is to be used. */
#ifndef OPENCL_DEVICE_H
#define OPENCL_DEVICE_H

#include "engines/opencl/api.h"
#include "engines/planes.h"
#include "yoke/engine.h"

#define DEVICE_PAD PLANES_PAD /* of the rows of w and x */

/* How the host's memory comes to the device. */
typedef enum sharing {
    SHARING_COPY,  /* by copies */
    SHARING_MAP,   /* in place, handed over by map and unmap: whole pages without gaps */
    SHARING_DIRECT /* it is the device's memory: wherever it lies */
} sharing;

typedef struct device {
    cl_device_id id;
    bool partial; /* a part of a device, to be released */
    bool cpu;
    bool grouped;          /* work-groups of many items (GPU) or one item with long vectors (CPU) */
    unsigned units;        /* compute units */
    unsigned vector;       /* floats of a vector in the kernels */
    unsigned lanes;        /* grouped: items that share a row; a power of 2 */
    unsigned side;         /* grouped: a tile's work-group is side by side items */
    size_t largest_buffer; /* bytes */
    sharing sharing;
} device;

/* Calls visit for every device of every platform, numbered from 0, until it returns false.
 * Errors: YOKE_ERR_UNSUPPORTED when there is none, with the reason. */
typedef bool device_visitor(void *arg, const api *cl, cl_platform_id platform, cl_device_id id,
                            size_t number);
yoke_status opencl_device_visit_all(const api *cl, device_visitor *visit, void *arg,
                                    yoke_error *err);

/* Describes a device as probe lists it. */
void opencl_device_describe(const api *cl, cl_platform_id platform, cl_device_id id, size_t number,
                            yoke_engine_info *info);

/* Chooses how to use a device, by its properties and the options
 *   units=N             only N of its compute units, ...
 *   part=I              ... the Ith such part (0)
 *   kernels=cpu|gpu     the kernels of the other kind of device
 *   memory=copy|map|direct   how host memory is used
 *   largest_buffer=BYTES     as if the device had this limit
 * Fills *out and completes *info. Errors: YOKE_ERR_USAGE, YOKE_ERR_UNSUPPORTED. */
yoke_status opencl_device_choose(const api *cl, cl_device_id id, const yoke_engine_config *config,
                                 device *out, yoke_engine_info *info, yoke_error *err);
void opencl_device_release(const api *cl, device *d);

#endif
