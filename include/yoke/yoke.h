/* yoke: y = x * w^T on every engine of a chip. The header most programs need.
 *
 *     yoke_context *context;  yoke_context_create(NULL, &context, &err);
 *     yoke_engine  *engine;   yoke_engine_open(context, "cpu", &engine, &err);
 *     yoke_weight  *weight;   yoke_weight_prepare(engine, &w, &weight, NULL, &err);
 *     yoke_weight_multiply(weight, &x, &y, NULL, NULL, &err);
 */
#ifndef YOKE_H
#define YOKE_H

#include "yoke/engine.h"
#include "yoke/file.h"
#include "yoke/matrix.h"
#include "yoke/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The engines of this machine (opaque). */
typedef struct yoke_context yoke_context;

/* Zero means default. */
typedef struct yoke_context_options {
    const char *plugin_dir; /* load every engine plug-in (*.so, *.dylib) found there; NULL: none */
} yoke_context_options;

/* Finds the engines. options may be NULL. A plug-in that cannot be used is listed as not ready,
 * with the reason; a plugin_dir that cannot be read is an error.
 * Errors: YOKE_ERR_IO, YOKE_ERR_MEMORY. */
YOKE_API yoke_status yoke_context_create(const yoke_context_options *options,
                                         yoke_context **context, yoke_error *err);

/* Every engine opened from it has been freed before. Takes NULL. */
YOKE_API void yoke_context_free(yoke_context *context);

/* What was found, ready or not, in a fixed order; engines that are hidden are left out.
 * Owned by the context; NULL past the end. Thread-safe. */
YOKE_API size_t yoke_context_engine_count(const yoke_context *context);
YOKE_API const yoke_engine_info *yoke_context_engine_info(const yoke_context *context,
                                                          size_t index);

/* An engine in use (opaque). */
typedef struct yoke_engine yoke_engine;

/* Opens an engine by its specification: NAME[:DEVICE][,key=value]...
 *   "cpu"  "cpu:0"  "cpu,threads=1,isa=avx2"  "ref"  "fake,rate_gflops=5"
 * Errors: YOKE_ERR_NOT_FOUND (names the known ones), YOKE_ERR_USAGE (an option), and those of the
 * engine: YOKE_ERR_UNSUPPORTED with the reason it is not ready. Thread-safe. */
YOKE_API yoke_status yoke_engine_open(yoke_context *context, const char *specification,
                                      yoke_engine **engine, yoke_error *err);

/* Every weight prepared on it has been freed before. Takes NULL. */
YOKE_API void yoke_engine_free(yoke_engine *engine);

/* Lets a flag (of a signal handler, say) end what takes long: soon after *stop is set, preparing,
 * multiplying and measuring on this engine end with YOKE_ERR_INTERRUPTED; with a product that ended
 * so it is lost. For engines that are known to take long, or to hang: others finish what they have
 * begun. stop outlives the engine. Before the engine is used by several threads. */
YOKE_API void yoke_engine_heed(yoke_engine *engine, const volatile bool *stop);

/* The engine as opened. Owned by the engine. */
YOKE_API const yoke_engine_info *yoke_engine_describe(const yoke_engine *engine);

/* The specification it was opened with, options and all. Owned by the engine. */
YOKE_API const char *yoke_engine_specification(const yoke_engine *engine);

/* How far its results may be from the exact ones when x is used so exactly: for
 * yoke_check_product. */
YOKE_API yoke_error_model yoke_engine_error_model(const yoke_engine *engine,
                                                  yoke_precision precision);

/* A limit of the device, in bytes or operations per second: see yoke_limit_request.
 * Errors: YOKE_ERR_UNSUPPORTED (the engine cannot tell), YOKE_ERR_ENGINE. */
YOKE_API yoke_status yoke_engine_limit(yoke_engine *engine, const yoke_limit_request *request,
                                       double *per_second, yoke_error *err);

/* A weight made ready for one engine (opaque). */
typedef struct yoke_weight yoke_weight;

/* Prepares w, n by k (n outputs, k inputs). w's memory may go away afterwards. An engine without
 * a native form of w's format converts it to one that loses nothing (f32 at worst, to which f64 and
 * wide integers are rounded), and *report (may be NULL) says so.
 * Errors: YOKE_ERR_SHAPE, YOKE_ERR_UNSUPPORTED, YOKE_ERR_MEMORY, YOKE_ERR_ENGINE. */
YOKE_API yoke_status yoke_weight_prepare(yoke_engine *engine, const yoke_matrix *w,
                                         yoke_weight **weight, yoke_prepare_report *report,
                                         yoke_error *err);

/* Prepares `count` weights at once: weights[i] and reports[i] (reports may be NULL) are those of
 * w[i]. An engine that pays for each thing it compiles or uploads may put them into one; each is
 * used and freed by itself all the same, in any order. All or nothing: on an error every weights[i]
 * is NULL, and the error begins with which matrix it is about, as "w[3]: ". Errors: as above. */
YOKE_API yoke_status yoke_weights_prepare(yoke_engine *engine, const yoke_matrix *w, size_t count,
                                          yoke_weight **weights, yoke_prepare_report *reports,
                                          yoke_error *err);

/* Takes NULL. */
YOKE_API void yoke_weight_free(yoke_weight *weight);

/* Outputs (n) and inputs (k) of a prepared weight. */
YOKE_API size_t yoke_weight_outputs(const yoke_weight *weight);
YOKE_API size_t yoke_weight_inputs(const yoke_weight *weight);

/* Zero means default: y = x * w^T over all outputs, full precision, blocking wait. */
typedef struct yoke_multiply_options {
    bool scaled; /* use alpha and beta; else 1 and 0 */
    float alpha, beta;
    yoke_precision precision;
    bool pin_path; /* the bits of a row of y do not depend on the other rows of x */
    yoke_wait_how wait;
    uint64_t deadline_ns; /* give up after so long with YOKE_ERR_TIMEOUT; 0: never. For engines that
                           *   may hang: "cpu" and its like end the product they have begun */
    size_t n_begin;       /* compute only the outputs [n_begin, n_begin + n_count); */
    size_t n_count;       /*   0 means to the end. n_begin is a multiple of facts.granule_n, and so
                           *   is n_count unless the window ends with the weight */
} yoke_multiply_options;

/* y = alpha * x * w^T + beta * y on the weight's engine.
 *
 * x        m by k, f32, f16 or bf16, any row stride
 * y        m by n (the window's n), the same; never read when beta == 0
 * options  NULL for the defaults
 * timing   if not NULL: when it ran, and by which path
 *
 * Blocks until y is complete. NaN and infinity propagate; k == 0 leaves beta * y (zeros when
 * beta == 0); m == 0 or n == 0 does nothing. x and y do not overlap.
 * Thread-safe on one weight with different y.
 * Errors: YOKE_ERR_SHAPE (names the two that do not go together), YOKE_ERR_UNSUPPORTED,
 * YOKE_ERR_ENGINE, YOKE_ERR_TIMEOUT (y undefined). */
YOKE_API yoke_status yoke_weight_multiply(const yoke_weight *weight, const yoke_matrix *x,
                                          yoke_matrix *y, const yoke_multiply_options *options,
                                          yoke_timing *timing, yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
