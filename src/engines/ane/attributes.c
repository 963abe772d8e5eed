#include "engines/ane/attributes.h"

#include <stdio.h>
#include <string.h>

#include "apple/foundation.h"
#include "base/size.h"

#define ROW_BYTES ((size_t)64) /* rows begin at multiples of this */

enum { NAME_MOST = 128 };

static size_t size_of(const apple *a, apple_id tensor, const char *key, size_t missing)
{
    const apple_id number = apple_dictionary_get(a, tensor, key);
    const int64_t value = number ? apple_integer(a, number) : 0;
    return value > 0 ? (size_t)value : missing;
}

static bool text_is(const apple *a, apple_id string, const char *text)
{
    char found[NAME_MOST];
    return apple_text(a, string, found, sizeof found) && strcmp(found, text) == 0;
}

/* An output may be called by its name or, as in "y@output", with a word behind it. */
static bool is_called(const apple *a, apple_id string, const char *name)
{
    char found[NAME_MOST];
    if (!apple_text(a, string, found, sizeof found))
        return false;
    const size_t length = strlen(name);
    return strncmp(found, name, length) == 0 && (found[length] == '\0' || found[length] == '@');
}

static apple_id attributes_of(const apple *a, apple_id model)
{
    const apple_id inner = apple_send(a, apple_send(a, model, "model"), "modelAttributes");
    return inner ? inner : apple_send(a, model, "modelAttributes");
}

static apple_id description_of(const apple *a, apple_id attributes)
{
    return apple_dictionary_get(a, attributes, "ANEFModelDescription");
}

void ane_attributes_index(const ane_framework *f, apple_id model, size_t position,
                          ane_function *function)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    const apple_id names = apple_dictionary_get(a, description_of(a, attributes_of(a, model)),
                                                "kANEFModelProcedureNameToIDMapKey");
    const apple_id found = apple_dictionary_get(a, names, function->name);
    const int64_t index = found ? apple_integer(a, found) : -1;
    function->index = index >= 0 ? (size_t)index : position;
    apple_pool_pop(a, pool);
}

/* What is said of the function's tensors: the only list there is, or that of its name. */
static apple_id network_of(const apple *a, apple_id attributes, const ane_function *function)
{
    const apple_id networks = apple_dictionary_get(a, attributes, "NetworkStatusList");
    const size_t count = apple_array_count(a, networks);
    for (size_t i = 0; i < count; i++) {
        const apple_id network = apple_array_get(a, networks, i);
        if (count == 1 || text_is(a, apple_dictionary_get(a, network, "Name"), function->name))
            return network;
    }
    return NULL;
}

static apple_id find_tensor(const apple *a, apple_id attributes, const ane_function *function,
                            const char *name, bool output)
{
    const apple_id list = apple_dictionary_get(a, network_of(a, attributes, function),
                                               output ? "LiveOutputList" : "LiveInputList");
    for (size_t i = 0; i < apple_array_count(a, list); i++) {
        const apple_id tensor = apple_array_get(a, list, i);
        if (is_called(a, apple_dictionary_get(a, tensor, "Symbol"), name) ||
            is_called(a, apple_dictionary_get(a, tensor, "Name"), name))
            return tensor;
    }
    return NULL;
}

/* The indices of the function's symbols, as a list of numbers. */
static apple_id symbols_of(const apple *a, apple_id description, const ane_function *function,
                           bool output)
{
    const apple_id procedures = apple_dictionary_get(a, description, "ANEFModelProcedures");
    for (size_t i = 0; i < apple_array_count(a, procedures); i++) {
        const apple_id procedure = apple_array_get(a, procedures, i);
        const apple_id index = apple_dictionary_get(a, procedure, "ANEFModelProcedureID");
        if (index && apple_integer(a, index) == (int64_t)function->index)
            return apple_dictionary_get(a, procedure,
                                        output ? "ANEFModelOutputSymbolIndexArray"
                                               : "ANEFModelInputSymbolIndexArray");
    }
    return NULL;
}

/* The symbol's position among those of the model: the one of the function, where several functions
 * have symbols of that name. */
static size_t index_of(const apple *a, apple_id attributes, const ane_function *function,
                       const char *name, bool output, size_t missing)
{
    const apple_id description = description_of(a, attributes);
    const apple_id symbols = apple_dictionary_get(a, description,
                                                  output ? "kANEFModelOutputSymbolsArrayKey"
                                                         : "kANEFModelInputSymbolsArrayKey");
    const apple_id own = symbols_of(a, description, function, output);
    for (size_t i = 0; i < apple_array_count(a, own); i++) {
        const int64_t at = apple_integer(a, apple_array_get(a, own, i));
        if (at >= 0 && is_called(a, apple_array_get(a, symbols, (size_t)at), name))
            return (size_t)at;
    }
    for (size_t i = 0; i < apple_array_count(a, symbols); i++)
        if (is_called(a, apple_array_get(a, symbols, i), name))
            return i;
    return missing;
}

static yoke_status read_layout(const apple *a, apple_id from, const char *name, ane_tensor *tensor,
                               yoke_error *err)
{
    const size_t channels = size_of(a, from, "Channels", 0), width = size_of(a, from, "Width", 0);
    const size_t row = size_of(a, from, "RowStride", tensor->plane_bytes);
    const size_t plane = size_of(a, from, "PlaneStride", row);
    const apple_id type = apple_dictionary_get(a, from, "Type");
    if (channels != tensor->channels || width != tensor->width ||
        size_of(a, from, "Height", 1) != 1 || size_of(a, from, "Interleave", 1) != 1 ||
        (type && !text_is(a, type, "Float16")) || row < 2 * width || plane < row)
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine ane: modelAttributes: %s is %zu channels of %zu elements, in "
                              "planes of %zu bytes: not the fp16 tensor of %zu by %zu that was "
                              "compiled",
                              name, channels, width, plane, tensor->channels, tensor->width);
    tensor->plane_bytes = plane;
    return YOKE_OK;
}

yoke_status ane_attributes_find(const ane_framework *f, apple_id model,
                                const ane_function *function, const char *name, bool output,
                                size_t position, ane_tensor *tensor, yoke_error *err)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    const apple_id attributes = attributes_of(a, model);
    const apple_id found = find_tensor(a, attributes, function, name, output);
    tensor->plane_bytes = size_round_up(2 * tensor->width, ROW_BYTES);
    tensor->index = index_of(a, attributes, function, name, output, position);
    yoke_status status = found ? read_layout(a, found, name, tensor, err) : YOKE_OK;
    apple_pool_pop(a, pool);
    if (status == YOKE_OK && !size_mul(tensor->channels, tensor->plane_bytes, &tensor->bytes))
        status = yoke_error_set(err, YOKE_ERR_SHAPE, "engine ane: %s is too large", name);
    return status;
}
