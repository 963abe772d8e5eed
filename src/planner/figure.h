/* Figures of a chip's engines, out of the table of chips. */
#ifndef PLANNER_FIGURE_H
#define PLANNER_FIGURE_H

#include "yoke/planner.h"

typedef enum figure_kind { FIGURE_GBPS, FIGURE_TFLOPS, FIGURE_CALL_US, FIGURE_KINDS } figure_kind;

/* "gpu" and so on: what the table publishes for the chip, else scaled from others. */
yoke_planner_figure figure_of(const yoke_chips *chips, const char *chip, const char *engine,
                              figure_kind kind);

/* One known value. */
yoke_planner_figure figure_known(double value, yoke_planner_basis basis, const char *source);

bool figure_is_known(const yoke_planner_figure *figure);

/* The better of two bases is the lower one. */
yoke_planner_basis figure_weaker(yoke_planner_basis a, yoke_planner_basis b);

#endif
