#include "split/border.h"

#include <math.h>

void border_note(border_history *history, const double *unit_ns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        history->unit_ns[i][history->count % BORDER_MEDIAN_OF] = unit_ns[i];
    history->count++;
}

bool border_is_known(const border_history *history)
{
    return history->count >= BORDER_MEDIAN_OF;
}

double border_median(const border_history *history, size_t i)
{
    double sorted[BORDER_MEDIAN_OF];
    for (size_t j = 0; j < BORDER_MEDIAN_OF; j++) {
        size_t at = j;
        for (; at > 0 && sorted[at - 1] > history->unit_ns[i][j]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = history->unit_ns[i][j];
    }
    return sorted[BORDER_MEDIAN_OF / 2];
}

double border_slowest(const border_branch *branches, size_t count, const size_t *begins)
{
    double slowest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = begins[i + 1] - begins[i];
        if (size > 0)
            slowest = fmax(slowest, branches[i].fixed_ns + branches[i].unit_ns * (double)size);
    }
    return slowest;
}

/* The time at which windows that end together end: sum over i of (time - fixed) / unit is total.
 * Those whose fixed cost alone is longer get nothing; without them the time is shorter still (their
 * share was negative), so that none of them comes back. */
static double common_end(const border_branch *branches, size_t count, double total)
{
    bool out[YOKE_SPLIT_MAX_ENGINES] = {false};
    for (;;) {
        double work = total, rate = 0;
        for (size_t i = 0; i < count; i++)
            if (!out[i]) {
                work += branches[i].fixed_ns / branches[i].unit_ns;
                rate += 1 / branches[i].unit_ns;
            }
        double end = work / rate;
        bool again = false;
        for (size_t i = 0; i < count; i++)
            if (!out[i] && branches[i].fixed_ns >= end)
                out[i] = again = true;
        if (!again)
            return end;
    }
}

void border_balance(const border_branch *branches, size_t count, size_t total, size_t granule,
                    size_t *begins)
{
    double end = common_end(branches, count, (double)total), at = 0;
    begins[0] = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        at += fmax(0, end - branches[i].fixed_ns) / branches[i].unit_ns;
        double border = round(at / (double)granule) * (double)granule;
        begins[i + 1] = border < (double)total ? (size_t)border : total;
    }
    begins[count] = total;
}

void border_clamp(const border_branch *branches, size_t count, size_t *begins)
{
    for (size_t i = 1; i < count; i++) {
        if (begins[i] > branches[i - 1].most)
            begins[i] = branches[i - 1].most;
        if (begins[i] < branches[i].least)
            begins[i] = branches[i].least;
        if (begins[i] < begins[i - 1])
            begins[i] = begins[i - 1];
    }
}
