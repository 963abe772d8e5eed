/* A model by what the user calls it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/text.h"
#include "planner/model.h"

static yoke_status open_preset(const model_shape *s, yoke_format format, yoke_planner_model **model,
                               yoke_error *err)
{
    yoke_status status = yoke_planner_model_create(s->name, model, err);
    if (status != YOKE_OK)
        return status;
    return model_add_shape(*model, s, format == YOKE_FORMAT_NONE ? YOKE_F16 : format, err);
}

static yoke_status read_facts(const char *path, const yoke_file *file, model_facts *facts,
                              yoke_error *err)
{
    const char *kind = yoke_file_kind(file);
    *facts = (model_facts){.tied = true};
    if (strncmp(kind, "gguf", 4) == 0)
        return gguf_keys_read(yoke_file_part(file, 0), facts, err);
    if (strncmp(kind, "safetensors", 11) == 0)
        return config_read(path, facts, err);
    return yoke_error_set(err, YOKE_ERR_UNSUPPORTED,
                          "%s: %s is no model: give a GGUF file or a folder of safetensors", path,
                          kind);
}

static yoke_status open_file(const char *path, yoke_file *file, yoke_format format,
                             yoke_planner_model **model, yoke_error *err)
{
    model_facts facts;
    yoke_status status = read_facts(path, file, &facts, err);
    if (status == YOKE_OK)
        status = yoke_planner_model_create(*facts.name ? facts.name : "model", model, err);
    if (status != YOKE_OK)
        return status;
    model_copy_text((*model)->info.source, sizeof(*model)->info.source, path);
    return model_add_tensors(*model, file, &facts, format, err);
}

static yoke_status not_found(const char *what, yoke_error *err)
{
    char presets[160] = "";
    for (size_t i = 0, used = 0; yoke_planner_preset(i); i++)
        used += (size_t)snprintf(presets + used, sizeof presets - used, "%s%s", i ? ", " : "",
                                 yoke_planner_preset(i));
    return yoke_error_set(err, YOKE_ERR_NOT_FOUND, "%s: neither a file nor a preset (these are %s)",
                          what, presets);
}

yoke_status yoke_planner_model_open(const char *what, yoke_format format,
                                    yoke_planner_model **model, yoke_error *err)
{
    yoke_planner_model *opened = NULL;
    yoke_file *file = NULL;
    const model_shape *preset = preset_find(what);
    yoke_status status;
    if (preset)
        status = open_preset(preset, format, &opened, err);
    else if (access(what, F_OK) != 0)
        status = not_found(what, err);
    else
        status = yoke_file_open(what, &file, err);
    if (file)
        status = open_file(what, file, format, &opened, err);
    yoke_file_free(file);
    if (status == YOKE_OK)
        *model = opened;
    else
        yoke_planner_model_free(opened);
    return status;
}
