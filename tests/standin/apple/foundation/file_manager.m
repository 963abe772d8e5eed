#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "foundation.h"

/* Codes of NSCocoaErrorDomain: no such file, and any other. */
static bool report(NSError **error, const char *path)
{
    if (error)
        *error = standin_error("NSCocoaErrorDomain", errno == ENOENT ? 4 : 512, "%s: %s", path,
                               strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static NSFileManager *manager;

@implementation NSFileManager

+ (void)initialize
{
    manager = standin_immortal([self new]);
}

+ (id)defaultManager
{
    return manager;
}

- (bool)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(bool)parents
                     attributes:(NSDictionary *)attributes
                          error:(NSError **)error
{
    (void)attributes;
    char *name = strdup([path UTF8String]);
    const bool made = name && (parents ? make_folders(name) : mkdir(name, 0700) == 0);
    free(name);
    return made ? true : report(error, [path UTF8String]);
}

- (bool)removeItemAtPath:(NSString *)path error:(NSError **)error
{
    const char *name = [path UTF8String];
    return nftw(name, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 ? true : report(error, name);
}

@end

NSString *NSTemporaryDirectory(void)
{
    const char *folder = getenv("TMPDIR");
    const size_t length = folder ? strlen(folder) : 0;
    if (length == 0)
        return standin_string("/tmp/");
    return standin_string("%s%s", folder, folder[length - 1] == '/' ? "" : "/");
}
