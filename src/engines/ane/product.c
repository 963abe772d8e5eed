#include "engines/ane/product.h"

#include "base/size.h"
#include "engines/deliver.h"
#include "yoke/measure.h"

/* Some rows of x, with the program for so many. */
typedef struct slab {
    size_t begin, count, size;
} slab;

/* The smallest program that takes all rows that are left, else the largest. */
static slab next_slab(const ane_options *options, const ane_product *p, size_t begin)
{
    const size_t left = p->x.rows - begin;
    size_t size = 0;
    while (!p->one_size && size + 1 < options->size_count && options->rows[size] < left)
        size++;
    return (slab){begin, size_min(left, options->rows[size]), size};
}

static yoke_status no_lock(yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_ENGINE, "engine ane: IOSurfaceLock failed");
}

static yoke_status choose_rows(ane_product *p, const slab *s, yoke_error *err)
{
    yoke_status status = worker_touch(&p->job, err);
    if (status != YOKE_OK)
        return status;
    status =
        ane_transfer_rows(&p->x, s->begin, s->count, p->weight->largest_sum, p->weight->rows, err);
    worker_let_go(&p->job);
    return status;
}

static yoke_status write_x(const ane_framework *f, ane_product *p, const slab *s,
                           const ane_group *g, const ane_port *port, yoke_error *err)
{
    yoke_status status = worker_touch(&p->job, err);
    if (status != YOKE_OK)
        return status;
    void *memory = ane_surface_lock(f, &port->surface, false);
    if (memory) {
        ane_transfer_x(&p->x, s->begin, s->count, g->k_begin, g->k_count, p->weight->rows,
                       &port->tensor, memory);
        ane_surface_unlock(f, &port->surface, false);
        p->copied_bytes += 2 * (uint64_t)s->count * g->k_count;
    }
    worker_let_go(&p->job);
    return memory ? YOKE_OK : no_lock(err);
}

static yoke_status evaluate(const ane_framework *f, const ane_options *options, ane_product *p,
                            const ane_procedure *procedure, yoke_error *err)
{
    uint64_t hardware_ns = 0;
    if (p->device_begin_ns == 0)
        p->device_begin_ns = yoke_clock_ns();
    yoke_status status = ane_procedure_run(f, procedure, options->statistics, &hardware_ns, err);
    p->device_end_ns = yoke_clock_ns();
    p->hardware_ns += hardware_ns;
    return status;
}

/* Of a group's outputs those within the window, to their columns of the sums. */
static yoke_status read_part(const ane_framework *f, const ane_product *p, const slab *s,
                             const ane_part *part, const ane_port *port, size_t begin, bool add,
                             yoke_error *err)
{
    const size_t end = p->n_begin + p->y.cols;
    const size_t first = part->begin > begin ? part->begin : begin;
    const size_t last = size_min(part->begin + part->count, end);
    if (first >= last)
        return YOKE_OK;
    const void *memory = ane_surface_lock(f, &port->surface, true);
    if (!memory)
        return no_lock(err);
    const ane_results from = {.surface = memory,
                              .tensor = &port->tensor,
                              .rows_are_channels = p->weight->surface,
                              .first = first - part->begin,
                              .columns = last - first,
                              .rows = s->count};
    ane_transfer_sums(&from, add, p->weight->sums + (first - begin), p->weight->layout.most_rows);
    ane_surface_unlock(f, &port->surface, true);
    return YOKE_OK;
}

/* One range of columns: x in, results into the sums, which are of the outputs from `begin` on. */
static yoke_status run_group(const ane_framework *f, const ane_options *options, ane_product *p,
                             const slab *s, size_t index, size_t begin, yoke_error *err)
{
    const ane_group *g = &p->weight->layout.groups[index];
    const ane_procedure *procedure = &p->weight->groups[index].procedures[s->size];
    const bool add = index % p->weight->layout.ranges != 0;
    yoke_status status = write_x(f, p, s, g, &procedure->inputs[0], err);
    if (status == YOKE_OK)
        status = evaluate(f, options, p, procedure, err);
    for (size_t i = 0; i < g->part_count && status == YOKE_OK; i++)
        status = read_part(f, p, s, &g->parts[i], &procedure->outputs[i], begin, add, err);
    return status;
}

static yoke_status write_y(ane_product *p, const slab *s, size_t begin, size_t end, yoke_error *err)
{
    const ane_weight *w = p->weight;
    const size_t stride = yoke_matrix_stride(&p->y), column = begin - p->n_begin;
    const size_t element = yoke_format_get(p->y.format)->block_bytes;
    const yoke_matrix sums = {.format = YOKE_F32,
                              .rows = s->count,
                              .cols = end - begin,
                              .stride = w->layout.most_rows,
                              .data = w->sums};
    ane_transfer_finish(w->sums, w->layout.most_rows, w->rows, s->count,
                        w->outputs ? w->outputs + begin : NULL, end - begin);
    yoke_status status = worker_touch(&p->job, err);
    if (status != YOKE_OK)
        return status;
    const yoke_matrix y = {.format = p->y.format,
                           .rows = s->count,
                           .cols = end - begin,
                           .stride = stride,
                           .data = (char *)p->y.data + (s->begin * stride + column) * element};
    status = deliver(&sums, p->alpha, p->beta, &y, err);
    p->copied_bytes += element * (uint64_t)s->count * (end - begin);
    worker_let_go(&p->job);
    return status;
}

/* The groups of some rows of w, `first` being the one of the first columns. */
static yoke_status run_rows_of_w(const ane_framework *f, const ane_options *options, ane_product *p,
                                 const slab *s, size_t first, yoke_error *err)
{
    const ane_layout *l = &p->weight->layout;
    const ane_group *g = &l->groups[first];
    const size_t begin = g->begin > p->n_begin ? g->begin : p->n_begin;
    const size_t end = size_min(g->begin + g->count, p->n_begin + p->y.cols);
    if (begin >= end)
        return YOKE_OK;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < l->ranges && status == YOKE_OK; i++)
        status = run_group(f, options, p, s, first + i, begin, err);
    return status == YOKE_OK ? write_y(p, s, begin, end, err) : status;
}

yoke_status ane_product_run(const ane_framework *f, const ane_options *options, ane_product *p,
                            yoke_error *err)
{
    const ane_layout *l = &p->weight->layout;
    yoke_status status = YOKE_OK;
    for (size_t begin = 0; begin < p->x.rows && status == YOKE_OK;) {
        const slab s = next_slab(options, p, begin);
        status = choose_rows(p, &s, err);
        for (size_t i = 0; i < l->group_count && status == YOKE_OK; i += l->ranges)
            status = run_rows_of_w(f, options, p, &s, i, err);
        begin += s.count;
    }
    return status;
}
