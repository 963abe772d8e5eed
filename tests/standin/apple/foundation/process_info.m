/* NSProcessInfo. With the switch `old_macos` it is that of a system before macOS 12, which has no
 * low-power mode to tell of; with `low_power` that mode is on. */
#include "control.h"
#include "foundation.h"

@interface StandinOldProcessInfo : NSObject
@end

@implementation StandinOldProcessInfo
@end

@interface NSProcessInfo : StandinOldProcessInfo
+ (id)processInfo;
- (bool)isLowPowerModeEnabled;
@end

static NSProcessInfo *info;
static StandinOldProcessInfo *old_info;

@implementation NSProcessInfo

+ (void)initialize
{
    info = standin_immortal([self new]);
    old_info = standin_immortal([StandinOldProcessInfo new]);
}

+ (id)processInfo
{
    return standin_switch("old_macos") ? (id)old_info : (id)info;
}

- (bool)isLowPowerModeEnabled
{
    return standin_switch("low_power");
}

@end
