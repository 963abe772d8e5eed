#include <stdarg.h>
#include <stdio.h>

#include "foundation.h"

@implementation NSError

+ (id)errorWithDomain:(NSString *)where code:(NSInteger)number userInfo:(NSDictionary *)more
{
    NSError *made = [[self alloc] autorelease];
    made->domain = [where retain];
    made->code = number;
    made->info = [more retain];
    return made;
}

- (void)dealloc
{
    [domain release];
    [info release];
    [super dealloc];
}

- (NSString *)domain
{
    return domain;
}

- (NSInteger)code
{
    return code;
}

- (NSDictionary *)userInfo
{
    return info;
}

- (NSString *)localizedDescription
{
    NSString *said = [info objectForKey:standin_string("NSLocalizedDescription")];
    return said ? said
                : standin_string("The operation couldn’t be completed. (%s error %lld.)",
                                 [domain UTF8String], (long long)code);
}

- (NSString *)description
{
    return standin_string("Error Domain=%s Code=%lld \"%s\"", [domain UTF8String], (long long)code,
                          [[self localizedDescription] UTF8String]);
}

@end

NSError *standin_error(const char *domain, NSInteger code, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return [NSError
        errorWithDomain:standin_string("%s", domain)
                   code:code
               userInfo:[NSDictionary
                            dictionaryWithObject:standin_string("%s", text)
                                          forKey:standin_string("NSLocalizedDescription")]];
}
