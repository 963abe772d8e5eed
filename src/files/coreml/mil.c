#include "files/coreml/mil.h"

#include <string.h>

#include "base/size.h"

static const mil_element_info ELEMENTS[MIL_ELEMENT_COUNT] = {
    [MIL_STRING] = {"string", MIL_CLASS_TEXT, 0, 2, 0, YOKE_FORMAT_NONE},
    [MIL_BOOL] = {"bool", MIL_CLASS_BOOL, 8, 1, 0, YOKE_BOOL},
    [MIL_FP16] = {"fp16", MIL_CLASS_FLOAT, 16, 10, 1, YOKE_F16},
    [MIL_FP32] = {"fp32", MIL_CLASS_FLOAT, 32, 11, 2, YOKE_F32},
    [MIL_FP64] = {"fp64", MIL_CLASS_FLOAT, 64, 12, 0, YOKE_F64},
    [MIL_BF16] = {"bf16", MIL_CLASS_FLOAT, 16, 13, 5, YOKE_BF16},
    [MIL_FP8E4M3FN] = {"fp8e4m3fn", MIL_CLASS_FLOAT, 8, 40, 16, YOKE_F8_E4M3},
    [MIL_FP8E5M2] = {"fp8e5m2", MIL_CLASS_FLOAT, 8, 41, 17, YOKE_F8_E5M2},
    [MIL_INT4] = {"int4", MIL_CLASS_SIGNED, 4, 25, 8, YOKE_FORMAT_NONE},
    [MIL_INT8] = {"int8", MIL_CLASS_SIGNED, 8, 21, 4, YOKE_I8},
    [MIL_INT16] = {"int16", MIL_CLASS_SIGNED, 16, 22, 6, YOKE_I16},
    [MIL_INT32] = {"int32", MIL_CLASS_SIGNED, 32, 23, 14, YOKE_I32},
    [MIL_INT64] = {"int64", MIL_CLASS_SIGNED, 64, 24, 0, YOKE_I64},
    [MIL_UINT1] = {"uint1", MIL_CLASS_UNSIGNED, 1, 37, 9, YOKE_FORMAT_NONE},
    [MIL_UINT2] = {"uint2", MIL_CLASS_UNSIGNED, 2, 36, 10, YOKE_FORMAT_NONE},
    [MIL_UINT3] = {"uint3", MIL_CLASS_UNSIGNED, 3, 39, 12, YOKE_FORMAT_NONE},
    [MIL_UINT4] = {"uint4", MIL_CLASS_UNSIGNED, 4, 35, 11, YOKE_FORMAT_NONE},
    [MIL_UINT6] = {"uint6", MIL_CLASS_UNSIGNED, 6, 38, 13, YOKE_FORMAT_NONE},
    [MIL_UINT8] = {"uint8", MIL_CLASS_UNSIGNED, 8, 31, 3, YOKE_U8},
    [MIL_UINT16] = {"uint16", MIL_CLASS_UNSIGNED, 16, 32, 7, YOKE_U16},
    [MIL_UINT32] = {"uint32", MIL_CLASS_UNSIGNED, 32, 33, 15, YOKE_U32},
    [MIL_UINT64] = {"uint64", MIL_CLASS_UNSIGNED, 64, 34, 0, YOKE_U64},
};

const mil_element_info *mil_element_get(mil_element element)
{
    return &ELEMENTS[element];
}

bool mil_element_named(const char *name, size_t length, mil_element *element)
{
    for (unsigned i = 0; i < MIL_ELEMENT_COUNT; i++) {
        if (strlen(ELEMENTS[i].name) == length && memcmp(ELEMENTS[i].name, name, length) == 0) {
            *element = (mil_element)i;
            return true;
        }
    }
    return false;
}

bool mil_element_of_proto(uint64_t code, mil_element *element)
{
    for (unsigned i = 0; i < MIL_ELEMENT_COUNT; i++) {
        if (ELEMENTS[i].proto == code) {
            *element = (mil_element)i;
            return true;
        }
    }
    return false;
}

bool mil_element_of_blob(uint32_t code, mil_element *element)
{
    for (unsigned i = 0; i < MIL_ELEMENT_COUNT; i++) {
        if (ELEMENTS[i].blob == code && code != 0) {
            *element = (mil_element)i;
            return true;
        }
    }
    return false;
}

size_t mil_element_bytes(mil_element element)
{
    return (ELEMENTS[element].bits + 7u) / 8u;
}

const mil_value *mil_find_attribute(const mil_attributes *attributes, const char *name)
{
    for (size_t i = 0; i < attributes->count; i++)
        if (strcmp(attributes->list[i].name, name) == 0)
            return &attributes->list[i].value;
    return NULL;
}

const mil_argument *mil_find_argument(const mil_operation *operation, const char *name)
{
    for (size_t i = 0; i < operation->argument_count; i++)
        if (strcmp(operation->arguments[i].name, name) == 0)
            return &operation->arguments[i];
    return NULL;
}

bool mil_type_elements(const mil_type *type, size_t *elements)
{
    if (type->kind != MIL_TENSOR)
        return false;
    *elements = 1;
    for (unsigned i = 0; i < type->rank; i++)
        if (type->shape[i] == MIL_UNKNOWN || type->shape[i] > SIZE_MAX ||
            !size_mul(*elements, (size_t)type->shape[i], elements))
            return false;
    return true;
}
