#include "engines/fake/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engines/count.h"

static const char *const known_options[] = {
    "rate_gflops",  "gbps",       "fixed_us",   "fail_at",
    "fail_wait_at", "die_at",     "hang_at",    "wrong_row_at",
    "zeros_at",     "zeros_k32",  "inf_above",  "formats",
    "granule_m",    "granule_n",  "max_m",      "max_n",
    "max_k",        "slow_after", "slow_until", "slow_factor",
    "caller",       "nan_at",     NULL};

static yoke_status bad_value(const char *key, const char *value, const char *wanted,
                             yoke_error *err)
{
    return yoke_error_set(err, YOKE_ERR_USAGE, "fake engine: option %s=%s: not %s", key, value,
                          wanted);
}

/* An absent option leaves *out alone. */
static yoke_status read_real(const yoke_engine_config *config, const char *key, double *out,
                             yoke_error *err)
{
    const char *text = yoke_engine_option_get(config, key);
    if (!text)
        return YOKE_OK;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0)
        return bad_value(key, text, "a number from 0 up", err);
    *out = value;
    return YOKE_OK;
}

static yoke_status read_formats(const yoke_engine_config *config, uint64_t *out, yoke_error *err)
{
    const char *list = yoke_engine_option_get(config, "formats");
    for (const char *at = list; at;) {
        size_t length = strcspn(at, "+");
        char name[16] = "";
        if (length < sizeof name)
            memcpy(name, at, length);
        yoke_format format = yoke_format_find(name);
        if (format == YOKE_FORMAT_NONE)
            return bad_value("formats", list, "names of formats with '+' between", err);
        *out |= (uint64_t)1 << format;
        at = at[length] ? at + length + 1 : NULL;
    }
    return YOKE_OK;
}

yoke_status script_read(const yoke_engine_config *config, script *out, yoke_error *err)
{
    *out = (script){.granule_m = 1, .granule_n = 1, .slow_factor = 2};
    const struct {
        const char *key;
        double *value;
    } reals[] = {
        {"rate_gflops", &out->rate_gflops}, {"gbps", &out->gbps},
        {"fixed_us", &out->fixed_us},       {"inf_above", &out->inf_above},
        {"slow_factor", &out->slow_factor},
    };
    const struct {
        const char *key;
        uint64_t *value;
    } counts[] = {
        {"fail_at", &out->fail_at},
        {"fail_wait_at", &out->fail_wait_at},
        {"die_at", &out->die_at},
        {"hang_at", &out->hang_at},
        {"wrong_row_at", &out->wrong_row_at},
        {"zeros_at", &out->zeros_at},
        {"nan_at", &out->nan_at},
        {"slow_after", &out->slow_after},
        {"slow_until", &out->slow_until},
        {"granule_m", &out->granule_m},
        {"granule_n", &out->granule_n},
        {"max_m", &out->max_m},
        {"max_n", &out->max_n},
        {"max_k", &out->max_k},
    };

    yoke_status status = yoke_engine_option_check(config, known_options, err);
    for (size_t i = 0; i < sizeof reals / sizeof reals[0] && status == YOKE_OK; i++)
        status = read_real(config, reals[i].key, reals[i].value, err);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && status == YOKE_OK; i++)
        status = count_read("fake", config, counts[i].key, counts[i].value, err);
    if (status == YOKE_OK)
        status = read_formats(config, &out->formats, err);
    out->zeros_k32 = yoke_engine_option_get(config, "zeros_k32") != NULL;
    out->caller = yoke_engine_option_get(config, "caller") != NULL;
    if (status == YOKE_OK && (out->granule_m == 0 || out->granule_n == 0))
        status = yoke_error_set(err, YOKE_ERR_USAGE, "fake engine: a granule of 0");
    return status;
}
