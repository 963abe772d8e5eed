/* A product under way on one engine. */
#ifndef ENGINES_FLIGHT_H
#define ENGINES_FLIGHT_H

#include "engines/weight.h"

/* Stays where it is from start to finish. */
typedef struct flight {
    const yoke_weight *weight;
    yoke_matrix x, y;
    yoke_task task;
    yoke_ticket ticket;
    yoke_timing seen; /* from outside: what the engine may leave out */
    bool submitted;   /* else nothing was left for an engine to do */
} flight;

/* Whether `what` is a valid matrix of a format that x and y may have. Errors: those of
 * yoke_matrix_validate, YOKE_ERR_UNSUPPORTED. */
yoke_status flight_check_operand(const yoke_matrix *matrix, const char *what, yoke_error *err);

/* Checks and submits; the arguments are those of yoke_weight_multiply, and so are the errors, after
 * which there is nothing to finish. x and y may go away; their data may not. */
yoke_status flight_start(flight *f, const yoke_weight *weight, const yoke_matrix *x,
                         const yoke_matrix *y, const yoke_multiply_options *options,
                         yoke_error *err);

/* The second half of flight_start: submits f->task, already checked. */
yoke_status flight_submit(flight *f, yoke_error *err);

/* Waits; exactly once for each start, from the same thread. Times as for an engine's wait. */
yoke_status flight_finish(flight *f, yoke_wait_how how, uint64_t predicted_end_ns,
                          uint64_t deadline_ns, yoke_timing *timing, yoke_error *err);

#endif
