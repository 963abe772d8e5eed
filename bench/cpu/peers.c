/* Products on the CPU by yoke and by its peers, in turns, against the limits of the same minutes.
 *
 * peers [M,M,...] [FORMAT,FORMAT,...]; N and K name the weight's sides, SECONDS how long a case
 * takes. One line a case and peer, as markdown; then all of it as JSON. Weights are cold: as many
 * copies in turns as exceed the caches four times. A peer whose result is wrong gets no figure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer.h"
#include "yoke/host.h"
#include "yoke/measure.h"

enum { PEERS_MAX = 8, COPIES_MAX = 64, SAMPLES_MAX = 4096 };
#define COLD_BYTES ((size_t)160 << 20)
#define REST_NS    20000000l /* until the threads of the one before have stopped spinning */
#define PEAK_NS    30000000u
#define TURNS      5

static const peer *const peers[] = {
    &peer_yoke,
    &peer_openblas,
    &peer_blis,
#ifdef HAVE_ONEDNN
    &peer_onednn,
#endif
};
#define PEER_COUNT (sizeof peers / sizeof *peers)

typedef struct contender {
    const peer *peer;
    void *prepared[COPIES_MAX];
    size_t next; /* copy */
    double samples[SAMPLES_MAX];
    size_t count;
    bool right;
} contender;

typedef struct bench {
    yoke_context *context;
    yoke_engine *cpu; /* measures the limits */
    char *cold;       /* COLD_BYTES, for the read limit */
    bool here[PEER_COUNT];
    contender contenders[PEERS_MAX];
    size_t contender_count;
    size_t n, k;
    double seconds;
    bool printed; /* a JSON row */
    FILE *json;
} bench;

static void fail(const yoke_error *err)
{
    fprintf(stderr, "peers: %s\n", err->text);
    exit(1);
}

static void must(yoke_status status, const yoke_error *err)
{
    if (status != YOKE_OK)
        fail(err);
}

static yoke_matrix random_matrix(yoke_format format, size_t rows, size_t cols, uint64_t seed)
{
    yoke_error err = {0};
    yoke_matrix made = {0};
    must(yoke_matrix_create(format, rows, cols, &made, &err), &err);
    must(yoke_matrix_fill_random(&made, seed, &err), &err);
    return made;
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, REST_NS}, NULL);
}

static double limit_of(bench *b, yoke_limit which, const problem *p)
{
    double rate = NAN;
    const yoke_limit_request request = {.size = sizeof request,
                                        .limit = which,
                                        .bytes = b->cold,
                                        .byte_count = COLD_BYTES,
                                        .format = p->w->format,
                                        .x_format = p->x->format,
                                        .precision = p->precision,
                                        .duration_ns = PEAK_NS};
    return yoke_engine_limit(b->cpu, &request, &rate, NULL) == YOKE_OK ? rate : NAN;
}

/* x as f32 quantised to int8 errs by half a step of 127 in a block's largest, bf16 by 2^-9. */
static bool is_right(const yoke_check *check, const problem *p)
{
    const yoke_error_model model = {.input = p->precision == YOKE_PRECISION_INT8_X ? 1.0 / 64
                                                                                   : 1.0 / 256};
    yoke_check_result result;
    return yoke_check_product(check, p->x, p->y, 0, &model, &result, NULL) == YOKE_OK &&
           result.verdict == YOKE_VERDICT_RIGHT;
}

static void add_contender(bench *b, const peer *who, const problem *p, size_t copies,
                          const yoke_check *check)
{
    contender *c = &b->contenders[b->contender_count];
    *c = (contender){.peer = who};
    for (size_t i = 0; i < copies; i++)
        if (!(c->prepared[i] = who->prepare(p)))
            return; /* the first one: it cannot multiply that */
    who->multiply(c->prepared[0]);
    c->right = is_right(check, p);
    b->contender_count++;
}

static double timed(contender *c, size_t copies)
{
    uint64_t begin = yoke_clock_ns();
    c->peer->multiply(c->prepared[c->next++ % copies]);
    return (double)(yoke_clock_ns() - begin);
}

static void take_turn(contender *c, size_t copies, double seconds)
{
    rest();
    (void)timed(c, copies); /* wakes its threads */
    for (double ns = 0; ns < seconds * 1e9 && c->count < SAMPLES_MAX;) {
        double one = timed(c, copies);
        c->samples[c->count++] = one;
        ns += one;
    }
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median_of(contender *c)
{
    qsort(c->samples, c->count, sizeof *c->samples, by_value);
    return c->count == 0 ? NAN : c->samples[c->count / 2];
}

static void print_row(bench *b, contender *c, const problem *p, double ideal_ns)
{
    double median = median_of(c),
           operations = 2.0 * (double)p->x->rows * (double)b->n * (double)b->k;
    const char *format = yoke_format_get(p->w->format)->name;
    if (!c->right) {
        printf("| %zu | %s | %s | WRONG | | |\n", p->x->rows, format, c->peer->name);
        return;
    }
    printf("| %zu | %s | %s | %.3f ms | %.3f | %.2f |\n", p->x->rows, format, c->peer->name,
           median / 1e6, operations / median / 1e3, ideal_ns / median);
    fprintf(b->json,
            "%s\n  {\"m\": %zu, \"format\": \"%s\", \"peer\": \"%s\", \"median_ns\": %.0f, "
            "\"samples\": %zu, \"limit_ns\": %.0f}",
            b->printed ? "," : "", p->x->rows, format, c->peer->name, median, c->count, ideal_ns);
    b->printed = true;
}

static void run_case(bench *b, yoke_format format, size_t m)
{
    yoke_error err = {0};
    bool blocks = format == YOKE_Q8_0 || format == YOKE_Q4_0;
    yoke_matrix w = random_matrix(format, b->n, b->k, 1);
    yoke_matrix x = random_matrix(format == YOKE_BF16 ? YOKE_BF16 : YOKE_F32, m, b->k, 2);
    yoke_matrix y = random_matrix(YOKE_F32, m, b->n, 3);
    const problem p = {&w, &x, &y, blocks ? YOKE_PRECISION_INT8_X : YOKE_PRECISION_FULL};
    yoke_check *check;
    must(yoke_check_create(&w, 1, &check, &err), &err);
    size_t bytes = yoke_matrix_bytes(&w);
    size_t copies = m > 128 ? 1 : COLD_BYTES / bytes + 1;
    copies = copies > COPIES_MAX ? COPIES_MAX : copies;

    b->contender_count = 0;
    for (size_t i = 0; i < PEER_COUNT; i++)
        if (b->here[i])
            add_contender(b, peers[i], &p, copies, check);
    double operations = 2.0 * (double)m * (double)b->n * (double)b->k, read = 0, peak = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        rest();
        read = fmax(read, limit_of(b, YOKE_LIMIT_READ, &p));
        peak = fmax(peak, limit_of(b, YOKE_LIMIT_COMPUTE, &p));
        for (size_t i = 0; i < b->contender_count; i++)
            take_turn(&b->contenders[i], copies, b->seconds / TURNS);
    }
    double ideal_ns = fmax((double)bytes / read, operations / peak) * 1e9;
    for (size_t i = 0; i < b->contender_count; i++) {
        contender *c = &b->contenders[i];
        print_row(b, c, &p, ideal_ns);
        for (size_t j = 0; j < copies; j++)
            c->peer->release(c->prepared[j]);
    }
    fflush(stdout);
    yoke_check_free(check);
    yoke_matrix_free(&w);
    yoke_matrix_free(&x);
    yoke_matrix_free(&y);
}

static double from_environment(const char *name, double otherwise)
{
    const char *text = getenv(name);
    double value = text ? strtod(text, NULL) : 0;
    return value > 0 ? value : otherwise;
}

static void open_all(bench *b)
{
    yoke_error err = {0};
    must(yoke_context_create(NULL, &b->context, &err), &err);
    must(yoke_engine_open(b->context, "cpu", &b->cpu, &err), &err);
    if (!(b->cold = malloc(COLD_BYTES)))
        exit(1);
    memset(b->cold, 1, COLD_BYTES);
    printf("%s\n\n", yoke_engine_describe(b->cpu)->description);
    for (size_t i = 0; i < PEER_COUNT; i++) {
        char version[64] = "";
        b->here[i] = peers[i]->open(version, sizeof version);
        printf("- %s %s\n", peers[i]->name, b->here[i] ? version : "is not here");
    }
    printf("\n| M | weight | by | median | TFLOP/s | of the limit |\n|--:|--|--|--:|--:|--:|\n");
}

int main(int argc, char **argv)
{
    static bench b;
    char rows[256], *json_text = NULL;
    size_t json_bytes;
    b.n = (size_t)from_environment("N", 4096);
    b.k = (size_t)from_environment("K", 4096);
    b.seconds = from_environment("SECONDS", 1.5);
    b.json = open_memstream(&json_text, &json_bytes);
    if (!b.json)
        return 1;
    open_all(&b);
    char formats[256], *format_state, *row_state;
    snprintf(formats, sizeof formats, "%s", argc > 2 ? argv[2] : "f32,bf16,f16,q8_0,q4_0");
    for (char *f = strtok_r(formats, ",", &format_state); f;
         f = strtok_r(NULL, ",", &format_state)) {
        snprintf(rows, sizeof rows, "%s", argc > 1 ? argv[1] : "1,8,64,128,512,2048");
        for (char *m = strtok_r(rows, ",", &row_state); m; m = strtok_r(NULL, ",", &row_state))
            run_case(&b, yoke_format_find(f), strtoul(m, NULL, 10));
    }
    fclose(b.json);
    printf("\n```json\n[%s\n]\n```\n", json_text);
    free(json_text);
    free(b.cold);
    yoke_engine_free(b.cpu);
    yoke_context_free(b.context);
    return 0;
}
