/* The part of Core ML that is used, called through the Objective-C runtime. Open an autorelease
 * pool around these; what is called _new is owned: release it. */
#ifndef COREML_API_H
#define COREML_API_H

#include "apple/foundation.h"
#include "yoke/matrix.h"

/* MLComputeUnits */
typedef enum coreml_units {
    COREML_CPU = 0,
    COREML_CPU_AND_GPU = 1,
    COREML_ALL = 2,
    COREML_CPU_AND_ANE = 3
} coreml_units;

#define COREML_RANK 4 /* of every array here */

/* Loads the framework and checks its classes. Errors: YOKE_ERR_UNSUPPORTED, with the reason. */
yoke_status coreml_api_load(apple *a, yoke_error *err);

/* compileModelAtURL:error: the URL of what it makes, which is the caller's to remove; nil: *error.
 */
apple_id coreml_compile(const apple *a, const char *path, apple_id *error);

apple_id coreml_configuration(const apple *a, coreml_units units);

/* modelWithContentsOfURL:configuration:error:; nil: *error. */
apple_id coreml_load(const apple *a, apple_id url, apple_id configuration, apple_id *error);

/* An array over the caller's memory, f16 or f32, without gaps; nil: *error. */
apple_id coreml_array_new(const apple *a, void *memory, yoke_format format,
                          const size_t shape[COREML_RANK], apple_id *error);

/* A feature provider of one array; nil: *error. */
apple_id coreml_provider_new(const apple *a, const char *name, apple_id array, apple_id *error);

/* Options with these arrays as the memory of outputs; nil where the framework has no such thing. */
apple_id coreml_options_new(const apple *a, const apple_id *names, const apple_id *arrays,
                            size_t count);

/* predictionFromFeatures:options:error:; nil: *error. */
apple_id coreml_predict(const apple *a, apple_id model, apple_id features, apple_id options,
                        apple_id *error);

/* The array that a provider has under a name; nil when it has none. */
apple_id coreml_result(const apple *a, apple_id provider, const char *name);

/* Copies a result array of that shape to where it is to lie without gaps, unless it does already.
 * Errors: YOKE_ERR_ENGINE: none, another shape, another type. */
yoke_status coreml_array_read(const apple *a, apple_id array, yoke_format format,
                              const size_t shape[COREML_RANK], void *to, yoke_error *err);

#endif
