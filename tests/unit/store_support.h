/* Records and a folder for the tests of the history. */
#ifndef STORE_SUPPORT_H
#define STORE_SUPPORT_H

#include "store/history.h"

/* A record of the M4's LM head at `gbps`. Free with store_record_free. */
store_record support_record(double gbps);

/* "FOLDER/name" in a new temporary folder, which goes at exit. Valid until the next call. */
const char *support_path(const char *name);

/* Opens to write, or fails the test. */
history *support_history(const char *path);

/* How many records it holds. */
size_t support_count(history *h);

#endif
