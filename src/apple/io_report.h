/* IOReport: what the chip counts, by group, subgroup and the exact name of a channel. */
#ifndef APPLE_IO_REPORT_H
#define APPLE_IO_REPORT_H

#include "apple/core_foundation.h"

typedef struct io_report {
    core_foundation cf;
    cf_ref (*IOReportCopyChannelsInGroup)(cf_ref group, cf_ref subgroup, uint64_t, uint64_t,
                                          uint64_t);
    cf_ref (*IOReportCreateSubscription)(void *, cf_ref channels, cf_ref *subscribed, uint64_t,
                                         cf_ref);
    cf_ref (*IOReportCreateSamples)(cf_ref subscription, cf_ref subscribed, cf_ref);
    cf_ref (*IOReportCreateSamplesDelta)(cf_ref before, cf_ref after, cf_ref);
    cf_ref (*IOReportChannelGetChannelName)(cf_ref channel);
    cf_ref (*IOReportChannelGetUnitLabel)(cf_ref channel);
    int32_t (*IOReportChannelGetFormat)(cf_ref channel);
    int64_t (*IOReportSimpleGetIntegerValue)(cf_ref channel, int32_t);
    int32_t (*IOReportStateGetCount)(cf_ref channel);
    cf_ref (*IOReportStateGetNameForIndex)(cf_ref channel, int32_t index);
    int64_t (*IOReportStateGetResidency)(cf_ref channel, int32_t index);
} io_report;

/* Errors: YOKE_ERR_UNSUPPORTED, with the reason. */
yoke_status io_report_load(io_report *io, yoke_error *err);

/* One group, subscribed on its own: a group that cannot be had would empty what it is merged with.
 */
typedef struct io_report_group {
    cf_ref subscription, subscribed, before;
} io_report_group;

/* False where there is no such group or it gives no samples. subgroup NULL: all of them. */
bool io_report_open(const io_report *io, const char *group, const char *subgroup,
                    io_report_group *opened);
void io_report_close(const io_report *io, io_report_group *group);

/* Begins an interval; its end calls `see` with each channel as it changed meanwhile. */
void io_report_begin(const io_report *io, io_report_group *group);
void io_report_end(const io_report *io, io_report_group *group,
                   void (*see)(void *arg, const io_report *io, cf_ref channel), void *arg);

/* Of a channel: its name and unit ("" for none), and whether it is a plain number (else it has
 * states: histograms are such too). */
void io_report_name(const io_report *io, cf_ref channel, char *out, size_t room);
void io_report_unit(const io_report *io, cf_ref channel, char *out, size_t room);
bool io_report_plain(const io_report *io, cf_ref channel);

#endif
