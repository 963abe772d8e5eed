#include "engines/coreml/package.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/coreml/program.h"
#include "engines/coreml/weights.h"
#include "files/coreml/created.h"
#include "files/coreml/manifest.h"

#define OPEN_FOLDERS 8 /* at once, while a folder is removed */
#define DATA         "/Data/com.apple.CoreML"

/* A path in the package. */
typedef struct below {
    char text[sizeof((coreml_package *)0)->path + 64];
} below;

static const char *in(const coreml_package *package, const char *tail, below *room)
{
    snprintf(room->text, sizeof room->text, "%s%s", package->path, tail);
    return room->text;
}

static yoke_status make_folder(coreml_package *package, yoke_error *err)
{
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary)
        temporary = "/tmp";
    const int length =
        snprintf(package->folder, sizeof package->folder, "%s/yoke-coreml-XXXXXX", temporary);
    if (length < 0 || (size_t)length >= sizeof package->folder || !mkdtemp(package->folder)) {
        package->folder[0] = '\0';
        return yoke_error_set(err, YOKE_ERR_IO, "%s: cannot create a folder: %s", temporary,
                              strerror(errno));
    }
    /* Named as the folder: what is compiled of several at once is put into one place, by name. */
    snprintf(package->path, sizeof package->path, "%s%s.mlpackage", package->folder,
             strrchr(package->folder, '/'));
    return YOKE_OK;
}

static yoke_status fill_folder(const coreml_package *package, const coreml_layout *l,
                               const yoke_matrix *w, yoke_error *err)
{
    static const char *const folders[] = {"", "/Data", DATA, DATA "/weights"};
    below path;
    yoke_status status = YOKE_OK;
    for (size_t i = 0; i < 4 && status == YOKE_OK; i++)
        status = created_folder(in(package, folders[i], &path), err);
    if (status == YOKE_OK)
        status =
            created_file(in(package, "/Manifest.json", &path), manifest, sizeof manifest - 1, err);
    if (status == YOKE_OK)
        status = coreml_weights_write(l, w, in(package, DATA "/weights/weight.bin", &path), err);
    return status;
}

yoke_status coreml_package_create(const coreml_layout *l, const yoke_matrix *w,
                                  coreml_package *package, yoke_error *err)
{
    yoke_status status = make_folder(package, err);
    if (status == YOKE_OK)
        status = fill_folder(package, l, w, err);
    if (status != YOKE_OK)
        coreml_package_remove(package);
    return status;
}

yoke_status coreml_package_set_rows(const coreml_package *package, const coreml_layout *l,
                                    size_t rows, yoke_error *err)
{
    below path;
    uint8_t *bytes = NULL;
    size_t size;
    yoke_status status = coreml_program_model(l, rows, &bytes, &size, err);
    if (status == YOKE_OK) {
        unlink(in(package, DATA "/model.mlmodel", &path));
        status = created_file(path.text, bytes, size, err);
    }
    free(bytes);
    return status;
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    remove(path);
    return 0;
}

void coreml_folder_remove(const char *folder)
{
    nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void coreml_package_remove(coreml_package *package)
{
    if (package->folder[0])
        coreml_folder_remove(package->folder);
    package->folder[0] = '\0';
}
