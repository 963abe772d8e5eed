/* What one product costs on one engine. */
#ifndef PLANNER_COST_H
#define PLANNER_COST_H

#include "yoke/planner.h"

/* Which engines are taken at the better end of their figures. */
typedef struct corner {
    bool better[YOKE_PLANNER_MAX_ENGINES];
} corner;

typedef struct cost {
    const yoke_planner_machine *machine;
    size_t engine;
    bool better;
} cost;

/* Are all the figures known that its time takes? */
bool cost_known(const yoke_planner_machine *machine, size_t engine);

/* Time in ns of n outputs of the product at m rows, alone; NaN without a curve for it. */
double cost_ns(const cost *c, const yoke_planner_product *product, size_t m, size_t n);

/* How fast it then reads weights, in bytes a ns. */
double cost_demand(const cost *c, const yoke_planner_product *product, size_t m);

/* Is reading what takes its time? */
bool cost_reads(const cost *c, const yoke_planner_product *product, size_t m);

/* The weakest of what the time rests on. */
yoke_planner_basis cost_basis(const cost *c, const yoke_planner_product *product);

/* How much longer it takes at m rows while the engine `other` works too. */
double cost_slowdown(const cost *c, const cost *other, const yoke_planner_product *product,
                     size_t m);

/* The format in which the engine holds the product's weights. */
yoke_format cost_format(const yoke_planner_engine *engine, const yoke_planner_product *product);

#endif
