/* What is called by cblas_sgemm: OpenBLAS and BLIS, each loaded apart. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef void sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
enum { ROW_MAJOR = 101, AS_IS = 111, TRANSPOSED = 112 };

typedef struct product {
    problem p;
    sgemm *multiply;
} product;

/* The first of the names that can be loaded; they are where the distributions put them. */
static void *load_first(const char *const *names)
{
    void *library = NULL;
    for (; !library && *names; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

static sgemm *find(void *library, const char *symbol)
{
    sgemm *function = NULL;
    if (library)
        *(void **)&function = dlsym(library, symbol);
    return function;
}

static void *prepare_for(const problem *p, sgemm *multiply)
{
    if (p->w->format != YOKE_F32 || p->x->format != YOKE_F32)
        return NULL;
    product *made = malloc(sizeof *made);
    if (made)
        *made = (product){*p, multiply};
    return made;
}

static void multiply(void *prepared)
{
    const product *made = prepared;
    const yoke_matrix *w = made->p.w, *x = made->p.x, *y = made->p.y;
    made->multiply(ROW_MAJOR, AS_IS, TRANSPOSED, (int)x->rows, (int)w->rows, (int)w->cols, 1,
                   x->data, (int)x->cols, w->data, (int)w->cols, 0, y->data, (int)y->cols);
}

static sgemm *openblas, *blis;

static bool open_openblas(size_t threads, char *version, size_t bytes)
{
    (void)threads; /* OPENBLAS_NUM_THREADS says it */
    static const char *const names[] = {"openblas-pthread/libopenblas.so.0", "libopenblas.so.0",
                                        NULL};
    void *library = load_first(names);
    const char *(*config)(void) = NULL;
    openblas = find(library, "cblas_sgemm");
    if (library)
        *(void **)&config = dlsym(library, "openblas_get_config");
    /* "OpenBLAS 0.3.21 NO_LAPACKE ..." */
    const char *text = config ? config() : "";
    text += strcspn(text, "0123456789");
    snprintf(version, bytes, "%.*s", (int)strcspn(text, " "), text);
    return openblas != NULL;
}

static void *prepare_openblas(const problem *p)
{
    return prepare_for(p, openblas);
}

static bool open_blis(size_t threads, char *version, size_t bytes)
{
    (void)threads; /* BLIS_NUM_THREADS says it */
    static const char *const names[] = {"libblis.so.4", "libblis.so", NULL};
    void *library = load_first(names);
    const char *(*told)(void) = NULL;
    blis = find(library, "cblas_sgemm");
    if (library)
        *(void **)&told = dlsym(library, "bli_info_get_version_str");
    snprintf(version, bytes, "%.40s", told ? told() : "");
    return blis != NULL;
}

static void *prepare_blis(const problem *p)
{
    return prepare_for(p, blis);
}

const peer peer_openblas = {"OpenBLAS", open_openblas, prepare_openblas, multiply, free};
const peer peer_blis = {"BLIS", open_blis, prepare_blis, multiply, free};
