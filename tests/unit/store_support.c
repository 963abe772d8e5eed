#include "unit/store_support.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

store_record support_record(double gbps)
{
    char json[600];
    snprintf(json, sizeof json,
             "{\"schema\": 1, \"versions\": {}, \"time_utc\": \"2026-01-31T12:00:00Z\", \"host\": "
             "{\"cpu\": \"Apple M4\", \"translated\": false, \"core_sets\": []}, \"artefact\": "
             "{\"kind\": \"random\", \"format\": \"f16\", \"n\": 128256, \"k\": 4096}, \"method\": "
             "{\"headline\": \"median\"}, \"options\": {}, \"engines\": [], \"notes\": [],"
             "\"rows\": [{\"suite\": \"read\", \"case\": \"size\", \"failed\": false, "
             "\"engine\": \"ane\", \"slope_gbps\": %.15g}]}",
             gbps);
    store_record record;
    assert_int_equal(store_record_make(json, strlen(json), "test", &record, NULL), YOKE_OK);
    return record;
}

static char folder[] = "/tmp/yoke-store-XXXXXX";

static int remove_one(const char *path, const struct stat *is, int flag, struct FTW *at)
{
    (void)is, (void)flag, (void)at;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *support_path(const char *name)
{
    static char path[256];
    static bool made = false;
    if (!made) {
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
        made = true;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

history *support_history(const char *path)
{
    history *h = NULL;
    yoke_error err = {0};
    if (history_open(path, HISTORY_WRITE, &h, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    return h;
}

static bool count_one(void *arg, const store_record *record)
{
    (void)record;
    ++*(size_t *)arg;
    return true;
}

size_t support_count(history *h)
{
    size_t count = 0;
    assert_int_equal(history_list(h, SIZE_MAX, count_one, &count, NULL), YOKE_OK);
    return count;
}
