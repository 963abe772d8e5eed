/* Stands in for the few classes of Foundation that the engines and the other stand-ins use, over
 * GNU's Objective-C runtime. Methods have the names, the arguments and the ownership of the real
 * ones; what nobody here calls is not there.
 *
 * Every object is counted while it lives; see control.h. */
#ifndef STANDIN_FOUNDATION_H
#define STANDIN_FOUNDATION_H

#include <objc/objc.h>
#include <objc/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t NSUInteger;
typedef int64_t NSInteger;

@class NSArray, NSData, NSDictionary, NSString;

__attribute__((objc_root_class))
@interface NSObject {
    Class isa;
    unsigned references;
}
+ (id)alloc;
+ (id)new;
+ (Class)class;
- (id)init;
- (id)retain;
- (void)release;
- (id)autorelease;
- (void)dealloc;
- (NSUInteger)retainCount;
- (Class)class;
- (bool)isKindOfClass:(Class)kind;
- (bool)isEqual:(id)other;
- (NSUInteger)hash;
- (NSString *)description;
@end

@interface NSAutoreleasePool : NSObject {
    void *mark;
}
- (void)drain;
@end

@interface NSString : NSObject {
    char *text;
}
+ (id)string;
+ (id)stringWithUTF8String:(const char *)from;
- (id)initWithUTF8String:(const char *)from;
- (id)initWithBytes:(const void *)from length:(NSUInteger)bytes encoding:(NSUInteger)encoding;
- (const char *)UTF8String;
- (NSUInteger)length;
- (bool)isEqualToString:(NSString *)other;
- (bool)hasSuffix:(NSString *)suffix;
- (NSInteger)compare:(NSString *)other;
- (NSData *)dataUsingEncoding:(NSUInteger)encoding;
- (NSString *)stringByAppendingString:(NSString *)more;
- (NSString *)stringByAppendingPathComponent:(NSString *)more;
- (NSString *)lastPathComponent;
@end

@interface NSData : NSObject {
    void *content;
    NSUInteger size;
    bool owned;
}
+ (id)data;
+ (id)dataWithBytes:(const void *)from length:(NSUInteger)bytes;
+ (id)dataWithBytesNoCopy:(void *)from length:(NSUInteger)bytes freeWhenDone:(bool)ours;
+ (id)dataWithContentsOfFile:(NSString *)path;
- (id)initWithBytes:(const void *)from length:(NSUInteger)bytes;
- (id)initWithBytesNoCopy:(void *)from length:(NSUInteger)bytes freeWhenDone:(bool)ours;
- (const void *)bytes;
- (NSUInteger)length;
- (bool)writeToFile:(NSString *)path atomically:(bool)renamed;
@end

@interface NSNumber : NSObject {
    double real;
    uint64_t integer;
    bool is_real;
}
+ (id)numberWithBool:(bool)value;
+ (id)numberWithInt:(int)value;
+ (id)numberWithUnsignedInteger:(NSUInteger)value;
+ (id)numberWithLongLong:(long long)value;
+ (id)numberWithUnsignedLongLong:(unsigned long long)value;
+ (id)numberWithFloat:(float)value;
+ (id)numberWithDouble:(double)value;
- (int)intValue;
- (NSUInteger)unsignedIntegerValue;
- (long long)longLongValue;
- (unsigned long long)unsignedLongLongValue;
- (float)floatValue;
- (double)doubleValue;
- (bool)isEqualToNumber:(NSNumber *)other;
@end

@interface NSArray : NSObject {
    id *items;
    NSUInteger used, room;
}
+ (id)array;
+ (id)arrayWithObject:(id)object;
+ (id)arrayWithObjects:(const id *)objects count:(NSUInteger)count;
+ (id)arrayWithArray:(NSArray *)other;
- (id)initWithObjects:(const id *)objects count:(NSUInteger)count;
- (NSUInteger)count;
- (id)objectAtIndex:(NSUInteger)index;
- (id)firstObject;
- (NSUInteger)indexOfObject:(id)object;
- (bool)containsObject:(id)object;
@end

@interface NSMutableArray : NSArray
+ (id)arrayWithCapacity:(NSUInteger)expected;
- (void)addObject:(id)object;
@end

/* The keys are in the order of their texts, which the real one does not promise. */
@interface NSDictionary : NSObject {
    NSMutableArray *keys, *values;
}
+ (id)dictionary;
+ (id)dictionaryWithObject:(id)object forKey:(id)key;
+ (id)dictionaryWithObjects:(NSArray *)objects forKeys:(NSArray *)names;
+ (id)dictionaryWithObjects:(const id *)objects forKeys:(const id *)names count:(NSUInteger)count;
- (id)initWithObjects:(const id *)objects forKeys:(const id *)names count:(NSUInteger)count;
- (NSUInteger)count;
- (id)objectForKey:(id)key;
- (NSArray *)allKeys;
- (NSArray *)allValues;
@end

@interface NSMutableDictionary : NSDictionary
- (void)setObject:(id)object forKey:(id)key;
@end

@interface NSError : NSObject {
    NSString *domain;
    NSInteger code;
    NSDictionary *info;
}
+ (id)errorWithDomain:(NSString *)where code:(NSInteger)number userInfo:(NSDictionary *)more;
- (NSString *)domain;
- (NSInteger)code;
- (NSDictionary *)userInfo;
- (NSString *)localizedDescription;
@end

@interface NSURL : NSObject {
    NSString *path;
}
+ (id)fileURLWithPath:(NSString *)name;
+ (id)fileURLWithPath:(NSString *)name isDirectory:(bool)directory;
- (NSString *)path;
- (NSString *)lastPathComponent;
- (const char *)fileSystemRepresentation;
@end

@interface NSFileManager : NSObject
+ (id)defaultManager;
- (bool)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(bool)parents
                     attributes:(NSDictionary *)attributes
                          error:(NSError **)error;
- (bool)removeItemAtPath:(NSString *)path error:(NSError **)error;
@end

/* With a slash at its end, as the real one. */
NSString *NSTemporaryDirectory(void);

/* Shorthand of the stand-ins: an autoreleased string, formatted; an error with a description. */
NSString *standin_string(const char *format, ...) __attribute__((format(printf, 1, 2)));
NSError *standin_error(const char *domain, NSInteger code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
