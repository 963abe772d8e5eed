#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../ane/program.h"
#include "compile.h"
#include "coreml.h"

enum { PATH_BYTES = 4096 };

@interface MLModel : NSObject {
    program loaded;
    unsigned predictions;
}
@end

/* "product.mlmodelc" below the temporary folder, or with a number when that is taken. */
static void choose_place(const char *package, char *path, size_t room)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const char *slash = strrchr(package, '/');
    const int stem = (int)(strlen(slash + 1) - strlen(".mlpackage"));
    const char *folder = [NSTemporaryDirectory() UTF8String];
    struct stat there;
    snprintf(path, room, "%s%.*s.mlmodelc", folder, stem, slash + 1);
    for (unsigned i = 1; lstat(path, &there) == 0; i++)
        snprintf(path, room, "%s%.*s %u.mlmodelc", folder, stem, slash + 1, i);
    [pool drain];
}

static MLMultiArray *result_array(const port *of, MLMultiArray *backing)
{
    size_t shape[STANDIN_RANK];
    memcpy(shape, of->shape, sizeof shape);
    NSInteger type = of->element == MIL_FP16 ? FLOAT16 : FLOAT32;
    if (standin_switch("coreml_other_type"))
        type = DOUBLE;
    else if (standin_switch("coreml_other_shape"))
        shape[1]++;
    else if (backing && !standin_switch("coreml_own_memory"))
        return [backing standin_is:type shape:shape] ? backing : nil;
    return [MLMultiArray standin_arrayOf:type shape:shape gap:2];
}

@implementation MLModel

+ (NSURL *)compileModelAtURL:(NSURL *)url error:(NSError **)error
{
    char path[PATH_BYTES], why[512] = "The model could not be compiled.";
    while (standin_switch("coreml_compile_hangs"))
        usleep(1000);
    choose_place([url fileSystemRepresentation], path, sizeof path);
    if (!standin_switch("coreml_compile_fails") &&
        standin_compile([url fileSystemRepresentation], path, why, sizeof why))
        return [NSURL fileURLWithPath:standin_string("%s", path)];
    *error = standin_coreml_error(why);
    [[NSFileManager defaultManager] removeItemAtPath:standin_string("%s", path) error:NULL];
    return nil;
}

+ (id)modelWithContentsOfURL:(NSURL *)url
               configuration:(MLModelConfiguration *)configuration
                       error:(NSError **)error
{
    (void)configuration;
    MLModel *made = [[self alloc] autorelease];
    char why[512] = "Error in building plan.";
    image files;
    bool fine =
        program_gather([url fileSystemRepresentation], &files, why, sizeof why) == PROGRAM_FINE;
    if (fine) {
        fine = program_load(&files, &made->loaded) == PROGRAM_FINE;
        if (!fine)
            snprintf(why, sizeof why, "%s", made->loaded.why);
    }
    if (fine && !standin_switch("coreml_load_fails"))
        return made;
    *error = standin_coreml_error(why);
    return nil;
}

- (void)dealloc
{
    program_free(&loaded);
    [super dealloc];
}

/* The input's values; false when it is not what the model says. */
static bool take_input(const procedure *of, MLDictionaryFeatureProvider *features, tensor *x)
{
    const port *in = &of->inputs[0];
    MLMultiArray *array =
        [[features featureValueForName:standin_string("%s", in->name)] multiArrayValue];
    const mil_type *type = &of->function->body.inputs[0].type;
    if (of->input_count != 1 ||
        ![array standin_is:in->element == MIL_FP16 ? FLOAT16 : FLOAT32 shape:in->shape] ||
        !tensor_make(type, true, x))
        return false;
    for (size_t i = 0; i < x->count; i++)
        x->values[i] = (float)[array standin_get:i];
    return true;
}

static bool make_result(const port *of, tensor *out)
{
    *out = (tensor){.element = of->element, .rank = STANDIN_RANK, .count = 1};
    for (size_t i = 0; i < STANDIN_RANK; i++) {
        out->shape[i] = of->shape[i];
        out->count *= of->shape[i];
    }
    out->values = calloc(out->count, sizeof *out->values);
    return out->values != NULL;
}

static id give_results(const procedure *of, const tensor *results, NSDictionary *backings)
{
    NSMutableDictionary *given = [NSMutableDictionary dictionary];
    for (size_t i = 0; i < of->output_count; i++) {
        NSString *name = standin_string("%s", of->outputs[i].name);
        MLMultiArray *array = result_array(&of->outputs[i], [backings objectForKey:name]);
        if (!array)
            return nil;
        for (size_t e = 0; e < results[i].count; e++)
            [array standin_set:e to:(double)results[i].values[e]];
        [given setObject:[MLFeatureValue featureValueWithMultiArray:array] forKey:name];
    }
    return [[[MLDictionaryFeatureProvider alloc] initWithDictionary:given error:NULL] autorelease];
}

- (id)standin_run:(MLDictionaryFeatureProvider *)features
         backings:(NSDictionary *)backings
              why:(char[512])why
{
    const procedure *of = &loaded.procedures[0];
    tensor x = {0}, *results = calloc(of->output_count, sizeof *results);
    id given = nil;
    bool made = results && take_input(of, features, &x);
    for (size_t i = 0; made && i < of->output_count; i++)
        made = make_result(&of->outputs[i], &results[i]);
    if (made && program_run(&loaded, of, &x, results, why, 512))
        given = give_results(of, results, backings);
    for (size_t i = 0; results && i < of->output_count; i++)
        free(results[i].values);
    free(results);
    free(x.values);
    return given;
}

- (id)predictionFromFeatures:(id)features
                     options:(MLPredictionOptions *)options
                       error:(NSError **)error
{
    const unsigned number = __atomic_add_fetch(&predictions, 1, __ATOMIC_RELAXED);
    char why[512] = "Unable to compute the prediction.";
    while (number == standin_number("coreml_hangs_at", 0))
        usleep(1000);
    id given = number == standin_number("coreml_fails_at", 0) || standin_switch("coreml_dies")
                   ? nil
                   : [self standin_run:features backings:[options outputBackings] why:why];
    if (!given)
        *error = standin_coreml_error(why);
    return given;
}

@end
