/* What the framework says of the device, of time and of priorities. */
#include <stdlib.h>

#include "../foundation/control.h"
#include "ane.h"
#include "chip.h"

@implementation _ANEPerformanceStats

+ (id)statsWithHardwareExecutionNS:(uint64_t)nanoseconds
{
    _ANEPerformanceStats *made = [[self alloc] autorelease];
    made->time = nanoseconds;
    return made;
}

- (id)init
{
    [self release];
    return nil;
}

- (uint64_t)hwExecutionTime
{
    return time;
}

- (void)standin_took:(uint64_t)nanoseconds
{
    time = nanoseconds;
}

@end

@implementation _ANEDeviceInfo

+ (bool)hasANE
{
    return !standin_switch("no_ane");
}

+ (unsigned)numANEs
{
    return (unsigned)standin_number("anes", 1);
}

/* 16 for each engine of h13 to h18. */
+ (unsigned)numANECores
{
    return 16 * [self numANEs];
}

+ (NSString *)aneArchitectureType
{
    return standin_string("%s", chip_get().architecture);
}

+ (NSString *)aneSubType
{
    return standin_string("%.3s", chip_get().architecture);
}

+ (NSString *)aneSubTypeVariant
{
    return standin_string("%s", chip_get().architecture + 3);
}

+ (int64_t)aneBoardType
{
    return 272;
}

+ (bool)isVirtualMachine
{
    return standin_switch("vm");
}

+ (bool)isInternalBuild
{
    return false;
}

@end

@interface _ANEQoSMapper : NSObject
@end

@implementation _ANEQoSMapper

+ (unsigned)aneBackgroundTaskQoS
{
    return 9;
}

+ (unsigned)aneUtilityTaskQoS
{
    return 17;
}

+ (unsigned)aneDefaultTaskQoS
{
    return 21;
}

+ (unsigned)aneUserInitiatedTaskQoS
{
    return 25;
}

+ (unsigned)aneUserInteractiveTaskQoS
{
    return 33;
}

@end
