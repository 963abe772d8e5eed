#include "planner_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void require(yoke_status status, const yoke_error *err)
{
    if (status != YOKE_OK)
        fail_msg("%s", err->text);
}

yoke_planner_model *planner_open(const char *what, yoke_format format)
{
    yoke_planner_model *model = NULL;
    yoke_error err = {0};
    require(yoke_planner_model_open(what, format, &model, &err), &err);
    return model;
}

yoke_planner_model *planner_create(const char *name)
{
    yoke_planner_model *model = NULL;
    yoke_error err = {0};
    require(yoke_planner_model_create(name, &model, &err), &err);
    return model;
}

void planner_add(yoke_planner_model *model, const char *role, size_t n, size_t k, size_t count,
                 yoke_format format)
{
    yoke_error err = {0};
    yoke_planner_product product = {.n = n, .k = k, .count = count, .format = format};
    snprintf(product.role, sizeof product.role, "%s", role);
    product.last_row = strcmp(role, "head") == 0;
    require(yoke_planner_model_add(model, &product, &err), &err);
}

yoke_planner_machine planner_chip(const char *chip)
{
    yoke_chips *chips = NULL;
    yoke_planner_machine machine;
    yoke_error err = {0};
    require(yoke_chips_open(NULL, NULL, &chips, &err), &err);
    require(yoke_planner_machine_of_chip(chips, chip, &machine, &err), &err);
    yoke_chips_free(chips);
    return machine;
}

void planner_keep(yoke_planner_machine *machine, const char *first, const char *second)
{
    yoke_error err = {0};
    require(yoke_planner_machine_keep(machine, (const char *const[]){first, second}, second ? 2 : 1,
                                      &err),
            &err);
}

yoke_planner_prediction planner_predict(const yoke_planner_model *model,
                                        const yoke_planner_machine *machine, size_t prompt,
                                        size_t context)
{
    yoke_planner_request request = {.prompt = prompt, .context = context};
    yoke_planner_prediction prediction;
    yoke_error err = {0};
    require(yoke_planner_predict(model, machine, &request, &prediction, &err), &err);
    return prediction;
}

static yoke_planner_figure known(double value)
{
    return (yoke_planner_figure){
        .low = value, .high = value, .basis = YOKE_PLANNER_PUBLISHED, .source = "the test"};
}

yoke_planner_engine planner_engine(const char *name, double gbps, double tflops, double call_us)
{
    yoke_planner_engine engine = {
        .gbps = known(gbps), .tflops = known(tflops), .call_us = known(call_us)};
    snprintf(engine.name, sizeof engine.name, "%s", name);
    return engine;
}

const yoke_planner_product *planner_product(const yoke_planner_model *model, const char *role)
{
    const yoke_planner_product *product;
    for (size_t i = 0; (product = yoke_planner_model_product(model, i)); i++)
        if (strcmp(product->role, role) == 0)
            return product;
    fail_msg("no product %s", role);
    return NULL;
}
