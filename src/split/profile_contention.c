/* What a profile knows of engines that slow each other down. */
#include <stdlib.h>
#include <string.h>

#include "split/profile.h"

void profile_drop_contentions(profile_curve *entry, size_t other)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->contention_count; i++)
        if (entry->contentions[i].other != other)
            entry->contentions[kept++] = entry->contentions[i];
    entry->contention_count = kept;
}

static yoke_status put_contention(profile_curve *entry, const profile_contention *contention)
{
    size_t i = 0;
    while (i < entry->contention_count && (entry->contentions[i].other < contention->other ||
                                           (entry->contentions[i].other == contention->other &&
                                            entry->contentions[i].m < contention->m)))
        i++;
    if (i == entry->contention_count || entry->contentions[i].other != contention->other ||
        entry->contentions[i].m != contention->m) {
        profile_contention *grown =
            realloc(entry->contentions, (entry->contention_count + 1) * sizeof *grown);
        if (!grown)
            return YOKE_ERR_MEMORY;
        memmove(grown + i + 1, grown + i, (entry->contention_count - i) * sizeof *grown);
        entry->contentions = grown;
        entry->contention_count++;
    }
    entry->contentions[i] = *contention;
    return YOKE_OK;
}

yoke_status yoke_profile_add_contention(yoke_profile *profile, const yoke_curve_key *key, size_t m,
                                        const char *other, double slowdown, yoke_error *err)
{
    yoke_status status;
    const profile_curve *found = profile_find(profile, key, &status, err);
    if (!found)
        return status;
    if (!other || !other[0] || !profile_plausible_size(m) ||
        !(slowdown > 0 && slowdown <= PROFILE_LONGEST_NS))
        return yoke_error_set(err, YOKE_ERR_USAGE, "%s: %g is no slowdown by \"%s\" at m = %zu",
                              key->engine, slowdown, other ? other : "", m);
    profile_contention contention = {.m = m, .slowdown = slowdown};
    status = profile_engine_of(profile, other, &contention.other, err);
    if (status != YOKE_OK)
        return status;
    if (put_contention(&profile->curves[found - profile->curves], &contention) != YOKE_OK)
        return profile_no_memory(key->engine, err);
    return YOKE_OK;
}

double profile_contention_of(const yoke_profile *profile, const profile_curve *found, size_t m,
                             const char *other)
{
    const profile_contention *below = NULL, *above = NULL;
    for (size_t i = 0; i < found->contention_count && !above; i++) {
        const profile_contention *each = &found->contentions[i];
        if (strcmp(profile->engines[each->other].name, other) != 0)
            continue;
        if (each->m <= m)
            below = each;
        else
            above = each;
    }
    double slowdown = below ? below->slowdown : above ? above->slowdown : 1;
    if (below && above)
        slowdown += (above->slowdown - below->slowdown) * (double)(m - below->m) /
                    (double)(above->m - below->m);
    return slowdown > 1 ? slowdown : 1;
}

double yoke_profile_contention(const yoke_profile *profile, const yoke_curve_key *key, size_t m,
                               const char *other)
{
    yoke_status status;
    const profile_curve *found = profile_find(profile, key, &status, NULL);
    return found && other ? profile_contention_of(profile, found, m, other) : 1;
}

bool yoke_profile_contention_at(const yoke_profile *profile, const yoke_curve_key *key,
                                size_t index, yoke_contention *contention)
{
    yoke_status status;
    const profile_curve *found = profile_find(profile, key, &status, NULL);
    if (!found || index >= found->contention_count)
        return false;
    const profile_contention *each = &found->contentions[index];
    *contention = (yoke_contention){
        .m = each->m, .other = profile->engines[each->other].name, .slowdown = each->slowdown};
    return true;
}
