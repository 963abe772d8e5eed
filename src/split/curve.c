#include "split/curve.h"

#include <stdlib.h>
#include <string.h>

/* The nearest times that do not fall as n grows, by least squares: neighbours that fall are pooled
 * into their mean until none do. */
static void pool_falling(const yoke_curve_point *points, size_t count, double *times)
{
    double mean[YOKE_CURVE_MAX_N];
    size_t size[YOKE_CURVE_MAX_N], blocks = 0;
    for (size_t i = 0; i < count; i++, blocks++) {
        mean[blocks] = points[i].median_ns;
        size[blocks] = 1;
        for (; blocks > 0 && mean[blocks - 1] > mean[blocks]; blocks--) {
            size_t both = size[blocks - 1] + size[blocks];
            mean[blocks - 1] +=
                (mean[blocks] - mean[blocks - 1]) * (double)size[blocks] / (double)both;
            size[blocks - 1] = both;
        }
    }
    for (size_t block = 0, i = 0; block < blocks; block++)
        for (size_t end = i + size[block]; i < end; i++)
            times[i] = mean[block];
}

/* Where the line through the first two points meets n = 0. One point alone knows of no fixed cost.
 */
static double fixed_cost(const line *l)
{
    if (l->count < 3)
        return 0;
    double slope = (l->time[2] - l->time[1]) / (double)(l->at[2] - l->at[1]);
    double fixed = l->time[1] - slope * (double)l->at[1];
    return fixed > 0 ? fixed : 0;
}

/* That of the last piece that rises; a line that is flat throughout goes on in proportion. */
static double last_slope(const line *l)
{
    size_t last = l->count - 1;
    for (size_t i = last; i-- > 0;)
        if (l->time[i] < l->time[last])
            return (l->time[last] - l->time[i]) / (double)(l->at[last] - l->at[i]);
    return l->time[last] / (double)l->at[last];
}

static void row_draw_line(curve_row *row)
{
    line *l = &row->line;
    l->count = row->count + 1;
    l->at[0] = 0;
    for (size_t i = 0; i < row->count; i++)
        l->at[i + 1] = row->points[i].n;
    pool_falling(row->points, row->count, l->time + 1);
    l->time[0] = fixed_cost(l);
    l->slope = last_slope(l);
}

static yoke_status row_add(curve_row *row, const yoke_curve_point *point, yoke_error *err)
{
    size_t i = 0;
    while (i < row->count && row->points[i].n < point->n)
        i++;
    if (i == row->count || row->points[i].n != point->n) {
        if (row->count == YOKE_CURVE_MAX_N)
            return yoke_error_set(err, YOKE_ERR_USAGE,
                                  "a curve holds %d window sizes at each m, and no more",
                                  YOKE_CURVE_MAX_N);
        memmove(row->points + i + 1, row->points + i, (row->count - i) * sizeof *row->points);
        row->count++;
    }
    row->points[i] = *point;
    row_draw_line(row);
    return YOKE_OK;
}

static yoke_status insert_row(curve *c, size_t index, size_t m, yoke_error *err)
{
    if (c->count == YOKE_CURVE_MAX_M)
        return yoke_error_set(err, YOKE_ERR_USAGE, "a curve holds %d values of m, and no more",
                              YOKE_CURVE_MAX_M);
    curve_row *rows = realloc(c->rows, (c->count + 1) * sizeof *rows);
    if (!rows)
        return yoke_error_set(err, YOKE_ERR_MEMORY, "no memory for a curve");
    memmove(rows + index + 1, rows + index, (c->count - index) * sizeof *rows);
    rows[index] = (curve_row){.m = m};
    c->rows = rows;
    c->count++;
    return YOKE_OK;
}

/* The first row of at least m; count when there is none. */
static size_t row_from(const curve *c, size_t m)
{
    size_t i = 0;
    while (i < c->count && c->rows[i].m < m)
        i++;
    return i;
}

yoke_status curve_add(curve *c, const yoke_curve_point *point, yoke_error *err)
{
    size_t i = row_from(c, point->m);
    if (i == c->count || c->rows[i].m != point->m) {
        yoke_status status = insert_row(c, i, point->m, err);
        if (status != YOKE_OK)
            return status;
    }
    return row_add(&c->rows[i], point, err);
}

void curve_free(curve *c)
{
    free(c->rows);
    *c = (curve){0};
}

void curve_over_n(const curve *c, size_t m, line *out)
{
    size_t i = row_from(c, m);
    if (i == c->count) {
        const curve_row *last = &c->rows[c->count - 1];
        line_scale(&last->line, (double)m / (double)last->m, out);
    } else if (i == 0 || c->rows[i].m == m) {
        line_scale(&c->rows[i].line, 1, out);
    } else {
        const curve_row *low = &c->rows[i - 1], *high = &c->rows[i];
        line_blend(&low->line, &high->line, (double)(m - low->m) / (double)(high->m - low->m), out);
    }
}

void curve_over_m(const curve *c, size_t n, line *out)
{
    double slowest = line_time(&c->rows[0].line, n);
    out->count = c->count + 1;
    out->at[0] = 0;
    out->time[0] = slowest;
    for (size_t i = 0; i < c->count; i++) {
        double time = line_time(&c->rows[i].line, n);
        slowest = time > slowest ? time : slowest;
        out->at[i + 1] = c->rows[i].m;
        out->time[i + 1] = slowest;
    }
    out->slope = slowest / (double)c->rows[c->count - 1].m;
}
