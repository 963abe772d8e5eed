/* Records of the history, printed. */
#ifndef CLI_HISTORY_SHOW_H
#define CLI_HISTORY_SHOW_H

#include "store/history.h"

/* The last `limit` records as a table. */
yoke_status history_print_list(history *h, size_t limit, yoke_error *err);

/* One record as its bench printed it; of another tool's record what is known. */
yoke_status history_print_record(const store_record *stored, yoke_error *err);

#endif
