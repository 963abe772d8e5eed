#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation.h"

@implementation NSString

+ (id)string
{
    return [self stringWithUTF8String:""];
}

+ (id)stringWithUTF8String:(const char *)from
{
    return [[[self alloc] initWithUTF8String:from] autorelease];
}

- (id)initWithUTF8String:(const char *)from
{
    return [self initWithBytes:from length:strlen(from) encoding:4];
}

- (id)initWithBytes:(const void *)from length:(NSUInteger)bytes encoding:(NSUInteger)encoding
{
    (void)encoding;
    text = strndup(from, bytes);
    if (!text)
        abort();
    return self;
}

- (void)dealloc
{
    free(text);
    [super dealloc];
}

- (const char *)UTF8String
{
    return text;
}

- (NSUInteger)length
{
    return strlen(text);
}

- (bool)isEqual:(id)other
{
    return [other isKindOfClass:[NSString class]] && [self isEqualToString:other];
}

- (bool)isEqualToString:(NSString *)other
{
    return other && strcmp(text, [other UTF8String]) == 0;
}

- (NSUInteger)hash
{
    return strlen(text);
}

- (bool)hasSuffix:(NSString *)suffix
{
    const size_t all = strlen(text), end = [suffix length];
    return end <= all && strcmp(text + all - end, [suffix UTF8String]) == 0;
}

- (NSInteger)compare:(NSString *)other
{
    const int order = strcmp(text, [other UTF8String]);
    return (order > 0) - (order < 0);
}

- (NSData *)dataUsingEncoding:(NSUInteger)encoding
{
    (void)encoding;
    return [NSData dataWithBytes:text length:strlen(text)];
}

- (NSString *)stringByAppendingString:(NSString *)more
{
    return standin_string("%s%s", text, [more UTF8String]);
}

- (NSString *)stringByAppendingPathComponent:(NSString *)more
{
    const size_t length = strlen(text);
    const bool ends = length > 0 && text[length - 1] == '/';
    return standin_string("%s%s%s", text, ends ? "" : "/", [more UTF8String]);
}

- (NSString *)lastPathComponent
{
    const char *slash = strrchr(text, '/');
    return standin_string("%s", slash ? slash + 1 : text);
}

- (NSString *)description
{
    return self;
}

@end

NSString *standin_string(const char *format, ...)
{
    char *made;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0)
        abort();
    va_end(arguments);
    NSString *string = [NSString stringWithUTF8String:made];
    free(made);
    return string;
}
