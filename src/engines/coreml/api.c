#include "engines/coreml/api.h"

#include <string.h>

#include "apple/framework.h"
#include "apple/needs.h"

/* MLMultiArrayDataType */
enum { FLOAT16 = 65552, FLOAT32 = 65568 };

static const apple_need needs[] = {
    {"MLModel", true, false, "compileModelAtURL:error:", "@@^"},
    {"MLModel", true, false, "modelWithContentsOfURL:configuration:error:", "@@@^"},
    {"MLModel", false, false, "predictionFromFeatures:options:error:", "@@@^"},
    {"MLModelConfiguration", false, false, "setComputeUnits:", "vq"},
    {"MLMultiArray", false, false,
     "initWithDataPointer:shape:dataType:strides:deallocator:error:", "@^@q@@^"},
    {"MLMultiArray", false, false, "dataPointer", "^"},
    {"MLMultiArray", false, false, "dataType", "q"},
    {"MLMultiArray", false, false, "shape", "@"},
    {"MLMultiArray", false, false, "strides", "@"},
    {"MLFeatureValue", true, false, "featureValueWithMultiArray:", "@@"},
    {"MLFeatureValue", false, false, "multiArrayValue", "@"},
    {"MLDictionaryFeatureProvider", false, false, "initWithDictionary:error:", "@@^"},
    {"MLPredictionOptions", false, true, "setOutputBackings:", "v@"},
};

yoke_status coreml_api_load(apple *a, yoke_error *err)
{
    void *library;
    yoke_status status = apple_load(a, err);
    if (status == YOKE_OK)
        status = apple_framework_open("CoreML", &library, err);
    if (status == YOKE_OK)
        status = apple_needs_check(a, needs, sizeof needs / sizeof needs[0], err);
    return status;
}

apple_id coreml_compile(const apple *a, const char *path, apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id *);
    apple_sel sel;
    apple_id class = apple_class(a, "MLModel");
    call *method = (call *)apple_method(a, class, "compileModelAtURL:error:", &sel);
    *error = NULL;
    return method(class, sel, apple_file_url(a, path), error);
}

apple_id coreml_configuration(const apple *a, coreml_units units)
{
    typedef void call(apple_id, apple_sel, int64_t);
    apple_sel sel;
    apple_id made = apple_send(a, apple_class(a, "MLModelConfiguration"), "new");
    call *method = (call *)apple_method(a, made, "setComputeUnits:", &sel);
    if (method)
        method(made, sel, units);
    return apple_send(a, made, "autorelease");
}

apple_id coreml_load(const apple *a, apple_id url, apple_id configuration, apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id, apple_id *);
    apple_sel sel;
    apple_id class = apple_class(a, "MLModel");
    call *method =
        (call *)apple_method(a, class, "modelWithContentsOfURL:configuration:error:", &sel);
    *error = NULL;
    return method(class, sel, url, configuration, error);
}

static int64_t data_type(yoke_format format)
{
    return format == YOKE_F16 ? FLOAT16 : FLOAT32;
}

static apple_id numbers(const apple *a, const size_t values[COREML_RANK])
{
    apple_id made[COREML_RANK];
    for (size_t i = 0; i < COREML_RANK; i++)
        made[i] = apple_number(a, (int64_t)values[i]);
    return apple_array(a, made, COREML_RANK);
}

apple_id coreml_array_new(const apple *a, void *memory, yoke_format format,
                          const size_t shape[COREML_RANK], apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, void *, apple_id, int64_t, apple_id, void *,
                          apple_id *);
    size_t strides[COREML_RANK], step = 1;
    for (size_t i = COREML_RANK; i-- > 0; step *= shape[i])
        strides[i] = step;
    apple_sel sel;
    apple_id made = apple_send(a, apple_class(a, "MLMultiArray"), "alloc");
    call *method = (call *)apple_method(
        a, made, "initWithDataPointer:shape:dataType:strides:deallocator:error:", &sel);
    *error = NULL;
    return method ? method(made, sel, memory, numbers(a, shape), data_type(format),
                           numbers(a, strides), NULL, error)
                  : NULL;
}

apple_id coreml_provider_new(const apple *a, const char *name, apple_id array, apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id *);
    apple_sel sel;
    apple_id value =
        apple_send_id(a, apple_class(a, "MLFeatureValue"), "featureValueWithMultiArray:", array);
    apple_id key = apple_string(a, name);
    apple_id made = apple_send(a, apple_class(a, "MLDictionaryFeatureProvider"), "alloc");
    call *method = (call *)apple_method(a, made, "initWithDictionary:error:", &sel);
    *error = NULL;
    return method ? method(made, sel, apple_dictionary(a, &key, &value, 1), error) : NULL;
}

apple_id coreml_options_new(const apple *a, const apple_id *names, const apple_id *arrays,
                            size_t count)
{
    typedef void call(apple_id, apple_sel, apple_id);
    apple_sel sel;
    apple_id made = apple_send(a, apple_class(a, "MLPredictionOptions"), "new");
    call *method = (call *)apple_method(a, made, "setOutputBackings:", &sel);
    if (method)
        method(made, sel, apple_dictionary(a, names, arrays, count));
    return made;
}

apple_id coreml_predict(const apple *a, apple_id model, apple_id features, apple_id options,
                        apple_id *error)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id, apple_id *);
    apple_sel sel;
    call *method = (call *)apple_method(a, model, "predictionFromFeatures:options:error:", &sel);
    *error = NULL;
    return method ? method(model, sel, features, options, error) : NULL;
}

apple_id coreml_result(const apple *a, apple_id provider, const char *name)
{
    return apple_send(a, apple_send_id(a, provider, "featureValueForName:", apple_string(a, name)),
                      "multiArrayValue");
}

static bool has_shape(const apple *a, apple_id array, const size_t shape[COREML_RANK])
{
    apple_id found = apple_send(a, array, "shape");
    bool same = apple_array_count(a, found) == COREML_RANK;
    for (size_t i = 0; i < COREML_RANK && same; i++)
        same = apple_integer(a, apple_array_get(a, found, i)) == (int64_t)shape[i];
    return same;
}

static void gather(const char *from, size_t element, const size_t shape[COREML_RANK],
                   const size_t strides[COREML_RANK], char *to)
{
    for (size_t c = 0; c < shape[1]; c++)
        for (size_t row = 0; row < shape[2]; row++)
            for (size_t col = 0; col < shape[3]; col++, to += element)
                memcpy(to, from + (c * strides[1] + row * strides[2] + col * strides[3]) * element,
                       element);
}

yoke_status coreml_array_read(const apple *a, apple_id array, yoke_format format,
                              const size_t shape[COREML_RANK], void *to, yoke_error *err)
{
    if (!has_shape(a, array, shape))
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine coreml: a result is missing, or is not of the shape [%zu, "
                              "%zu, %zu, %zu]",
                              shape[0], shape[1], shape[2], shape[3]);
    if ((int64_t)apple_send_u64(a, array, "dataType") != data_type(format))
        return yoke_error_set(err, YOKE_ERR_ENGINE, "engine coreml: a result is not %s",
                              yoke_format_get(format)->name);
    const void *from = apple_send(a, array, "dataPointer");
    if (from == to)
        return YOKE_OK; /* the framework used the memory it was given */
    apple_id found = apple_send(a, array, "strides");
    size_t strides[COREML_RANK];
    for (size_t i = 0; i < COREML_RANK; i++)
        strides[i] = (size_t)apple_integer(a, apple_array_get(a, found, i));
    gather(from, yoke_format_get(format)->block_bytes, shape, strides, to);
    return YOKE_OK;
}
