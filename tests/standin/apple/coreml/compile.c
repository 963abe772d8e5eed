#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../ane/image.h"
#include "files/coreml/mil_print.h"
#include "files/coreml/model.h"
#include "yoke/file.h"

enum { PATH_BYTES = 4096 };

static bool write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(bytes, 1, size, file) == size;
    return file && (fclose(file) == 0) & written;
}

static bool say(char *why, size_t room, const char *text)
{
    snprintf(why, room, "%s", text);
    return false;
}

/* Specification{1 version}: 7 for the operations of iOS 16, 9 for those of iOS 18. */
static bool version_fits(const image *model, const mil_function *function)
{
    const int version = model->size > 1 && model->bytes[0] == 8 ? model->bytes[1] : 0;
    return (version == 7 && strcmp(function->opset, "CoreML6") == 0) ||
           (version == 9 && strcmp(function->opset, "CoreML8") == 0);
}

static bool write_text(const image *model, const char *path, const char *compiled, char *why,
                       size_t room)
{
    arena memory = {0};
    mil_program program;
    yoke_error err;
    char *text = NULL;
    bool done = false;
    if (model_parse(model->bytes, model->size, path, &memory, &program, &err) != YOKE_OK)
        say(why, room, err.text);
    else if (program.function_count != 1 || !version_fits(model, &program.functions[0]))
        say(why, room, "the specification version and the operations do not go together");
    else {
        mil_function function = program.functions[0];
        function.opset = "ios18";
        program.functions = &function;
        program.version = "1.3";
        done = mil_print(&program, &text, &err) == YOKE_OK &&
               write_file(compiled, "model.mil", text, strlen(text));
    }
    free(text);
    arena_free(&memory);
    return done;
}

/* The library's reader sees to the manifest, and that all weights are whole. */
static bool check_package(const char *package, char *why, size_t room)
{
    yoke_file *file;
    yoke_error err;
    if (yoke_file_open(package, &file, &err) != YOKE_OK)
        return say(why, room, err.text);
    yoke_file_free(file);
    return true;
}

bool standin_compile(const char *package, const char *compiled, char *why, size_t room)
{
    char path[PATH_BYTES];
    image model, weights = {0};
    if (!check_package(package, why, room))
        return false;
    snprintf(path, sizeof path, "%s/Data/com.apple.CoreML/weights/weight.bin", package);
    if (!image_read(path, &weights))
        return say(why, room, "no weights");
    snprintf(path, sizeof path, "%s/weights", compiled);
    bool done = mkdir(compiled, 0700) == 0 && mkdir(path, 0700) == 0 &&
                write_file(compiled, "weights/weight.bin", weights.bytes, weights.size);
    snprintf(path, sizeof path, "%s/Data/com.apple.CoreML/model.mlmodel", package);
    if (done && image_read(path, &model)) {
        done = write_text(&model, path, compiled, why, room);
        image_free(&model);
    }
    image_free(&weights);
    return done;
}
