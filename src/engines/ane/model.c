#include "engines/ane/model.h"

#include <stdlib.h>
#include <string.h>

#include "apple/foundation.h"
#include "engines/ane/error.h"
#include "engines/ane/text.h"

enum { PATH_MOST = 4096, STATISTICS_TIME = 1 };

/* {} or {path: {offset: 0, data: weights}}: never nil. */
static apple_id weights_of(const apple *a, const ane_source *source)
{
    if (!source->weights)
        return apple_dictionary(a, NULL, NULL, 0);
    const apple_id keys[] = {apple_string(a, "offset"), apple_string(a, "data")};
    const apple_id values[] = {apple_number(a, 0),
                               apple_data(a, source->weights, source->weight_bytes)};
    const apple_id path = apple_string(a, ANE_BLOB_PATH);
    const apple_id file = apple_dictionary(a, keys, values, 2);
    return apple_dictionary(a, &path, &file, 1);
}

static apple_id make_descriptor(const apple *a, const ane_source *source)
{
    typedef apple_id call(apple_id, apple_sel, apple_id, apple_id, apple_id);
    apple_sel sel;
    apple_id class = apple_class(a, "_ANEInMemoryModelDescriptor");
    call *method = (call *)apple_method(a, class, "modelWithMILText:weights:optionsPlist:", &sel);
    const apple_id text = apple_data(a, source->text, source->text_bytes);
    const apple_id weights = weights_of(a, source);
    return method && text && weights ? method(class, sel, text, weights, NULL) : NULL;
}

static char *copy_text(const apple *a, apple_id string)
{
    char text[PATH_MOST];
    return apple_text(a, string, text, sizeof text) && text[0] ? strdup(text) : NULL;
}

/* The folder is removed with all that is in it, so it must be the program's own. */
static bool names_folder(const ane_model *m)
{
    const char *last = m->folder && m->identifier ? strrchr(m->folder, '/') : NULL;
    return last && strcmp(last + 1, m->identifier) == 0;
}

static yoke_status create(const ane_framework *f, const ane_source *source, ane_model *out,
                          yoke_error *err)
{
    const apple *a = &f->objc;
    const apple_id descriptor = make_descriptor(a, source);
    if (!descriptor)
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine ane: modelWithMILText:weights:optionsPlist: gives nothing");
    *out = (ane_model){.source = *source};
    out->object = apple_retain(a, apple_send_id(a, apple_class(a, "_ANEInMemoryModel"),
                                                "inMemoryModelWithDescriptor:", descriptor));
    if (!out->object)
        return yoke_error_set(err, YOKE_ERR_ENGINE,
                              "engine ane: inMemoryModelWithDescriptor: gives nothing");
    out->identifier = copy_text(a, apple_send(a, out->object, "hexStringIdentifier"));
    out->folder = copy_text(a, apple_send(a, out->object, "localModelPath"));
    if (names_folder(out))
        return YOKE_OK;
    ane_model_free(f, out);
    return yoke_error_set(err, YOKE_ERR_ENGINE,
                          "engine ane: localModelPath does not end in the program's identifier");
}

yoke_status ane_model_create(const ane_framework *f, const ane_source *source, ane_model *out,
                             yoke_error *err)
{
    void *pool = apple_pool_push(&f->objc);
    yoke_status status = create(f, source, out, err);
    apple_pool_pop(&f->objc, pool);
    return status;
}

void ane_model_free(const ane_framework *f, ane_model *m)
{
    apple_release(&f->objc, m->object);
    free(m->folder);
    free(m->identifier);
    *m = (ane_model){.object = NULL};
}

bool ane_model_is_compiled(const ane_framework *f, const ane_model *m)
{
    void *pool = apple_pool_push(&f->objc);
    bool compiled = apple_send_bool(&f->objc, m->object, "compiledModelExists");
    apple_pool_pop(&f->objc, pool);
    return compiled;
}

static yoke_status call_with_options(const apple *a, const ane_model *m, const char *selector,
                                     apple_id options, yoke_error *err)
{
    typedef apple_bool call(apple_id, apple_sel, uint32_t, apple_id, apple_id *);
    apple_sel sel;
    apple_id error = NULL;
    call *method = (call *)apple_method(a, m->object, selector, &sel);
    if (method && method(m->object, sel, ANE_QOS, options, &error))
        return YOKE_OK;
    return ane_error_set(a, selector, error, err);
}

yoke_status ane_model_compile(const ane_framework *f, const ane_model *m, yoke_error *err)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    yoke_status status = call_with_options(
        a, m, "compileWithQoS:options:error:", apple_dictionary(a, NULL, NULL, 0), err);
    apple_pool_pop(a, pool);
    return status;
}

static yoke_status load_with_statistics(const apple *a, const ane_model *m)
{
    const apple_id key = apple_string(a, "kANEFPerformanceStatsMask");
    const apple_id mask = apple_number(a, STATISTICS_TIME);
    const apple_id options = apple_dictionary(a, &key, &mask, 1);
    return call_with_options(a, m, "loadWithQoS:options:error:", options, NULL);
}

static void set_statistics_mask(const apple *a, apple_id object)
{
    typedef void call(apple_id, apple_sel, uint32_t);
    apple_sel sel;
    call *method = (call *)apple_method(a, object, "setPerfStatsMask:", &sel);
    if (method)
        method(object, sel, STATISTICS_TIME);
}

yoke_status ane_model_load(const ane_framework *f, const ane_model *m, bool statistics,
                           yoke_error *err)
{
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    /* A system that does not give them refuses to load with them. */
    yoke_status status = statistics ? load_with_statistics(a, m) : YOKE_ERR_ENGINE;
    if (status != YOKE_OK)
        status = call_with_options(
            a, m, "loadWithQoS:options:error:", apple_dictionary(a, NULL, NULL, 0), err);
    if (status == YOKE_OK && statistics) { /* loading clears it */
        set_statistics_mask(a, m->object);
        set_statistics_mask(a, apple_send(a, m->object, "model"));
    }
    apple_pool_pop(a, pool);
    return status;
}

void ane_model_unload(const ane_framework *f, const ane_model *m)
{
    typedef apple_bool call(apple_id, apple_sel, uint32_t, apple_id *);
    const apple *a = &f->objc;
    void *pool = apple_pool_push(a);
    apple_sel sel;
    apple_id error = NULL;
    call *method = (call *)apple_method(a, m->object, "unloadWithQoS:error:", &sel);
    if (method)
        method(m->object, sel, ANE_QOS, &error);
    apple_pool_pop(a, pool);
}
