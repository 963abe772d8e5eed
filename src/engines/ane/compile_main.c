/* yoke-ane-compile FOLDER: compiles the program in that folder, so that the library finds it
 * compiled. Exit 0, or a yoke_status with one line on standard output. */
#include <stdio.h>
#include <string.h>

#include "engines/ane/model.h"
#include "files/mapping.h"

static yoke_status open_file(const char *folder, const char *name, mapping *out, yoke_error *err)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: the path is too long", folder);
    return mapping_open(path, out, err);
}

static yoke_status compile(const char *folder, const ane_source *source, yoke_error *err)
{
    ane_framework f;
    ane_model model = {.object = NULL};
    yoke_status status = ane_framework_load(&f, err);
    if (status == YOKE_OK)
        status = ane_model_create(&f, source, &model, err);
    if (status != YOKE_OK)
        return status;
    if (strcmp(model.folder, folder) != 0)
        status =
            yoke_error_set(err, YOKE_ERR_IO,
                           "engine ane: %s: the framework looks for these files elsewhere", folder);
    if (status == YOKE_OK)
        status = ane_model_compile(&f, &model, err);
    ane_model_free(&f, &model);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        printf("usage: yoke-ane-compile FOLDER\n");
        return YOKE_ERR_USAGE;
    }
    yoke_error err = {0};
    mapping text = {.descriptor = -1}, weights = {.descriptor = -1};
    yoke_status status = open_file(argv[1], ANE_FOLDER_TEXT, &text, &err);
    if (status == YOKE_OK && open_file(argv[1], ANE_FOLDER_WEIGHTS, &weights, NULL) != YOKE_OK)
        weights = (mapping){.descriptor = -1}; /* a program without */
    if (status == YOKE_OK)
        status = compile(
            argv[1],
            &(ane_source){(const char *)text.bytes, text.size, weights.bytes, weights.size}, &err);
    mapping_close(&text);
    mapping_close(&weights);
    if (status != YOKE_OK)
        printf("%s\n", err.text);
    return status;
}
