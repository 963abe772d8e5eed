/* One product shared by the solver of the split. */
#ifndef PLANNER_SHARE_H
#define PLANNER_SHARE_H

#include "planner/cost.h"

/* Solves for the product at m rows with the engines that are known, at a corner of their figures.
 * In the solution, engines are those of the machine. Errors: those of yoke_solve. */
yoke_status share_solve(const yoke_planner_machine *machine, const corner *at,
                        const yoke_planner_product *product, size_t m, yoke_solution *solution,
                        yoke_error *err);

#endif
