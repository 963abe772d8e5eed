#include "engines/ane/options.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS ((size_t)16384) /* the shortest limit of a last axis seen */
#define MOST_MIB  ((size_t)2048)

enum { ROWS_GRANULE = 32, AXIS_GRANULE = 64, DEPTH_MOST = 99 };

static const char *const known[] = {"rows",       "weights", "axis",  "parts", "program_mib",
                                    "procedures", "guard",   "round", "stats", "depth",
                                    "compile_s",  "helper",  NULL};

static yoke_status refuse(const char *key, const char *value, const char *wanted, yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_USAGE, "engine ane: option %s=%s: %s", key, value, wanted);
}

/* A whole number from `least` to `most`; false when it is none. *end: behind it. */
static bool read_number(const char *text, size_t least, size_t most, size_t *out, char **end)
{
    unsigned long long value = *text >= '0' && *text <= '9' ? strtoull(text, end, 10) : 0;
    *out = (size_t)value;
    return value >= least && value <= most && *text >= '0' && *text <= '9';
}

static yoke_status read_size(const yoke_engine_config *config, const char *key, size_t least,
                             size_t most, size_t *out, yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, key);
    char *end = NULL;
    if (!text)
        return YOKE_OK;
    if (!read_number(text, least, most, out, &end) || *end)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "engine ane: option %s=%s: a whole number from %zu to %zu", key, text,
                              least, most);
    return YOKE_OK;
}

static yoke_status read_flag(const yoke_engine_config *config, const char *key, bool *out,
                             yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, key);
    if (!text)
        return YOKE_OK;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return refuse(key, text, "0 or 1", err);
    *out = *text == '1';
    return YOKE_OK;
}

static yoke_status read_rows(const yoke_engine_config *config, ane_options *out, yoke_error *err)
{
    static const char wanted[] = "up to four ascending multiples of 32 up to 16384, as 64/512";
    const char *text = yoke_engine_option_get(config, "rows");
    if (!text)
        return YOKE_OK;
    size_t count = 0, last = 0;
    for (const char *at = text;;) {
        char *end = NULL;
        size_t rows;
        if (count == ANE_SIZES_MOST || !read_number(at, last + 1, MOST_ROWS, &rows, &end) ||
            rows % ROWS_GRANULE != 0 || (*end && *end != '/'))
            return refuse("rows", text, wanted, err);
        out->rows[count++] = last = rows;
        if (!*end)
            break;
        at = end + 1;
    }
    out->size_count = count;
    return YOKE_OK;
}

static yoke_status read_form(const yoke_engine_config *config, ane_options *out, yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, "weights");
    if (!text)
        return YOKE_OK;
    out->surface = strcmp(text, "surface") == 0;
    if (!out->surface && strcmp(text, "compiled") != 0)
        return refuse("weights", text, "compiled or surface", err);
    return YOKE_OK;
}

yoke_status ane_options_read(const yoke_engine_config *config, ane_options *out, yoke_error *err)
{
    /* 64 rows are the fast path's granule. The chips' longest axis is 16384 before A16 and M3, and
     * 65536 from there, but 32768 outputs were refused by an M4. macOS 27 limits programs to 1 GiB.
     * The framework allows 128 procedures in one; 112 were seen to work. */
    *out = (ane_options){.rows = {64},
                         .size_count = 1,
                         .axis = 16384,
                         .parts = 8,
                         .procedures = 112,
                         .guard = true,
                         .depth = 64,
                         .compile_s = 120};
    size_t mib = 960, seconds = out->compile_s;
    yoke_status status = yoke_engine_option_check(config, known, err);
    if (status == YOKE_OK)
        status = read_rows(config, out, err);
    if (status == YOKE_OK)
        status = read_form(config, out, err);
    if (status == YOKE_OK)
        status = read_size(config, "axis", AXIS_GRANULE, 65536, &out->axis, err);
    if (status == YOKE_OK)
        status = read_size(config, "parts", 1, ANE_PARTS_MOST, &out->parts, err);
    if (status == YOKE_OK)
        status = read_size(config, "program_mib", 1, MOST_MIB, &mib, err);
    if (status == YOKE_OK)
        status = read_size(config, "procedures", 1, ANE_PROCEDURES_MOST, &out->procedures, err);
    if (status == YOKE_OK)
        status = read_size(config, "depth", 1, DEPTH_MOST, &out->depth, err);
    if (status == YOKE_OK)
        status = read_size(config, "compile_s", 1, 3600, &seconds, err);
    if (status == YOKE_OK)
        status = read_flag(config, "guard", &out->guard, err);
    if (status == YOKE_OK)
        status = read_flag(config, "round", &out->round, err);
    if (status == YOKE_OK)
        status = read_flag(config, "stats", &out->statistics, err);
    out->axis -= out->axis % AXIS_GRANULE;
    out->part_rows = out->axis;
    out->program_bytes = mib << 20;
    out->compile_s = (unsigned)seconds;
    return status;
}
