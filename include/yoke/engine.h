/* The engine contract: what an engine must provide, built in or as a plug-in.
 *
 * An engine is a table of functions, yoke_engine_class. A plug-in is a shared object that exports
 *
 *     const yoke_engine_class *yoke_engine_plugin(void);
 *
 * and is loaded from the directory the user names. The structs with a field `size` may grow:
 * later versions append to them, and `size` says how much is there. The others change only with
 * YOKE_ENGINE_ABI.
 *
 * Rules for every entry: nothing is printed, nothing exits, no exception or longjmp leaves it. A
 * missing framework, driver or device is a reason in a yoke_engine_info, not an error.
 */
#ifndef YOKE_ENGINE_H
#define YOKE_ENGINE_H

#include "yoke/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YOKE_ENGINE_ABI 1u

/* How exactly a product must be computed. In every mode w is used exactly as stored, and
 * accumulation is fp32 or wider unless the engine's facts say otherwise. */
typedef enum yoke_precision {
    YOKE_PRECISION_FULL = 0, /* x is used at its stored precision */
    YOKE_PRECISION_BF16_X,   /* x may be rounded to bf16 */
    YOKE_PRECISION_INT8_X /* x may be quantised to int8 with one scale for 32 elements (or bf16) */
} yoke_precision;

/* How to wait for a result. */
typedef enum yoke_wait_how {
    YOKE_WAIT_BLOCK = 0, /* sleep until woken */
    YOKE_WAIT_POLL,      /* keep the core and look */
    YOKE_WAIT_SLEEP_POLL /* sleep until shortly before the predicted end, then look */
} yoke_wait_how;

/* One key=value of an engine's specification. */
typedef struct yoke_engine_option {
    const char *key;
    const char *value; /* "" for a key without '=' */
} yoke_engine_option;

/* The specification "cpu:0,isa=avx2,threads=1" in parts: class "cpu", device "0", two options. */
typedef struct yoke_engine_config {
    const char *device; /* after the colon; "" for the whole class */
    const yoke_engine_option *options;
    size_t option_count;
} yoke_engine_config;

/* What an engine guarantees and needs. */
typedef struct yoke_engine_facts {
    yoke_format accumulate; /* the type sums are kept in */
    yoke_format rounds_to;  /* x, products and results are rounded to this; NONE: they are not */
    size_t granule_m, granule_n; /* windows of M and N should be multiples of these; >= 1 */
    size_t max_m, max_n, max_k;  /* largest dimensions; 0 means no limit */
    bool zeroes_subnormals;      /* on some path */
    double saturation;           /* |y| at which results clip or turn inf; 0 means y's own limit */
    bool copies;                 /* x and y go through buffers of its own */
    uint64_t native_formats;     /* bit (1 << format): weights it multiplies at their stored size */
    bool on_host_cpu;            /* its device is the host's CPU: it shares the cores of "cpu" */
    bool computes_on_caller; /* to wait is to compute: a product overlaps one such engine only */
    bool windows_cost_all;   /* a window of a weight's outputs may take as long as all of them */
} yoke_engine_facts;

/* One engine, found by probe. */
typedef struct yoke_engine_info {
    char name[48];         /* "cpu", "cpu:0", "opencl:0": what yoke_engine_open takes */
    char description[200]; /* the device and what it will use: "AMD EPYC, 2 threads, avx512_bf16" */
    bool ready;
    char reason[240]; /* one plain sentence why not, when not ready */
    yoke_engine_facts facts;
} yoke_engine_info;

/* A weight made ready. Filled by prepare. */
typedef struct yoke_prepare_report {
    yoke_format format; /* the format it is kept in: the given one, or what it was converted to */
    uint64_t prepared_bytes; /* bytes the engine now holds */
    uint64_t copied_bytes;   /* bytes copied from the caller's matrix; 0 when used in place */
    uint64_t elapsed_ns;     /* its share, where several were made ready at once */
    char layout[64];         /* "panels of 16 rows", "buffer in unified memory" */
} yoke_prepare_report;

/* One product for submit: y[:, window] = alpha * x * w[window, :]^T + beta * y[:, window]. */
typedef struct yoke_task {
    uint32_t size; /* sizeof(yoke_task) */
    yoke_precision precision;
    bool pin_path;        /* use the path whose rows do not depend on how many rows x has */
    float alpha, beta;    /* beta == 0: y is not read; alpha == 0: x and w are not read */
    const yoke_matrix *x; /* m by k; f32, f16 or bf16; valid until wait returns */
    const yoke_matrix *y; /* m by n_count: the window's first column is data; f32, f16 or bf16 */
    size_t n_begin;       /* first output of the prepared weight; a multiple of granule_n */
    size_t n_count;       /* outputs; a multiple of granule_n unless it reaches the weight's end */
    bool has_deadline;    /* wait will get one: x and y must not be in use when it gives up */
} yoke_task;

/* Where submit keeps what wait needs: the caller's memory, so that no product allocates. */
typedef struct yoke_ticket {
    uint64_t opaque[16];
} yoke_ticket;

/* When things happened, on the monotonic clock of clock_gettime(CLOCK_MONOTONIC), in ns.
 * 0 means not known. */
typedef struct yoke_timing {
    uint64_t submit_ns;       /* submit was entered */
    uint64_t submitted_ns;    /* submit returned */
    uint64_t device_begin_ns; /* the device says it began; as durations, not on our clock, when */
    uint64_t device_end_ns;   /*   device_clock is set: only the difference counts */
    uint64_t done_ns;         /* wait saw the result */
    bool device_clock;
    uint64_t copied_bytes; /* of x and y, by the engine, for this product */
    const char *path;      /* how it was computed: "avx512 exact"; static text */
} yoke_timing;

/* A physical limit of the device, for `limit`. */
typedef enum yoke_limit {
    YOKE_LIMIT_READ = 0, /* bytes/s: a plain read of the given buffer by the engine's own threads */
    YOKE_LIMIT_COMPUTE   /* operations/s: registers only, the arithmetic that the path for
                          * (format, precision) would use; 2 per multiply-add */
} yoke_limit;

typedef struct yoke_limit_request {
    uint32_t size; /* sizeof(yoke_limit_request) */
    yoke_limit limit;
    const void *bytes; /* READ: what to read */
    size_t byte_count;
    yoke_format format;       /* COMPUTE: of the weight */
    yoke_format x_format;     /* COMPUTE: of x */
    yoke_precision precision; /* COMPUTE */
    uint64_t duration_ns;     /* COMPUTE: how long to run, about */
} yoke_limit_request;

typedef struct yoke_engine_class {
    uint32_t abi;        /* YOKE_ENGINE_ABI */
    uint32_t size;       /* sizeof(yoke_engine_class) */
    const char *name;    /* "cpu"; lower case letters, digits and '_' */
    const char *summary; /* one line for a listing */
    bool hidden;         /* listed and used only when asked for by name (test engines) */

    /* Fills infos[0 .. capacity) with the engines of this class and *count with how many there
     * are (which may exceed capacity). At least one: a class that cannot work here describes
     * itself once, not ready, with a reason. Quick; opens nothing for long. */
    yoke_status (*probe)(yoke_engine_info *infos, size_t capacity, size_t *count, yoke_error *err);

    /* Opens the device with its options; *info (may be NULL) describes it as opened.
     * Errors: YOKE_ERR_NOT_FOUND (no such device), YOKE_ERR_USAGE (unknown option: name it),
     * YOKE_ERR_UNSUPPORTED (not ready here, with the reason), YOKE_ERR_ENGINE, YOKE_ERR_MEMORY. */
    yoke_status (*open)(const yoke_engine_config *config, void **engine, yoke_engine_info *info,
                        yoke_error *err);

    /* Closes; every prepared weight has been released and every ticket waited for. */
    void (*close)(void *engine);

    /* Makes w (n by k) ready. May be slow. w's memory may go away afterwards.
     * Errors: YOKE_ERR_UNSUPPORTED, YOKE_ERR_SHAPE (beyond max_n or max_k), YOKE_ERR_MEMORY,
     * YOKE_ERR_ENGINE. */
    yoke_status (*prepare)(void *engine, const yoke_matrix *w, void **prepared,
                           yoke_prepare_report *report, yoke_error *err);
    void (*release)(void *engine, void *prepared);

    /* Starts a product; the library has checked shapes and formats. Every successful submit is
     * followed by exactly one wait with the same ticket, from the same thread. Several threads
     * may use one engine; it may run their products one after the other. */
    yoke_status (*submit)(void *engine, void *prepared, const yoke_task *task, yoke_ticket *ticket,
                          yoke_error *err);

    /* Waits until y is complete (the calling thread may compute part of it meanwhile).
     * predicted_end_ns: for SLEEP_POLL, on the monotonic clock; 0 means unknown.
     * deadline_ns: give up then with YOKE_ERR_TIMEOUT (the engine is not used again, and no longer
     * reads x or writes to y); 0 never. One that cannot hang may end its product all the same.
     * Errors: YOKE_ERR_ENGINE (y undefined), YOKE_ERR_TIMEOUT, YOKE_ERR_INTERRUPTED (see heed). */
    yoke_status (*wait)(void *engine, yoke_ticket *ticket, yoke_wait_how how,
                        uint64_t predicted_end_ns, uint64_t deadline_ns, yoke_timing *timing,
                        yoke_error *err);

    /* Measures a limit of the device; *per_second gets bytes or operations per second.
     * May be NULL, or answer YOKE_ERR_UNSUPPORTED: not known. */
    yoke_status (*limit)(void *engine, const yoke_limit_request *request, double *per_second,
                         yoke_error *err);

    /* Makes several weights ready at once: prepared[i] and reports[i] are those of w[i], none of
     * them empty, and each is released by itself. All or nothing. May be NULL, and may fail in any
     * way: the library then prepares them one by one. *at, `count` before, gets which weight is at
     * fault, if one is. */
    yoke_status (*prepare_several)(void *engine, const yoke_matrix *w, size_t count,
                                   void **prepared, yoke_prepare_report *reports, size_t *at,
                                   yoke_error *err);

    /* From here on calls that may take long, those under way too, end soon after *stop is set, with
     * YOKE_ERR_INTERRUPTED; a product then as at its deadline. stop outlives the engine. May be
     * NULL: its calls end when they are done. */
    void (*heed)(void *engine, const volatile bool *stop);
} yoke_engine_class;

/* The type of the symbol "yoke_engine_plugin". */
typedef const yoke_engine_class *(*yoke_engine_plugin_function)(void);

/* The value of an option of that key, or NULL. For engine authors. Thread-safe. */
YOKE_API const char *yoke_engine_option_get(const yoke_engine_config *config, const char *key);

/* Refuses options outside `known` (NULL-terminated): YOKE_ERR_USAGE that names the option and lists
 * the known ones. For engine authors. Thread-safe. */
YOKE_API yoke_status yoke_engine_option_check(const yoke_engine_config *config,
                                              const char *const *known, yoke_error *err);

#ifdef __cplusplus
}
#endif
#endif
