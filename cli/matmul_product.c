/* The weight, x and the check of the product. */
#include "matmul.h"
#include "tensor.h"

static yoke_status load_weight(const matmul_request *what, matmul_product *p, yoke_error *err)
{
    const yoke_tensor *tensor;
    yoke_status status = yoke_file_open(what->path, &p->file, err);
    if (status == YOKE_OK)
        status = tensor_find(p->file, what->tensor, &tensor, err);
    if (status == YOKE_OK)
        status = yoke_file_matrix(p->file, tensor, &p->w, NULL, err);
    if (status == YOKE_OK && (p->w.rows == 0 || p->w.cols == 0))
        status = yoke_error_set(err, YOKE_ERR_SHAPE, "%s: tensor '%s' is empty", what->path,
                                tensor->name);
    if (status != YOKE_OK || what->format == YOKE_FORMAT_NONE || what->format == p->w.format)
        return status;
    yoke_matrix converted;
    status = yoke_matrix_create(what->format, p->w.rows, p->w.cols, &converted, err);
    if (status != YOKE_OK)
        return status;
    status = yoke_matrix_convert(&p->w, &converted, err);
    p->w = converted;
    p->owns_w = true;
    return status;
}

static yoke_status make_weight(const matmul_request *what, matmul_product *p, yoke_error *err)
{
    yoke_format format = what->format == YOKE_FORMAT_NONE ? YOKE_F16 : what->format;
    yoke_status status = yoke_matrix_create(format, what->n, what->k, &p->w, err);
    if (status != YOKE_OK)
        return status;
    p->owns_w = true;
    return yoke_matrix_fill_random(&p->w, what->seed, err);
}

yoke_status matmul_product_make(const matmul_request *what, matmul_product *p, yoke_error *err)
{
    *p = (matmul_product){
        .check_all = what->check_all, .precision = what->precision, .seed = what->seed};
    yoke_status status = what->path ? load_weight(what, p, err) : make_weight(what, p, err);
    if (status == YOKE_OK)
        status = yoke_matrix_create(what->x_format, what->m, p->w.cols, &p->x, err);
    if (status == YOKE_OK)
        status = yoke_matrix_fill_random(&p->x, what->seed + 1, err);
    if (status == YOKE_OK)
        status = yoke_check_create(&p->w, what->seed, &p->check, err);
    return status;
}

void matmul_product_free(matmul_product *p)
{
    yoke_check_free(p->check);
    yoke_matrix_free(&p->x);
    if (p->owns_w)
        yoke_matrix_free(&p->w);
    yoke_file_free(p->file);
}
