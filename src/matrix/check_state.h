/* A check under way: what its parts share. */
#ifndef MATRIX_CHECK_STATE_H
#define MATRIX_CHECK_STATE_H

#include "matrix/check_bound.h"
#include "matrix/check_row.h"
#include "matrix/check_weight.h"

#define CHECK_ROWS_MOST 16

/* The first place of something. */
typedef struct check_place {
    bool found;
    size_t row, col;
} check_place;

typedef struct check_state {
    const yoke_check *check;
    const yoke_matrix *x, *y;
    size_t n_begin;
    bound bound;
    check_row row;      /* the row loaded, */
    size_t row_index;   /* its number, */
    check_row combined; /* and all of them, where they are many */

    size_t chosen[2 * CHECK_ROWS_MOST]; /* rows whose segments are checked */
    size_t spread_rows, zero_rows;
    check_place not_finite, saturated;
    bool only_zeros;
    size_t checked; /* elements and segments */
    double worst;
    size_t worst_row, worst_col;
    double error_energy, exact_energy; /* of the sampled elements */
    bound_evidence evidence;
} check_state;

static inline void check_place_set(check_place *place, size_t row, size_t col)
{
    if (!place->found)
        *place = (check_place){true, row, col};
}

/* Notes how far something at `col` of the row loaded is off, and how far it may be. */
static inline void check_measure(check_state *s, double error, double limit, size_t col)
{
    s->checked++;
    double ratio = error > 0.0 ? error / limit : 0.0;
    if (ratio > s->worst) {
        s->worst = ratio;
        s->worst_row = s->row_index;
        s->worst_col = col;
    }
}

/* Loads row `index`; false when its x has an infinity or a NaN. */
static inline bool check_load(check_state *s, size_t index)
{
    s->row_index = index;
    return check_row_load(&s->row, s->x, s->y, index);
}

/* The samples [*begin, *end) lie in the window of outputs. */
void check_window_samples(const check_state *s, size_t *begin, size_t *end);

/* Holds one element of the row loaded, at `col`, against the exact dot product. */
void check_sample(check_state *s, size_t sample, size_t col);

/* Holds every segment of a row, or of combined ones, against the weight's projections. */
void check_segments(check_state *s, const check_row *row);

/* The same for all rows combined; where that is wrong, finds a row that is. */
void check_combined(check_state *s);

#endif
