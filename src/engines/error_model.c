#include "engines/error_model.h"

#include "engines/handle.h"

yoke_error_model error_model_of(const yoke_engine_facts *facts, yoke_precision precision)
{
    yoke_error_model model = {.saturation = facts->saturation};
    switch (facts->accumulate) {
    case YOKE_F16: model.unit = 0x1p-11; break;
    case YOKE_BF16: model.unit = 0x1p-8; break;
    default: model.unit = 0x1p-24; break;
    }
    /* Of x, of products and of results, one unit each, and results perhaps not to nearest. */
    if (facts->rounds_to == YOKE_F16)
        model.input = 0x1p-10;
    else if (facts->rounds_to == YOKE_BF16)
        model.input = 0x1p-7;
    switch (precision) {
    case YOKE_PRECISION_BF16_X: model.input += 0x1p-8; break;
    /* Half a step of the block's scale, for elements well below its largest. */
    case YOKE_PRECISION_INT8_X: model.input += 1.0 / 64; break;
    case YOKE_PRECISION_FULL: break;
    }
    return model;
}

yoke_error_model yoke_engine_error_model(const yoke_engine *engine, yoke_precision precision)
{
    return error_model_of(&engine->info.facts, precision);
}
