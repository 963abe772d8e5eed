/* A head of random weights as a bundle of either form. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/coreml/created.h"
#include "files/coreml/head_program.h"
#include "files/coreml/head_weights.h"
#include "files/coreml/manifest.h"
#include "files/text.h"

/* What a form of bundle consists of, below its path. The folders come in the order in which they
 * are made; the program is the first file. */
typedef struct form {
    const char *ending;
    const char *folders[4];
    const char *program, *weights, *manifest; /* manifest: or NULL */
} form;

static const form FORMS[] = {
    {".mlmodelc", {"", "/weights"}, "/model.mil", "/weights/weight.bin", NULL},
    {".mlpackage",
     {"", "/Data", "/Data/com.apple.CoreML", "/Data/com.apple.CoreML/weights"},
     "/Data/com.apple.CoreML/model.mlmodel",
     "/Data/com.apple.CoreML/weights/weight.bin",
     "/Manifest.json"},
};
enum { FORMS_COUNT = sizeof FORMS / sizeof *FORMS, FOLDERS_MOST = 4 };

/* A path below the folder in which the bundle is made; its room is as long as any takes. */
typedef struct place {
    char *text;
    size_t root_length;
} place;

static const char *below(place *at, const char *tail)
{
    strcpy(at->text + at->root_length, tail);
    return at->text;
}

static bool place_create(place *at, const char *path)
{
    size_t room = strlen(path) + 128; /* the temporary ending, and the longest path in a form */
    at->text = malloc(room);
    if (!at->text)
        return false;
    at->root_length = (size_t)snprintf(at->text, room, "%s.%ld.tmp", path, (long)getpid());
    return true;
}

/* Of all that was made so far. */
static void remove_made(const form *of, place *at)
{
    unlink(below(at, of->program));
    unlink(below(at, of->weights));
    if (of->manifest)
        unlink(below(at, of->manifest));
    for (size_t i = FOLDERS_MOST; i-- > 0;)
        if (of->folders[i])
            rmdir(below(at, of->folders[i]));
}

static yoke_status write_program(const form *of, const head_layout *layout, place *at,
                                 yoke_error *err)
{
    uint8_t *bytes = NULL;
    char *text = NULL;
    size_t size = 0;
    yoke_status status = of->manifest ? head_program_model(layout, &bytes, &size, err)
                                      : head_program_text(layout, &text, err);
    if (status == YOKE_OK)
        status = created_file(below(at, of->program), text ? (const void *)text : bytes,
                              text ? strlen(text) : size, err);
    free(text);
    free(bytes);
    return status;
}

static yoke_status write_files(const form *of, const head_layout *layout,
                               const yoke_coreml_head *head, place *at, yoke_error *err)
{
    yoke_status status = write_program(of, layout, at, err);
    if (status == YOKE_OK && of->manifest)
        status = created_file(below(at, of->manifest), manifest, sizeof manifest - 1, err);
    if (status == YOKE_OK)
        status = head_weights_write(layout, head, below(at, of->weights), err);
    return status;
}

static yoke_status write_bundle(const form *of, const head_layout *layout,
                                const yoke_coreml_head *head, const char *path, place *at,
                                yoke_error *err)
{
    /* A folder of that name is someone else's. */
    yoke_status status = created_folder(below(at, of->folders[0]), err);
    if (status != YOKE_OK)
        return status;
    for (size_t i = 1; i < FOLDERS_MOST && of->folders[i] && status == YOKE_OK; i++)
        status = created_folder(below(at, of->folders[i]), err);
    if (status == YOKE_OK)
        status = write_files(of, layout, head, at, err);
    if (status == YOKE_OK && rename(below(at, ""), path) != 0)
        status = yoke_error_set(err, YOKE_ERR_IO, "%s: cannot create: %s", path, strerror(errno));
    if (status != YOKE_OK)
        remove_made(of, at);
    return status;
}

static const form *form_of(const char *path)
{
    for (size_t i = 0; i < FORMS_COUNT; i++)
        if (text_ends_with(path, FORMS[i].ending))
            return &FORMS[i];
    return NULL;
}

yoke_status yoke_coreml_write_head(const yoke_coreml_head *head, const char *path, yoke_error *err)
{
    if (!head || !path)
        return yoke_error_set(err, YOKE_ERR_USAGE, "yoke_coreml_write_head: an argument is NULL");
    const form *of = form_of(path);
    if (!of)
        return yoke_error_set(err, YOKE_ERR_USAGE,
                              "%s: ends neither in .mlpackage nor in .mlmodelc", path);
    head_layout layout;
    yoke_status status = head_layout_make(head, &layout, err);
    if (status != YOKE_OK)
        return status;
    struct stat there;
    if (lstat(path, &there) == 0)
        return yoke_error_set(err, YOKE_ERR_IO, "%s: is there already", path);
    place at;
    if (!place_create(&at, path))
        return yoke_error_set(err, YOKE_ERR_MEMORY, "%s: no memory for its path", path);
    status = write_bundle(of, &layout, head, path, &at, err);
    free(at.text);
    return status;
}
