/* What the parts of yoke matmul share: one product, and those who compute it in turns. */
#ifndef CLI_MATMUL_H
#define CLI_MATMUL_H

#include <jansson.h>

#include "choice.h"
#include "yoke/measure.h"
#include "yoke/plan.h"

/* What was asked for. */
typedef struct matmul_request {
    const char *path, *tensor; /* of the weight, or NULL for a random one */
    size_t m, n, k;            /* n and k of a random weight */
    bool has_shape;
    yoke_format format; /* of the weight; YOKE_FORMAT_NONE: as it comes */
    yoke_format x_format;
    yoke_precision precision;
    choice engines; /* none: all that are ready */
    bool split;     /* over the engines, too */
    yoke_axis axis;
    const char *profile; /* NULL: this machine's */
    bool check_all;
    const char *json; /* path of it, "-" for stdout instead of tables; NULL: none */
    uint64_t seed;
    const char *plugins;
} matmul_request;

/* What all compute. */
typedef struct matmul_product {
    yoke_file *file;
    yoke_matrix w;
    bool owns_w;
    yoke_matrix x;
    yoke_check *check;
    bool check_all;
    yoke_precision precision;
    uint64_t seed;
} matmul_product;

/* One that computes it: an engine alone, or a plan over all of them. */
typedef struct matmul_entry {
    const matmul_product *of;
    const char *name; /* the engine's specification; "split" */
    yoke_engine *engine;
    yoke_weight *weight;
    yoke_prepare_report report;
    yoke_plan *plan; /* of the split, which has no weight */
    yoke_run run;    /*   and its last product */
    yoke_error_model model;
    yoke_matrix y;
    const char *path;
    yoke_check_result checked;
    yoke_error failure; /* status YOKE_OK while all is well */
    yoke_series series;
    double last_ns;
} matmul_entry;

#define MATMUL_MAX_ENTRIES (CHOICE_MOST + 1)

/* All entries, the split's (if any) last. */
typedef struct matmul {
    matmul_product product;
    matmul_entry entries[MATMUL_MAX_ENTRIES];
    size_t count;
    matmul_entry *split; /* NULL without */
    yoke_profile *profile;
} matmul;

/* How good the split is. NaN where it failed, or the engines did. */
typedef struct matmul_figures {
    size_t best_single; /* entry */
    double best_single_ns;
    double ideal_ns; /* the work over the sum of the rates of the engines that have a share, each as
                      * measured alone, slowed as the profile says the others slow it */
    double reached_ns;
    double efficiency; /* ideal over reached */
    bool contended;    /* the profile knows of slowdowns */
} matmul_figures;

yoke_status matmul_product_make(const matmul_request *what, matmul_product *p, yoke_error *err);
void matmul_product_free(matmul_product *p);

/* Opens, prepares, multiplies once and checks. What goes wrong stays with the entry. */
void matmul_open_engine(matmul_entry *e, yoke_context *context);
void matmul_close(matmul_entry *e);

/* The first product of an entry that is made ready otherwise: its y, the product, the check. */
void matmul_first(matmul_entry *e);

/* Times the entries that are well, in turns. */
yoke_status matmul_time(matmul *run, yoke_error *err);

/* The profile that is split by, which may be none; one that was named must be there.
 * Errors: those of yoke_profile_load. */
yoke_status matmul_load_profile(matmul *run, const char *path, yoke_error *err);

/* The entry of the split, over the engines of the others, which are open. */
void matmul_open_split(matmul *run, const matmul_request *what);
matmul_figures matmul_figure(const matmul *run);

/* Prints what came out. Errors: YOKE_ERR_MEMORY. */
yoke_status matmul_print(const matmul *run, yoke_error *err);

/* The same as JSON; NULL when memory ran out. */
json_t *matmul_json(const matmul *run);

/* The median of an entry's times; NaN when it failed. */
double matmul_median(const matmul_entry *e);

#endif
