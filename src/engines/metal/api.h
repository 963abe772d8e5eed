/* The part of Metal and of Metal Performance Shaders that is used, called through the Objective-C
 * runtime. Open an autorelease pool around these; what is called _new is owned: release it. */
#ifndef METAL_API_H
#define METAL_API_H

#include "apple/foundation.h"

/* MTLSize */
typedef struct metal_size {
    unsigned long width, height, depth;
} metal_size;

/* MTLCommandBufferStatus */
enum { METAL_COMPLETED = 4, METAL_ERROR = 5 };

typedef struct metal_api {
    apple objc;
    apple_id (*create_device)(void); /* MTLCreateSystemDefaultDevice: owned */
    apple_bool (*mps_supports)(apple_id device);
} metal_api;

/* Loads the frameworks and checks the classes. Errors: YOKE_ERR_UNSUPPORTED, with the reason. */
yoke_status metal_api_load(metal_api *api, yoke_error *err);

/* Whether the device, its queue and its command buffers take the messages that are sent them.
 * Errors: YOKE_ERR_UNSUPPORTED, naming one that is missing. */
yoke_status metal_api_check(const metal_api *api, apple_id device, apple_id queue, yoke_error *err);

/* Shared by CPU and GPU. nil when there is no memory. */
apple_id metal_buffer_new(const metal_api *api, apple_id device, size_t bytes);

/* Over the caller's whole pages. nil when the device refuses. */
apple_id metal_buffer_new_over(const metal_api *api, apple_id device, void *pages, size_t bytes);

void *metal_buffer_contents(const metal_api *api, apple_id buffer);

/* From source text, without fast mathematics: NaN and infinity go through. nil and *error for text
 * that does not compile. */
apple_id metal_library_new(const metal_api *api, apple_id device, const char *source,
                           apple_id *error);

/* The pipeline of one of its functions; nil when it has none of that name, and *error. */
apple_id metal_pipeline_new(const metal_api *api, apple_id device, apple_id library,
                            const char *function, apple_id *error);

void metal_set_buffer(const metal_api *api, apple_id encoder, apple_id buffer, unsigned index);
void metal_set_bytes(const metal_api *api, apple_id encoder, const void *bytes, size_t count,
                     unsigned index);
void metal_set_pipeline(const metal_api *api, apple_id encoder, apple_id pipeline);
void metal_dispatch(const metal_api *api, apple_id encoder, metal_size groups, metal_size threads);

/* GPUStartTime and GPUEndTime, in seconds; 0 when they are not known. */
double metal_seconds(const metal_api *api, apple_id command_buffer, const char *selector);

#endif
