/* The products of Core ML: right for any depth, with wide sums, whatever the device. */
#include "../ane/operation.h"

bool operation_conv(variables *s, const mil_operation *operation, tensor *out)
{
    const tensor *w = variables_operand(s, operation, "weight");
    const tensor *x = w ? variables_operand(s, operation, "x") : NULL;
    if (!x)
        return false;
    const size_t shape[] = {1, w->shape[0], 1, x->shape[3]}, depth = w->shape[1];
    if (x->rank != 4 || w->rank != 4 || w->shape[2] != 1 || w->shape[3] != 1 ||
        x->shape[1] != depth || x->shape[2] != 1 || x->shape[0] != 1 ||
        !variables_integers_are(s, operation, "strides", 2, 1) ||
        !variables_integers_are(s, operation, "groups", 1, 1))
        return variables_refuse(s, operation, "no product of the one kind that is built here");
    if (!operation_result_is(s, operation, out, 4, shape))
        return false;
    for (size_t n = 0; out->values && n < shape[1]; n++)
        for (size_t m = 0; m < shape[3]; m++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += (double)w->values[n * depth + k] * (double)x->values[k * shape[3] + m];
            out->values[n * shape[3] + m] = tensor_rounded(out->element, sum);
        }
    return true;
}

bool operation_matmul(variables *s, const mil_operation *operation, tensor *out)
{
    (void)out;
    return variables_refuse(s, operation, "not built here");
}

bool operation_linear(variables *s, const mil_operation *operation, tensor *out)
{
    (void)out;
    return variables_refuse(s, operation, "not built here");
}
