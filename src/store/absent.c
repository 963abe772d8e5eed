/* The history where SQLite is not there to build with: it says so. */
#include "store/history.h"

yoke_status history_open(const char *path, history_access access, history **h, yoke_error *err)
{
    (void)access, (void)h;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "%s: this yoke was built without SQLite",
                          path);
}

void history_close(history *h)
{
    (void)h;
}

yoke_status history_add(history *h, store_record *records, size_t count, yoke_error *err)
{
    (void)h, (void)records, (void)count;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "no history");
}

yoke_status history_list(history *h, size_t limit, history_visit *visit, void *arg, yoke_error *err)
{
    (void)h, (void)limit, (void)visit, (void)arg;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "no history");
}

yoke_status history_find(history *h, int64_t id, store_record *record, yoke_error *err)
{
    (void)h, (void)id, (void)record;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "no history");
}

yoke_status history_remove(history *h, int64_t id, yoke_error *err)
{
    (void)h, (void)id;
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED, "no history");
}
