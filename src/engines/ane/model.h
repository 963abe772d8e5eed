/* A program as the framework knows it: from text and weights to a loaded model. */
#ifndef ANE_MODEL_H
#define ANE_MODEL_H

#include "engines/ane/folder.h"
#include "engines/ane/framework.h"

typedef struct ane_model {
    apple_id object;   /* _ANEInMemoryModel, retained */
    char *identifier;  /* by its content */
    char *folder;      /* where the compiler finds it */
    ane_source source; /* the caller's, until the model is freed */
} ane_model;

/* Errors: YOKE_ERR_ENGINE, YOKE_ERR_MEMORY. */
yoke_status ane_model_create(const ane_framework *f, const ane_source *source, ane_model *out,
                             yoke_error *err);

/* Neither unloads it nor touches the folder. Zeroed ones are allowed. */
void ane_model_free(const ane_framework *f, ane_model *m);

/* Has the system a compiled program of this content? */
bool ane_model_is_compiled(const ane_framework *f, const ane_model *m);

/* In this process. Errors: those of ane_error_set. */
yoke_status ane_model_compile(const ane_framework *f, const ane_model *m, yoke_error *err);
yoke_status ane_model_load(const ane_framework *f, const ane_model *m, bool statistics,
                           yoke_error *err);
void ane_model_unload(const ane_framework *f, const ane_model *m);

#endif
