/* The measurements that are chosen, and which of them make one column. */
#ifndef CLI_CHIPS_VIEW_H
#define CLI_CHIPS_VIEW_H

#include "yoke/chips.h"

/* What to show; NULL: all. */
typedef struct chips_choice {
    const char *chip, *artefact, *method;
} chips_choice;

/* In the order of the file. */
typedef struct chips_view {
    const yoke_chips *chips;
    const yoke_chip_measurement **rows;
    size_t count;
} chips_view;

/* Free with chips_view_free, after an error too. Errors: YOKE_ERR_NOT_FOUND (a choice that nothing
 * fits), YOKE_ERR_MEMORY. */
yoke_status chips_view_create(chips_view *v, const yoke_chips *chips, const chips_choice *choice,
                              yoke_error *err);
void chips_view_free(chips_view *v);

/* Same engine, artefact, method and mode: what may be compared. */
bool chips_same_column(const yoke_chip_measurement *a, const yoke_chip_measurement *b);

/* Is this the first row of its column in the view? */
bool chips_begins_column(const chips_view *v, size_t at);

#endif
