#include "../foundation/control.h"
#include "service.h"

enum { TIME_BIT = 1, EXECUTION_NS = 250000 };

static _ANEClient *shared;

@implementation _ANEClient

+ (void)initialize
{
    shared = standin_immortal([self new]);
}

+ (id)sharedConnection
{
    return shared;
}

- (bool)evaluateWithModel:(_ANEModel *)model
                  options:(NSDictionary *)options
                  request:(_ANERequest *)request
                      qos:(unsigned)qos
                    error:(NSError **)error
{
    return [self doEvaluateDirectWithModel:model
                                   options:options
                                   request:request
                                       qos:qos
                                     error:error];
}

/* The time is told to few: only where a switch says so, and only when it was asked for. */
- (bool)doEvaluateDirectWithModel:(_ANEModel *)model
                          options:(NSDictionary *)options
                          request:(_ANERequest *)request
                              qos:(unsigned)qos
                            error:(NSError **)error
{
    (void)options, (void)qos;
    if (!service_evaluate([model standin_program], request, error))
        return false;
    if (standin_switch("tells_time") && ([model perfStatsMask] & TIME_BIT))
        [[request perfStats] standin_took:EXECUTION_NS];
    return true;
}

@end
