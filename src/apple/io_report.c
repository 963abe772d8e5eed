#include "apple/io_report.h"

#include "apple/framework.h"

#define FORMAT_SIMPLE 1

yoke_status io_report_load(io_report *io, yoke_error *err)
{
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"IOReportCopyChannelsInGroup", &io->IOReportCopyChannelsInGroup},
        {"IOReportCreateSubscription", &io->IOReportCreateSubscription},
        {"IOReportCreateSamples", &io->IOReportCreateSamples},
        {"IOReportCreateSamplesDelta", &io->IOReportCreateSamplesDelta},
        {"IOReportChannelGetChannelName", &io->IOReportChannelGetChannelName},
        {"IOReportChannelGetUnitLabel", &io->IOReportChannelGetUnitLabel},
        {"IOReportChannelGetFormat", &io->IOReportChannelGetFormat},
        {"IOReportSimpleGetIntegerValue", &io->IOReportSimpleGetIntegerValue},
        {"IOReportStateGetCount", &io->IOReportStateGetCount},
        {"IOReportStateGetNameForIndex", &io->IOReportStateGetNameForIndex},
        {"IOReportStateGetResidency", &io->IOReportStateGetResidency},
    };
    void *library;
    yoke_status status = core_foundation_load(&io->cf, err);
    if (status == YOKE_OK)
        status = apple_framework_open("IOReport", &library, err);
    for (size_t i = 0; i < sizeof functions / sizeof *functions && status == YOKE_OK; i++)
        status = apple_framework_function(library, "IOReport", functions[i].name,
                                          functions[i].function, err);
    return status;
}

static cf_ref channels_of(const io_report *io, const char *group, const char *subgroup)
{
    cf_ref group_name = core_foundation_string(&io->cf, group);
    cf_ref subgroup_name = subgroup ? core_foundation_string(&io->cf, subgroup) : NULL;
    cf_ref channels = group_name && !subgroup == !subgroup_name
                          ? io->IOReportCopyChannelsInGroup(group_name, subgroup_name, 0, 0, 0)
                          : NULL;
    core_foundation_release(&io->cf, subgroup_name);
    core_foundation_release(&io->cf, group_name);
    return channels;
}

bool io_report_open(const io_report *io, const char *group, const char *subgroup,
                    io_report_group *opened)
{
    *opened = (io_report_group){.subscription = NULL};
    cf_ref channels = channels_of(io, group, subgroup);
    if (!channels)
        return false;
    opened->subscription =
        io->IOReportCreateSubscription(NULL, channels, &opened->subscribed, 0, NULL);
    core_foundation_release(&io->cf, channels);
    if (opened->subscription && opened->subscribed)
        return true;
    io_report_close(io, opened);
    return false;
}

void io_report_close(const io_report *io, io_report_group *group)
{
    core_foundation_release(&io->cf, group->before);
    core_foundation_release(&io->cf, group->subscribed);
    core_foundation_release(&io->cf, group->subscription);
    *group = (io_report_group){.subscription = NULL};
}

static cf_ref sample(const io_report *io, const io_report_group *group)
{
    return io->IOReportCreateSamples(group->subscription, group->subscribed, NULL);
}

void io_report_begin(const io_report *io, io_report_group *group)
{
    core_foundation_release(&io->cf, group->before);
    group->before = sample(io, group);
}

void io_report_end(const io_report *io, io_report_group *group,
                   void (*see)(void *arg, const io_report *io, cf_ref channel), void *arg)
{
    cf_ref after = group->before ? sample(io, group) : NULL;
    cf_ref change = after ? io->IOReportCreateSamplesDelta(group->before, after, NULL) : NULL;
    cf_ref channels = core_foundation_get(&io->cf, change, "IOReportChannels");
    for (size_t i = 0; i < core_foundation_count(&io->cf, channels); i++)
        see(arg, io, core_foundation_item(&io->cf, channels, i));
    core_foundation_release(&io->cf, change);
    core_foundation_release(&io->cf, after);
}

void io_report_name(const io_report *io, cf_ref channel, char *out, size_t room)
{
    core_foundation_text(&io->cf, io->IOReportChannelGetChannelName(channel), out, room);
}

void io_report_unit(const io_report *io, cf_ref channel, char *out, size_t room)
{
    core_foundation_text(&io->cf, io->IOReportChannelGetUnitLabel(channel), out, room);
}

bool io_report_plain(const io_report *io, cf_ref channel)
{
    return io->IOReportChannelGetFormat(channel) == FORMAT_SIMPLE;
}
