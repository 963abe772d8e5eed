#include "split/verify.h"

#include "engines/error_model.h"

bool verify_promises(const yoke_engine_facts *facts, yoke_precision precision, size_t k,
                     double tolerance)
{
    if (tolerance == 0)
        return true;
    if (precision == YOKE_PRECISION_INT8_X || facts->saturation > 0)
        return false; /* small elements beside large ones, large results: no relative error */
    yoke_error_model model = error_model_of(facts, precision);
    double unit = facts->accumulate == YOKE_F64 ? 0x1p-53 : model.unit;
    return ((double)k + 2) * unit + model.input <= tolerance;
}

static yoke_status judge(const product *p, size_t engine, const piece *at, const yoke_matrix *y,
                         yoke_verdict *verdict, yoke_error *err)
{
    const party *by = &p->plan->parties[engine];
    const yoke_matrix x = product_x(p, at);
    yoke_check_result found;
    if (yoke_check_product(p->plan->check, &x, y, at->output, &by->model, &found, NULL) != YOKE_OK)
        return YOKE_OK; /* no memory to check with */
    *verdict = found.verdict;
    if (found.verdict == YOKE_VERDICT_RIGHT || found.verdict == YOKE_VERDICT_UNCHECKED)
        return YOKE_OK;
    return yoke_error_set(err, YOKE_ERR_CHECK, "engine %s: its answer is %s (row %zu, output %zu)",
                          by->key.engine, yoke_verdict_name(found.verdict), at->row + found.row,
                          at->output + found.col);
}

static yoke_status judge_another(const product *p, size_t engine, const holding *held,
                                 const piece *at, uint64_t patience_ns, yoke_verdict *verdict,
                                 yoke_error *err)
{
    const yoke_matrix x = product_x(p, at);
    yoke_matrix y;
    if (yoke_matrix_create(p->y->format, at->rows, at->outputs, &y, NULL) != YOKE_OK)
        return YOKE_OK;
    yoke_multiply_options options = product_options(p, held, at);
    options.scaled = false;
    options.deadline_ns = patience_ns;
    yoke_status status = yoke_weight_multiply(held->weight, &x, &y, &options, NULL, err);
    if (status == YOKE_OK)
        status = judge(p, engine, at, &y, verdict, err);
    yoke_matrix_free(&y);
    return status;
}

yoke_status verify_piece(const product *p, size_t engine, const holding *held, const piece *at,
                         uint64_t patience_ns, yoke_verdict *verdict, yoke_error *err)
{
    *verdict = YOKE_VERDICT_UNCHECKED;
    if (p->options.scaled)
        return judge_another(p, engine, held, at, patience_ns, verdict, err);
    const yoke_matrix y = product_y(p, at);
    return judge(p, engine, at, &y, verdict, err);
}
