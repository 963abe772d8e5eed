/* The stand-in itself: does it compute, and fail, as the real one is known to? */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../corefoundation/corefoundation.h"
#include "ane.h"
#include "base/half.h"
#include "chip.h"
#include "files/coreml/blob.h"
#include "spelling.h"
#include "standin/apple/standins.h"

enum { N = 16, M = 32, K = 64 };

static const char text_13[] =
    "program(1.3)\n[buildInfo = dict<string, string>({})]\n{\n"
    "  func main<ios18>(tensor<fp16, [1, %d, 1, 32]> x) {\n"
    "    string pt = const()[name = string(\"pt\"), val = string(\"valid\")];\n"
    "    tensor<int32, [2]> st = const()[name = string(\"st\"), val = tensor<int32, [2]>([1, "
    "1])];\n"
    "    tensor<int32, [4]> pd = const()[name = string(\"pd\"), val = tensor<int32, [4]>([0, 0, 0, "
    "0])];\n"
    "    int32 gr = const()[name = string(\"gr\"), val = int32(1)];\n"
    "    tensor<fp16, [16, %d, 1, 1]> W = const()[name = string(\"W\"), val = tensor<fp16, [16, "
    "%d, "
    "1, 1]>(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = uint64(64)))];\n"
    "    tensor<fp16, [1, 16, 1, 32]> y = conv(dilations = st, groups = gr, pad = pd, pad_type = "
    "pt, strides = st, weight = W, x = x)[name = string(\"y\")];\n"
    "  } -> (y);\n}\n";

typedef struct product {
    NSAutoreleasePool *pool;
    _ANEInMemoryModel *model;
    IOSurfaceRef x, y;
    _ANERequest *request;
    NSError *error;
} product;

static float weight_of(int n, int k)
{
    return (float)((n * 7 + k * 3) % 11 - 5) / 4;
}

static NSData *blob_file(int depth)
{
    const size_t bytes = (size_t)N * (size_t)depth * 2;
    uint8_t *file = calloc(1, 128 + bytes);
    blob_write_header(file, 1);
    blob_write_metadata(file + 64, MIL_FP16, bytes, 64);
    for (int i = 0; i < N * depth; i++) {
        const uint16_t half = f16_from_f32(weight_of(i / depth, i % depth));
        memcpy(file + 128 + 2 * i, &half, 2);
    }
    return [NSData dataWithBytesNoCopy:file length:128 + bytes freeWhenDone:true];
}

static IOSurfaceRef make_surface(size_t bytes)
{
    NSMutableDictionary *properties = [NSMutableDictionary dictionary];
    const char *names[] = {"IOSurfaceWidth", "IOSurfaceHeight", "IOSurfaceBytesPerElement",
                           "IOSurfaceBytesPerRow", "IOSurfaceAllocSize"};
    const size_t values[] = {bytes, 1, 1, bytes, bytes};
    for (int i = 0; i < 5; i++)
        [properties setObject:[NSNumber numberWithUnsignedLongLong:values[i]]
                       forKey:standin_string("%s", names[i])];
    return IOSurfaceCreate(properties);
}

static void make_model(product *p, int depth, const char *format)
{
    NSString *mil = standin_string(format, depth, depth, depth);
    NSData *text = [mil dataUsingEncoding:4], *weights = blob_file(depth);
    NSDictionary *inner = [NSDictionary dictionaryWithObject:weights forKey:standin_string("data")];
    NSString *key = standin_string("@model_path/weights/weight.bin");
    *p = (product){.pool = p->pool};
    p->model = [_ANEInMemoryModel
        inMemoryModelWithDescriptor:[_ANEInMemoryModelDescriptor
                                        modelWithMILText:text
                                                 weights:[NSDictionary dictionaryWithObject:inner
                                                                                     forKey:key]
                                            optionsPlist:nil]];
    NSString *folder = [p->model localModelPath];
    NSString *within = [folder stringByAppendingPathComponent:standin_string("weights")];
    assert_true([[NSFileManager defaultManager] createDirectoryAtPath:within
                                          withIntermediateDirectories:true
                                                           attributes:nil
                                                                error:NULL]);
    [text writeToFile:[folder stringByAppendingPathComponent:standin_string("model.mil")]
           atomically:true];
    [weights writeToFile:[within stringByAppendingPathComponent:standin_string("weight.bin")]
              atomically:true];
}

static void make_request_of(product *p, int index, size_t x_bytes, size_t y_bytes)
{
    p->x = make_surface(x_bytes);
    p->y = make_surface(y_bytes);
    NSArray *zero = [NSArray arrayWithObject:[NSNumber numberWithInt:0]];
    p->request = [_ANERequest
        requestWithInputs:[NSArray arrayWithObject:[_ANEIOSurfaceObject objectWithIOSurface:p->x]]
             inputIndices:zero
                  outputs:[NSArray arrayWithObject:[_ANEIOSurfaceObject objectWithIOSurface:p->y]]
            outputIndices:zero
           procedureIndex:[NSNumber numberWithInt:index]];
}

static void make_request(product *p, size_t x_bytes, size_t y_bytes)
{
    make_request_of(p, 0, x_bytes, y_bytes);
}

static bool compile_and_load(product *p)
{
    return [p->model compileWithQoS:21 options:[NSDictionary dictionary] error:&p->error] &&
           [p->model loadWithQoS:21 options:[NSDictionary dictionary] error:&p->error];
}

static bool evaluate(product *p)
{
    return [p->model evaluateWithQoS:21
                             options:[NSDictionary dictionary]
                             request:p->request
                               error:&p->error];
}

static const char *said(const product *p)
{
    return [[p->error localizedDescription] UTF8String];
}

static void finish(product *p)
{
    [p->model unloadWithQoS:21 error:NULL];
    [[NSFileManager defaultManager] removeItemAtPath:[p->model localModelPath] error:NULL];
    if (p->x)
        CFRelease(p->x);
    if (p->y)
        CFRelease(p->y);
    [p->pool drain];
    assert_string_equal(standins_live(), "");
    standins_switch("");
}

static float x_of(int k, int m)
{
    return (float)((k + 5 * m) % 13 - 6) / 8;
}

static void fill_x(product *p, int depth)
{
    uint16_t *at = IOSurfaceGetBaseAddress(p->x);
    for (int k = 0; k < depth; k++)
        for (int m = 0; m < M; m++)
            at[k * M + m] = f16_from_f32(x_of(k, m));
}

static void a_convolution_has_the_values_of_a_product(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, K, text_13);
    if (!compile_and_load(&p))
        fail_msg("%s", said(&p));
    make_request(&p, K * 64, N * 64);
    fill_x(&p, K);
    assert_true(evaluate(&p));
    const uint16_t *y = IOSurfaceGetBaseAddress(p.y);
    for (int n = 0; n < N; n++)
        for (int m = 0; m < M; m++) {
            double sum = 0, size = 0;
            for (int k = 0; k < K; k++) {
                sum += (double)weight_of(n, k) * x_of(k, m);
                size += fabs((double)weight_of(n, k) * x_of(k, m));
            }
            const double error = fabs((double)f16_to_f32(y[n * M + m]) - sum);
            assert_true(error <= size / 2048 + fabs(sum) / 2048);
        }
    finish(&p);
}

static void a_depth_that_is_no_multiple_of_32_gives_zeros(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, 33, text_13);
    assert_true(compile_and_load(&p));
    make_request(&p, 33 * 64, N * 64);
    fill_x(&p, 33);
    memset(IOSurfaceGetBaseAddress(p.y), 1, N * 64);
    assert_true(evaluate(&p));
    for (int i = 0; i < N * 64; i++)
        assert_int_equal(((char *)IOSurfaceGetBaseAddress(p.y))[i], 0);
    finish(&p);
}

/* github.com/sbryngelson/ANEForge issue 115: inf from 32768 on. */
static void results_saturate_at_two_to_the_15th(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, K, text_13);
    assert_true(compile_and_load(&p));
    make_request(&p, K * 64, N * 64);
    uint16_t *x = IOSurfaceGetBaseAddress(p.x);
    x[0] = f16_from_f32(26192); /* W[0][0] is -1.25: -32740, the nearest fp16 of which is -32736 */
    x[1] = f16_from_f32(26208);
    x[2] = f16_from_f32(26224); /* -32780 */
    assert_true(evaluate(&p));
    const uint16_t *y = IOSurfaceGetBaseAddress(p.y);
    assert_float_equal(f16_to_f32(y[0]), -32736, 16);
    assert_true(isinf(f16_to_f32(y[2])));
    finish(&p);
}

/* Every value that is there, with some whose products need rounding or go below the normal ones. */
static void each_product_is_rounded_to_fp16(void **state)
{
    (void)state;
    static const float others[] = {1, 3, 0x1.ffcp0f, 0x1.004p-10f, -0x1.554p-14f, 0x1p-24f};
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            macs m = {0};
            const float a = f16_to_f32((uint16_t)bits);
            const float right = f16_to_f32(f16_from_f32(a * others[i]));
            macs_add(&m, a, &others[i], 1, 1);
            if (isnan(right) ? !isnan(m.sum[0]) : m.sum[0] != (double)right)
                fail_msg("%a * %a is %a", (double)a, (double)others[i], m.sum[0]);
        }
}

static void some_chips_flush_subnormals_and_some_give_zero_for_sums_that_went_beyond(void **state)
{
    (void)state;
    const float ways[] = {0x1.8p14f, 0x1.8p14f, -0x1p15f}, small = 0x1p-15f;
    const chip chips[] = {{.flushes = false}, {.flushes = true}, {.overflow_is_zero = true}};
    const float sums[] = {0x1p14f, 0x1p14f, 0}, smalls[] = {0x1p-15f, 0, 0x1p-15f};
    for (size_t c = 0; c < 3; c++) {
        macs sum = {.of = chips[c]}, tiny = {.of = chips[c]};
        for (size_t i = 0; i < 3; i++)
            macs_add(&sum, 1, &ways[i], 1, 1);
        macs_add(&tiny, 1, &small, 1, 1);
        assert_true(macs_result(&sum, 0) == sums[c]);
        assert_true(macs_result(&tiny, 0) == smalls[c]);
    }
}

static void a_small_surface_is_an_inference_error(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, K, text_13);
    assert_true(compile_and_load(&p));
    make_request(&p, K * 64, N * 64 - 64);
    assert_false(evaluate(&p));
    assert_int_equal([p.error code], 8);
    assert_non_null(strstr(said(&p), "status=0x1d"));
    finish(&p);
}

static void a_procedure_that_is_not_there_is_an_inference_error(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, K, text_13);
    assert_true(compile_and_load(&p));
    make_request_of(&p, 1, K * 64, N * 64);
    assert_false(evaluate(&p));
    assert_int_equal([p.error code], 8);
    finish(&p);
}

static void nothing_loads_before_it_was_compiled_nor_runs_before_it_was_loaded(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, 96, text_13);
    make_request(&p, 96 * 64, N * 64);
    assert_false([p.model loadWithQoS:21 options:nil error:&p.error]);
    assert_int_equal([p.error code], 6);
    assert_false(evaluate(&p));
    assert_int_equal([p.error code], 23);
    assert_true(compile_and_load(&p));
    assert_true(evaluate(&p));
    [p.model purgeCompiledModel];
    finish(&p);
}

static void what_is_not_in_the_folder_is_not_found(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, 128, text_13);
    NSString *weights =
        [[p.model localModelPath] stringByAppendingPathComponent:standin_string("weights")];
    [[NSFileManager defaultManager] removeItemAtPath:weights error:NULL];
    assert_false(compile_and_load(&p));
    assert_int_equal([p.error code], 16);
    finish(&p);
}

static void descriptors_need_data_and_weights(void **state)
{
    (void)state;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    Class kind = [_ANEInMemoryModelDescriptor class];
    NSData *text = [NSData dataWithBytes:"x" length:1];
    assert_null([kind modelWithMILText:text weights:nil optionsPlist:nil]);
    assert_null([kind modelWithMILText:(NSData *)standin_string("x")
                               weights:[NSDictionary dictionary]
                          optionsPlist:nil]);
    assert_non_null([kind modelWithMILText:text
                                   weights:[NSDictionary dictionary]
                              optionsPlist:nil]);
    [pool drain];
}

static void systems_that_know_one_spelling_only_refuse_the_other(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, 160, text_13);
    standins_switch("old_spelling_only");
    assert_false(compile_and_load(&p));
    assert_non_null(strstr(said(&p), "InvalidMILProgram"));
    finish(&p);
}

static void a_process_may_compile_so_often(void **state)
{
    (void)state;
    product p = {.pool = [NSAutoreleasePool new]};
    make_model(&p, K, text_13);
    bool compiled = true;
    int count = 0;
    for (; compiled && count < 200; count++)
        compiled = [p.model compileWithQoS:21 options:nil error:&p.error];
    assert_non_null(strstr(said(&p), "ANECCompile() FAILED"));
    assert_in_range(count, 100, 120); /* some were compiled before */
    finish(&p);
}

/* The texts that coremlcompiler and others wrote. */
static void real_programs_are_in_the_spelling_of_their_version(void **state)
{
    (void)state;
    static const char *const names[] = {"coremltools_add_model",
                                        "mobius_unified_256ms_mixed",
                                        "mobius_unified_int8",
                                        "fluidaudio_Argmax",
                                        "alx_h14g_mm1",
                                        "alx_h14_add",
                                        "mobius_unified_palette_4bit"};
    if (access(YOKE_TEST_SHARED "/mil", R_OK) != 0) {
        printf("no real programs in %s\n", YOKE_TEST_SHARED "/mil");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        image file;
        snprintf(path, sizeof path, "%s/mil/%s.mil", YOKE_TEST_SHARED, names[i]);
        assert_true(image_read(path, &file));
        if (!spelling_fits((const char *)file.bytes, file.size, true))
            fail_msg("%s is refused", names[i]);
        image_free(&file);
    }
}

static void a_program_in_the_spelling_of_another_version_is_refused(void **state)
{
    (void)state;
    static const char mixed[] = "program(1.0)\n{ int32 a = const()[val = int32(1)]; }";
    static const char old[] = "program(1.0)\n{ tensor<int32, []> a = "
                              "const()[val = tensor<int32, []>(1), name = tensor<string, "
                              "[]>(\"int32\")]; }";
    assert_false(spelling_fits(mixed, strlen(mixed), true));
    assert_true(spelling_fits(old, strlen(old), true));
    assert_false(spelling_fits("program(9.9) { }", 16, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_convolution_has_the_values_of_a_product),
        cmocka_unit_test(a_depth_that_is_no_multiple_of_32_gives_zeros),
        cmocka_unit_test(results_saturate_at_two_to_the_15th),
        cmocka_unit_test(each_product_is_rounded_to_fp16),
        cmocka_unit_test(some_chips_flush_subnormals_and_some_give_zero_for_sums_that_went_beyond),
        cmocka_unit_test(a_small_surface_is_an_inference_error),
        cmocka_unit_test(a_procedure_that_is_not_there_is_an_inference_error),
        cmocka_unit_test(nothing_loads_before_it_was_compiled_nor_runs_before_it_was_loaded),
        cmocka_unit_test(what_is_not_in_the_folder_is_not_found),
        cmocka_unit_test(descriptors_need_data_and_weights),
        cmocka_unit_test(systems_that_know_one_spelling_only_refuse_the_other),
        cmocka_unit_test(a_process_may_compile_so_often),
        cmocka_unit_test(real_programs_are_in_the_spelling_of_their_version),
        cmocka_unit_test(a_program_in_the_spelling_of_another_version_is_refused),
    };
    standins_use();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
