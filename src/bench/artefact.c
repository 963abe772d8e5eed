#include "bench/artefact.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/size.h"

/* Rows filled or converted by one thread at a time. */
enum { BLOCK_ROWS = 256 };

/* What the threads do together: fill `to`, or convert `from` into it. */
typedef struct making {
    const yoke_matrix *from; /* NULL: random */
    yoke_matrix *to;
    uint64_t seed;
    const volatile bool *stop;
    atomic_int status;
    yoke_error errors[64]; /* of each thread */
} making;

static yoke_status make_block(making *m, size_t block, yoke_error *err)
{
    if (m->stop && *m->stop)
        return yoke_error_set(err, YOKE_ERR_INTERRUPTED, "making the weight: stopped on request");
    size_t begin = block * BLOCK_ROWS, count = size_min(BLOCK_ROWS, m->to->rows - begin);
    yoke_matrix to = yoke_matrix_rows(m->to, begin, count);
    if (!m->from)
        return yoke_matrix_fill_random_rows(&to, begin, m->seed, err);
    yoke_matrix from = yoke_matrix_rows(m->from, begin, count);
    return yoke_matrix_convert(&from, &to, err);
}

/* Neighbouring blocks go to one thread: the first touch then places them as an engine reads them.
 */
static void make_part(void *arg, size_t thread, size_t threads)
{
    making *m = arg;
    size_t blocks = size_ceil_div(m->to->rows, BLOCK_ROWS);
    size_t share = size_ceil_div(blocks, threads);
    size_t end = size_min(blocks, (thread + 1) * share);
    for (size_t block = thread * share; block < end && m->status == YOKE_OK; block++) {
        yoke_status status = make_block(m, block, &m->errors[thread]);
        if (status != YOKE_OK)
            m->status = (int)status;
    }
}

static yoke_status first_error(const making *m, size_t threads, yoke_error *err)
{
    for (size_t i = 0; i < threads; i++)
        if (m->errors[i].status != YOKE_OK)
            return yoke_error_set(err, m->errors[i].status, "%s", m->errors[i].text);
    return YOKE_OK;
}

static yoke_status make(making *m, size_t threads, yoke_error *err)
{
    size_t most = sizeof m->errors / sizeof *m->errors;
    threads = threads == 0 ? 1 : size_min(threads, most);
    pool *workers;
    yoke_status status = pool_create(NULL, threads, true, &workers, err);
    if (status != YOKE_OK)
        return status;
    pool_acquire(workers);
    pool_start(workers, make_part, m);
    pool_finish(workers, false);
    pool_release(workers);
    pool_free(workers);
    return first_error(m, threads, err);
}

/* Gives the artefact a matrix of its own, random or converted from `from`. */
static yoke_status make_owned(yoke_artefact *artefact, yoke_format format, size_t n, size_t k,
                              const yoke_matrix *from, const yoke_artefact_options *options,
                              yoke_error *err)
{
    yoke_status status = yoke_matrix_create(format, n, k, &artefact->owned, err);
    if (status != YOKE_OK)
        return status;
    making m = {.from = from,
                .to = &artefact->owned,
                .seed = artefact->identity.seed,
                .stop = options->stop};
    status = make(&m, options->threads, err);
    artefact->matrix = artefact->owned;
    return status;
}

static yoke_status finish(yoke_artefact *made, yoke_status status, yoke_artefact **artefact)
{
    if (status != YOKE_OK) {
        yoke_artefact_free(made);
        return status;
    }
    artefact_identify(made);
    *artefact = made;
    return YOKE_OK;
}

static yoke_status create_empty(yoke_artefact **artefact, yoke_error *err)
{
    *artefact = calloc(1, sizeof **artefact);
    return *artefact ? YOKE_OK : yoke_error_set(err, YOKE_ERR_MEMORY, "artefact: no memory");
}

yoke_status yoke_artefact_random(size_t n, size_t k, uint64_t seed,
                                 const yoke_artefact_options *options, yoke_artefact **artefact,
                                 yoke_error *err)
{
    yoke_artefact_options o = options ? *options : (yoke_artefact_options){0};
    if (n == 0 || k == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "weight of %zu x %zu is empty", n, k);
    yoke_artefact *made;
    yoke_status status = create_empty(&made, err);
    if (status != YOKE_OK)
        return status;
    made->identity.seed = seed;
    snprintf(made->identity.kind, sizeof made->identity.kind, "random");
    yoke_format format = o.format == YOKE_FORMAT_NONE ? YOKE_F16 : o.format;
    return finish(made, make_owned(made, format, n, k, NULL, &o, err), artefact);
}

static bool larger(const yoke_tensor *tensor, const yoke_tensor *best)
{
    if (!best || (best->rank < 2 && tensor->rank >= 2))
        return true;
    return tensor->bytes > best->bytes && (tensor->rank >= 2 || best->rank < 2);
}

static const yoke_tensor *largest_tensor(const yoke_file *file)
{
    const yoke_tensor *best = NULL;
    for (size_t i = 0; i < yoke_file_tensor_count(file); i++) {
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        if (tensor->readable && tensor->bytes > 0 && larger(tensor, best))
            best = tensor;
    }
    return best;
}

static yoke_status pick_tensor(const yoke_file *file, const char *path, const char *name,
                               const yoke_tensor **tensor, yoke_error *err)
{
    *tensor = name ? yoke_file_find(file, name, strlen(name)) : largest_tensor(file);
    if (*tensor)
        return YOKE_OK;
    if (name)
        return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: no tensor '%s'", path, name);
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND,
                          "%s: none of its %zu tensors has elements that can be read", path,
                          yoke_file_tensor_count(file));
}

static yoke_status read_tensor(yoke_artefact *made, const char *path, const char *name,
                               const yoke_artefact_options *options, yoke_error *err)
{
    const yoke_tensor *tensor;
    yoke_status status = pick_tensor(made->file, path, name, &tensor, err);
    if (status == YOKE_OK)
        status = yoke_file_matrix(made->file, tensor, &made->matrix, NULL, err);
    if (status != YOKE_OK)
        return status;
    yoke_matrix *w = &made->matrix;
    if (w->rows == 0 || w->cols == 0)
        return yoke_error_set(err, YOKE_ERR_SHAPE, "%s: tensor '%s' is empty", path, tensor->name);
    snprintf(made->identity.kind, sizeof made->identity.kind, "%s", yoke_file_kind(made->file));
    snprintf(made->identity.path, sizeof made->identity.path, "%s", tensor->path);
    snprintf(made->identity.tensor, sizeof made->identity.tensor, "%s", tensor->name);
    if (options->format == YOKE_FORMAT_NONE || options->format == w->format)
        return YOKE_OK;
    yoke_matrix from = *w;
    return make_owned(made, options->format, from.rows, from.cols, &from, options, err);
}

yoke_status yoke_artefact_open(const char *path, const char *tensor,
                               const yoke_artefact_options *options, yoke_artefact **artefact,
                               yoke_error *err)
{
    yoke_artefact_options o = options ? *options : (yoke_artefact_options){0};
    yoke_artefact *made;
    yoke_status status = create_empty(&made, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_file_open(path, &made->file, err);
    if (status == YOKE_OK)
        status = read_tensor(made, path, tensor, &o, err);
    return finish(made, status, artefact);
}

void yoke_artefact_free(yoke_artefact *artefact)
{
    if (!artefact)
        return;
    yoke_matrix_free(&artefact->owned);
    yoke_file_free(artefact->file);
    free(artefact);
}

const yoke_matrix *yoke_artefact_matrix(const yoke_artefact *artefact)
{
    return &artefact->matrix;
}

const yoke_identity *yoke_artefact_identity(const yoke_artefact *artefact)
{
    return &artefact->identity;
}
