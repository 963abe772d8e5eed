#include "engines/metal/mps.h"

/* MPSDataType */
enum { FLOAT32 = 0x10000020, FLOAT16 = 0x10000010 };

static uint32_t data_type(yoke_format format)
{
    return format == YOKE_F16 ? FLOAT16 : FLOAT32;
}

static apple_id create_matrix(const apple *a, const metal_rows *of)
{
    typedef apple_id describe(apple_id, apple_sel, unsigned long, unsigned long, unsigned long,
                              uint32_t);
    typedef apple_id init(apple_id, apple_sel, apple_id, unsigned long, apple_id);
    apple_sel sel;
    apple_id class = apple_class(a, "MPSMatrixDescriptor");
    describe *describe_it = (describe *)apple_method(
        a, class, "matrixDescriptorWithRows:columns:rowBytes:dataType:", &sel);
    apple_id descriptor =
        describe_it(class, sel, of->rows, of->cols, of->row_bytes, data_type(of->format));
    apple_id made = apple_send(a, apple_class(a, "MPSMatrix"), "alloc");
    init *init_it = (init *)apple_method(a, made, "initWithBuffer:offset:descriptor:", &sel);
    return init_it ? init_it(made, sel, of->buffer, of->offset, descriptor) : NULL;
}

/* The only row of `of`, from the buffer's begin on. */
static apple_id create_vector(const apple *a, const metal_rows *of)
{
    typedef apple_id describe(apple_id, apple_sel, unsigned long, uint32_t);
    typedef apple_id init(apple_id, apple_sel, apple_id, apple_id);
    apple_sel sel;
    apple_id class = apple_class(a, "MPSVectorDescriptor");
    describe *describe_it =
        (describe *)apple_method(a, class, "vectorDescriptorWithLength:dataType:", &sel);
    apple_id descriptor = describe_it(class, sel, of->cols, data_type(of->format));
    apple_id made = apple_send(a, apple_class(a, "MPSVector"), "alloc");
    init *init_it = (init *)apple_method(a, made, "initWithBuffer:descriptor:", &sel);
    return init_it ? init_it(made, sel, of->buffer, descriptor) : NULL;
}

static apple_id create_product(const metal_engine *e, float alpha, const metal_rows *left,
                               const metal_rows *result)
{
    typedef apple_id init(apple_id, apple_sel, apple_id, apple_bool, apple_bool, unsigned long,
                          unsigned long, unsigned long, double, double);
    const apple *a = &e->api.objc;
    apple_sel sel;
    apple_id made = apple_send(a, apple_class(a, "MPSMatrixMultiplication"), "alloc");
    init *init_it = (init *)apple_method(a, made,
                                         "initWithDevice:transposeLeft:transposeRight:resultRows:"
                                         "resultColumns:interiorColumns:alpha:beta:",
                                         &sel);
    return init_it ? init_it(made, sel, e->device, 0, 1, result->rows, result->cols, left->cols,
                             (double)alpha, 0)
                   : NULL;
}

static apple_id create_vector_product(const metal_engine *e, float alpha, const metal_rows *right)
{
    typedef apple_id init(apple_id, apple_sel, apple_id, apple_bool, unsigned long, unsigned long,
                          double, double);
    const apple *a = &e->api.objc;
    apple_sel sel;
    apple_id made = apple_send(a, apple_class(a, "MPSMatrixVectorMultiplication"), "alloc");
    init *init_it =
        (init *)apple_method(a, made, "initWithDevice:transpose:rows:columns:alpha:beta:", &sel);
    return init_it ? init_it(made, sel, e->device, 0, right->rows, right->cols, (double)alpha, 0)
                   : NULL;
}

/* Encodes, and releases what was made for it: the command buffer keeps the buffers. */
static yoke_status encode(const metal_engine *e, apple_id command_buffer, const char *selector,
                          const apple_id made[4], yoke_error *err)
{
    typedef void call(apple_id, apple_sel, apple_id, apple_id, apple_id, apple_id);
    static const char *const names[] = {"product", "left operand", "right operand", "result"};
    const apple *a = &e->api.objc;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < 4 && status == YOKE_OK; i++)
        if (!made[i])
            status = yoke_error_set(err, YOKE_ERR_ENGINE,
                                    "engine %s: Metal Performance Shaders: no %s was made",
                                    METAL_NAME, names[i]);
    apple_sel sel;
    call *method = (call *)apple_method(a, made[0], selector, &sel);
    if (status == YOKE_OK)
        method(made[0], sel, command_buffer, made[1], made[2], made[3]);
    for (size_t i = 0; i < 4; i++)
        apple_release(a, made[i]);
    return status;
}

yoke_status metal_mps_multiply(const metal_engine *e, apple_id command_buffer, float alpha,
                               const metal_rows *left, const metal_rows *right,
                               const metal_rows *result, yoke_error *err)
{
    const apple *a = &e->api.objc;
    const apple_id made[] = {create_product(e, alpha, left, result), create_matrix(a, left),
                             create_matrix(a, right), create_matrix(a, result)};
    return encode(e, command_buffer,
                  "encodeToCommandBuffer:leftMatrix:rightMatrix:resultMatrix:", made, err);
}

yoke_status metal_mps_multiply_vector(const metal_engine *e, apple_id command_buffer, float alpha,
                                      const metal_rows *left, const metal_rows *right,
                                      const metal_rows *result, yoke_error *err)
{
    const apple *a = &e->api.objc;
    const apple_id made[] = {create_vector_product(e, alpha, right), create_matrix(a, right),
                             create_vector(a, left), create_vector(a, result)};
    return encode(e, command_buffer,
                  "encodeToCommandBuffer:inputMatrix:inputVector:resultVector:", made, err);
}
