/* Published measurements as tables that compare like with like. */
#ifndef CLI_CHIPS_TABLES_H
#define CLI_CHIPS_TABLES_H

#include "chips_view.h"

/* Prints the tables, what is missing, what is kept apart, and the statements that contradict each
 * other. Errors: YOKE_ERR_NOT_FOUND (a choice that nothing fits; names what there is),
 * YOKE_ERR_MEMORY. */
yoke_status chips_print(const yoke_chips *chips, const chips_choice *choice, yoke_error *err);

#endif
