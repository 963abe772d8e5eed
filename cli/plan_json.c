/* A prediction as JSON. What is not known is left out. */
#include <jansson.h>

#include "json_out.h"
#include "plan.h"

static json_t *range_json(double low, double high)
{
    return json_pack("{s:f,s:f}", "low", low, "high", high);
}

static json_t *figure_json(const yoke_planner_figure *figure)
{
    json_t *object = range_json(figure->low, figure->high);
    json_object_set_new(object, "basis", json_string(yoke_planner_basis_name(figure->basis)));
    json_out_text(object, "source", figure->source);
    return object;
}

static void set_figure(json_t *object, const char *name, const yoke_planner_figure *figure)
{
    if (figure->low > 0)
        json_object_set_new(object, name, figure_json(figure));
}

static json_t *model_json(const yoke_planner_model *model)
{
    const yoke_planner_model_info *about = yoke_planner_model_about(model);
    json_t *products = json_array();
    const yoke_planner_product *p;
    for (size_t i = 0; (p = yoke_planner_model_product(model, i)); i++)
        json_array_append_new(products, json_pack("{s:s,s:I,s:I,s:I,s:s}", "role", p->role, "n",
                                                  (json_int_t)p->n, "k", (json_int_t)p->k, "count",
                                                  (json_int_t)p->count, "format",
                                                  yoke_format_get(p->format)->name));
    json_t *object = json_pack("{s:s,s:s,s:I,s:I,s:o}", "name", about->name, "source",
                               about->source, "parameters", (json_int_t)about->parameters, "bytes",
                               (json_int_t)about->bytes, "products", products);
    json_out_text(object, "note", about->note);
    return object;
}

static json_t *machine_json(const yoke_planner_machine *machine)
{
    json_t *engines = json_array();
    for (size_t i = 0; i < machine->count; i++) {
        const yoke_planner_engine *e = &machine->engines[i];
        json_t *engine = json_pack("{s:s}", "name", e->name);
        set_figure(engine, "gbps", &e->gbps);
        set_figure(engine, "tflops", &e->tflops);
        set_figure(engine, "call_us", &e->call_us);
        json_array_append_new(engines, engine);
    }
    json_t *object = json_pack("{s:s,s:o}", "name", machine->name, "engines", engines);
    set_figure(object, "system_gbps", &machine->system_gbps);
    return object;
}

static json_t *way_json(const yoke_planner_way *way, size_t rows)
{
    double tokens = (double)rows * 1e9;
    json_t *object = json_object();
    if (!way->possible)
        return object;
    json_object_set_new(object, "seconds", range_json(way->ns.low / 1e9, way->ns.high / 1e9));
    json_object_set_new(object, "tokens_per_second",
                        range_json(tokens / way->ns.high, tokens / way->ns.low));
    json_object_set_new(object, "basis", json_string(yoke_planner_basis_name(way->basis)));
    return object;
}

static json_t *shares_json(const yoke_planner_machine *machine, const yoke_planner_way *way)
{
    json_t *shares = json_object();
    for (size_t e = 0; e < machine->count; e++)
        if (way->share[e].high > 0)
            json_object_set_new(shares, machine->engines[e].name,
                                range_json(way->share[e].low, way->share[e].high));
    return shares;
}

static json_t *phase_json(const planned *p, const yoke_planner_phase *phase)
{
    json_t *alone = json_object(), *split = way_json(&phase->split, phase->rows);
    for (size_t e = 0; e < p->machine.count; e++)
        json_object_set_new(alone, p->machine.engines[e].name,
                            way_json(&phase->alone[e], phase->rows));
    if (phase->split.possible)
        json_object_set_new(split, "shares", shares_json(&p->machine, &phase->split));
    return json_pack("{s:I,s:f,s:f,s:o,s:o}", "rows", (json_int_t)phase->rows, "bytes",
                     phase->bytes, "operations", phase->operations, "alone", alone, "split", split);
}

static json_t *placements_json(const planned *p)
{
    json_t *array = json_array();
    const yoke_planner_phase *prefill = &p->prediction.prefill, *decode = &p->prediction.decode;
    for (size_t a = 0; a < p->machine.count; a++)
        for (size_t b = 0; b < p->machine.count; b++)
            if (a != b && prefill->alone[a].possible && decode->alone[b].possible)
                json_array_append_new(array, json_pack("{s:s,s:s,s:o,s:o}", "prefill",
                                                       p->machine.engines[a].name, "decode",
                                                       p->machine.engines[b].name, "prompt",
                                                       way_json(&prefill->alone[a], prefill->rows),
                                                       "token", way_json(&decode->alone[b], 1)));
    return array;
}

static json_t *plan_json(const planned *p)
{
    json_t *left_out = json_array();
    const char *sentence;
    for (size_t i = 0; (sentence = plan_left_out(p, i)); i++)
        json_array_append_new(left_out, json_string(sentence));
    return json_pack("{s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:I}", "predicted", 1, "model",
                     model_json(p->model), "machine", machine_json(&p->machine), "prefill",
                     phase_json(p, &p->prediction.prefill), "decode",
                     phase_json(p, &p->prediction.decode), "placements", placements_json(p),
                     "left_out", left_out, "context", (json_int_t)p->request.context);
}

yoke_status plan_write_json(const planned *p, const char *path, yoke_error *err)
{
    return json_out_write(plan_json(p), path, err);
}
