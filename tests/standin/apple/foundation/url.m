#include "foundation.h"

@implementation NSURL

+ (id)fileURLWithPath:(NSString *)name
{
    NSURL *made = [[self alloc] autorelease];
    made->path = [name retain];
    return made;
}

+ (id)fileURLWithPath:(NSString *)name isDirectory:(bool)directory
{
    (void)directory;
    return [self fileURLWithPath:name];
}

- (void)dealloc
{
    [path release];
    [super dealloc];
}

- (NSString *)path
{
    return path;
}

- (NSString *)lastPathComponent
{
    return [path lastPathComponent];
}

- (const char *)fileSystemRepresentation
{
    return [path UTF8String];
}

@end
