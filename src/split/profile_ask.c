/* What a profile answers of its curves. */
#include "split/profile.h"

yoke_status yoke_profile_predict(const yoke_profile *profile, const yoke_curve_key *key, size_t m,
                                 size_t n, double *ns, yoke_error *err)
{
    yoke_status status;
    const profile_curve *found = profile_find(profile, key, &status, err);
    if (!found)
        return status;
    if (!profile_plausible_size(m) || n > PTRDIFF_MAX || !ns)
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: no prediction for m = %zu, n = %zu",
                              key->engine, m, n);
    line over_n;
    curve_over_n(&found->curve, m, &over_n);
    *ns = line_time(&over_n, n);
    return YOKE_OK;
}

bool yoke_profile_curve_at(const yoke_profile *profile, size_t index, yoke_curve_key *key)
{
    if (!profile || index >= profile->curve_count)
        return false;
    const profile_curve *entry = &profile->curves[index];
    const profile_engine *engine = &profile->engines[entry->engine];
    *key = (yoke_curve_key){.engine = engine->name,
                            .description = engine->description,
                            .format = entry->format,
                            .k = entry->k,
                            .x_format = entry->x_format,
                            .precision = entry->precision};
    return true;
}

bool yoke_profile_point_at(const yoke_profile *profile, const yoke_curve_key *key, size_t index,
                           yoke_curve_point *point)
{
    yoke_status status;
    const profile_curve *found = profile_find(profile, key, &status, NULL);
    if (!found)
        return false;
    for (size_t i = 0; i < found->curve.count; i++) {
        const curve_row *row = &found->curve.rows[i];
        if (index < row->count) {
            *point = row->points[index];
            return true;
        }
        index -= row->count;
    }
    return false;
}
