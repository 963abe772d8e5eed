#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation.h"

@implementation NSData

+ (id)data
{
    return [self dataWithBytes:NULL length:0];
}

+ (id)dataWithBytes:(const void *)from length:(NSUInteger)bytes
{
    return [[[self alloc] initWithBytes:from length:bytes] autorelease];
}

+ (id)dataWithBytesNoCopy:(void *)from length:(NSUInteger)bytes freeWhenDone:(bool)ours
{
    return [[[self alloc] initWithBytesNoCopy:from length:bytes freeWhenDone:ours] autorelease];
}

+ (id)dataWithContentsOfFile:(NSString *)path
{
    FILE *file = fopen([path UTF8String], "rb");
    if (!file)
        return nil;
    size_t bytes = 0, room = 4096, got;
    char *all = malloc(room);
    while (all && (got = fread(all + bytes, 1, room - bytes, file)) > 0) {
        bytes += got;
        if (bytes == room)
            all = realloc(all, room *= 2);
    }
    fclose(file);
    return all ? [self dataWithBytesNoCopy:all length:bytes freeWhenDone:true] : nil;
}

- (id)initWithBytes:(const void *)from length:(NSUInteger)bytes
{
    content = malloc(bytes ? bytes : 1);
    if (!content)
        abort();
    if (bytes)
        memcpy(content, from, bytes);
    size = bytes;
    owned = true;
    return self;
}

- (id)initWithBytesNoCopy:(void *)from length:(NSUInteger)bytes freeWhenDone:(bool)ours
{
    content = from;
    size = bytes;
    owned = ours;
    return self;
}

- (void)dealloc
{
    if (owned)
        free(content);
    [super dealloc];
}

- (const void *)bytes
{
    return content;
}

- (NSUInteger)length
{
    return size;
}

- (bool)writeToFile:(NSString *)path atomically:(bool)renamed
{
    (void)renamed;
    FILE *file = fopen([path UTF8String], "wb");
    if (!file)
        return false;
    const bool whole = fwrite(content, 1, size, file) == size;
    return (fclose(file) == 0) & whole;
}

@end
