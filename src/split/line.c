#include "split/line.h"

/* The last knot at or before `at`. */
static size_t knot_at(const line *l, size_t at)
{
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (l->at[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The last knot whose time is within `time`; knot 0 is. */
static size_t knot_within(const line *l, double time)
{
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (l->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Each operation rounds to nearest and so keeps order; the cap keeps it across a knot. */
static double time_after(const line *l, size_t knot, size_t at)
{
    double beyond = (double)(at - l->at[knot]);
    if (knot + 1 == l->count)
        return l->time[knot] + l->slope * beyond;
    double rise = l->time[knot + 1] - l->time[knot];
    double time = l->time[knot] + rise * beyond / (double)(l->at[knot + 1] - l->at[knot]);
    return time < l->time[knot + 1] ? time : l->time[knot + 1];
}

double line_time(const line *l, size_t at)
{
    return time_after(l, knot_at(l, at), at);
}

/* Where the straight piece after `knot` meets `time`, between low and high. */
static size_t meet(const line *l, size_t knot, double time, size_t low, size_t high)
{
    double slope = l->slope;
    if (knot + 1 < l->count)
        slope = (l->time[knot + 1] - l->time[knot]) / (double)(l->at[knot + 1] - l->at[knot]);
    double beyond = (time - l->time[knot]) / slope;
    return beyond < (double)(high - low) ? low + (size_t)beyond : high;
}

size_t line_reach(const line *l, double time, size_t limit)
{
    if (time < l->time[0])
        return 0;
    size_t knot = knot_within(l, time);
    size_t low = l->at[knot];
    if (low >= limit)
        return limit;
    /* low is within; high is not, or beyond the limit. */
    size_t high = knot + 1 < l->count && l->at[knot + 1] <= limit ? l->at[knot + 1] : limit + 1;
    /* The piece's own guess is right, or next to right, but for rounding. */
    size_t guess = meet(l, knot, time, low, high - 1);
    for (int probes = 0; high - low > 1; probes++) {
        size_t middle = probes == 0 ? guess : probes == 1 ? guess + 1 : low + (high - low) / 2;
        if (middle <= low || middle >= high)
            middle = low + (high - low) / 2;
        if (time_after(l, knot, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void line_scale(const line *l, double factor, line *out)
{
    out->count = l->count;
    for (size_t i = 0; i < l->count; i++) {
        out->at[i] = l->at[i];
        out->time[i] = l->time[i] * factor;
    }
    out->slope = l->slope * factor;
}

void line_blend(const line *a, const line *b, double weight, line *out)
{
    size_t count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count; count++) {
        bool from_a = j == b->count || (i < a->count && a->at[i] <= b->at[j]);
        size_t at = from_a ? a->at[i] : b->at[j];
        out->at[count] = at;
        out->time[count] = (1 - weight) * line_time(a, at) + weight * line_time(b, at);
        i += i < a->count && a->at[i] == at;
        j += j < b->count && b->at[j] == at;
    }
    out->count = count;
    out->slope = (1 - weight) * a->slope + weight * b->slope;
}
