#include "ane.h"
#include "sha256.h"

@implementation _ANEInMemoryModelDescriptor

/* nil for a text that is no data (the real one fails or crashes), and without weights: those of a
 * program that has none are an empty dictionary. */
+ (id)modelWithMILText:(NSData *)text weights:(NSDictionary *)blobs optionsPlist:(NSData *)options
{
    if (!blobs || ![text isKindOfClass:[NSData class]])
        return nil;
    _ANEInMemoryModelDescriptor *made = [[self alloc] autorelease];
    made->networkText = [text retain];
    made->weights = [blobs retain];
    made->optionsPlist = [options retain];
    return made;
}

- (void)dealloc
{
    [networkText release];
    [weights release];
    [optionsPlist release];
    [super dealloc];
}

static NSString *hash(NSData *data)
{
    char text[SHA256_TEXT_BYTES];
    sha256_text([data bytes], [data length], text);
    return standin_string("%s", text);
}

/* Of each entry, in the order of the keys, the first value of its dictionary. */
- (NSString *)weightsHash
{
    NSString *hashes = [NSString string];
    NSArray *entries = [weights allValues];
    for (NSUInteger i = 0; i < [entries count]; i++) {
        id first = [[[entries objectAtIndex:i] allValues] firstObject];
        if ([first isKindOfClass:[NSData class]])
            hashes = [hashes stringByAppendingString:hash(first)];
    }
    return hash([hashes dataUsingEncoding:4]);
}

- (NSString *)hexStringIdentifier
{
    NSData *options = optionsPlist ? optionsPlist : [NSData data];
    return standin_string("%s_%s_%s", [hash(networkText) UTF8String],
                          [[self weightsHash] UTF8String], [hash(options) UTF8String]);
}

- (NSData *)networkText
{
    return networkText;
}

- (NSDictionary *)weights
{
    return weights;
}

- (NSData *)optionsPlist
{
    return optionsPlist;
}

- (bool)isMILModel
{
    return true;
}

@end
