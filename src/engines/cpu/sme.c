/* Outer products of SME, with vectors of 512 bits: a line of a panel is one operand of 16 outputs,
 * a k of a packed block of x, [k][16 rows], the other. FMOPA adds their products to a tile of 16 by
 * 16 f32, one fused multiply-add for each k in ascending order: the bits of every exact path. Four
 * panels at a time keep four tiles busy, as each can take a product only every fourth cycle.
 *
 * f16 and bf16 are widened in registers, without loss: so they run at the rate of f32. Bound by
 * FMOPA where a block of rows is full; seen to be right under emulation, its speed never.
 *
 * A block is one piece of assembler from the entry into streaming mode to the way out of it: what
 * compilers make of the code around knows nothing of SME, and needs not to. */
#include "engines/cpu/sme.h"

#ifdef YOKE_ASSEMBLES_SME

#include "base/size.h"
#include "engines/cpu/exact.h"
#include "engines/cpu/peak.h"

#define ROW_BLOCK ((size_t)16)
#define TILES     ((size_t)4)

/* What a block takes; the tiles' sums come out as [tile][row][16]. */
typedef struct block {
    const char *w[TILES]; /* panels; where there are fewer, one of them again */
    const float *x;
    uint64_t x_step; /* bytes from one k to the next */
    uint64_t steps;  /* turns of the loop */
    uint64_t rows;
    float *c;
} block;

#define CLOBBERED                                                                                  \
    "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "v0", "v1", "v2",   \
        "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", \
        "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", \
        "v30", "v31", "cc", "memory"

/* x1..x4 panels, x5 x, x6 its step, x7 turns, x8 rows, x9..x11, and x1 in the end, the sums. */
#define ENTER                                                                                      \
    ".arch_extension sme\n"                                                                        \
    "ldp x1, x2, [%0]\n"                                                                           \
    "ldp x3, x4, [%0, #16]\n"                                                                      \
    "ldp x5, x6, [%0, #32]\n"                                                                      \
    "ldp x7, x8, [%0, #48]\n"                                                                      \
    "ldr x9, [%0, #64]\n"                                                                          \
    "smstart\n"                                                                                    \
    "ptrue p0.s\n"                                                                                 \
    "whilelt p1.s, xzr, x8\n"                                                                      \
    "zero {za}\n"                                                                                  \
    "cbz x7, 2f\n"                                                                                 \
    "1:\n"

#define MULTIPLY(x, w0, w1, w2, w3)                                                                \
    "fmopa za0.s, p1/m, p0/m, " x ".s, " w0 ".s\n"                                                 \
    "fmopa za1.s, p1/m, p0/m, " x ".s, " w1 ".s\n"                                                 \
    "fmopa za2.s, p1/m, p0/m, " x ".s, " w2 ".s\n"                                                 \
    "fmopa za3.s, p1/m, p0/m, " x ".s, " w3 ".s\n"

#define LOAD_X(to)                                                                                 \
    "ld1w {" to ".s}, p1/z, [x5]\n"                                                                \
    "add x5, x5, x6\n"

#define LOAD_W(load, bytes)                                                                        \
    load " {z2.s}, p0/z, [x1]\n" load " {z3.s}, p0/z, [x2]\n" load " {z4.s}, p0/z, [x3]\n" load    \
         " {z5.s}, p0/z, [x4]\n"                                                                   \
         "add x1, x1, #" bytes "\n"                                                                \
         "add x2, x2, #" bytes "\n"                                                                \
         "add x3, x3, #" bytes "\n"                                                                \
         "add x4, x4, #" bytes "\n"

#define LEAVE                                                                                      \
    "subs x7, x7, #1\n"                                                                            \
    "b.ne 1b\n"                                                                                    \
    "2:\n"                                                                                         \
    "add x10, x9, #1024\n"                                                                         \
    "add x11, x9, #2048\n"                                                                         \
    "add x1, x9, #3072\n"                                                                          \
    "mov w12, #0\n"                                                                                \
    "3:\n"                                                                                         \
    "st1w {za0h.s[w12, 0]}, p0, [x9]\n"                                                            \
    "st1w {za1h.s[w12, 0]}, p0, [x10]\n"                                                           \
    "st1w {za2h.s[w12, 0]}, p0, [x11]\n"                                                           \
    "st1w {za3h.s[w12, 0]}, p0, [x1]\n"                                                            \
    "add x9, x9, #64\n"                                                                            \
    "add x10, x10, #64\n"                                                                          \
    "add x11, x11, #64\n"                                                                          \
    "add x1, x1, #64\n"                                                                            \
    "add w12, w12, #1\n"                                                                           \
    "cmp w12, w8\n"                                                                                \
    "b.lt 3b\n"                                                                                    \
    "smstop\n"

#define WIDEN_F16                                                                                  \
    "fcvt z2.s, p0/m, z2.h\n"                                                                      \
    "fcvt z3.s, p0/m, z3.h\n"                                                                      \
    "fcvt z4.s, p0/m, z4.h\n"                                                                      \
    "fcvt z5.s, p0/m, z5.h\n"

/* Pairs: the low halves to other registers, the high ones where they are. */
#define SPLIT_BF16                                                                                 \
    "lsl z6.s, z2.s, #16\n"                                                                        \
    "lsl z7.s, z3.s, #16\n"                                                                        \
    "lsl z16.s, z4.s, #16\n"                                                                       \
    "lsl z17.s, z5.s, #16\n"                                                                       \
    "and z2.s, z2.s, #0xffff0000\n"                                                                \
    "and z3.s, z3.s, #0xffff0000\n"                                                                \
    "and z4.s, z4.s, #0xffff0000\n"                                                                \
    "and z5.s, z5.s, #0xffff0000\n"

#define FIRST  MULTIPLY("z0", "z2", "z3", "z4", "z5")
#define LOW    MULTIPLY("z0", "z6", "z7", "z16", "z17")
#define SECOND MULTIPLY("z1", "z2", "z3", "z4", "z5")

#define RUN(turn) __asm__ volatile(ENTER turn LEAVE : : "r"(b) : CLOBBERED)

static void block_f32(const block *b)
{
    RUN(LOAD_X("z0") LOAD_W("ld1w", "64") FIRST);
}

/* A turn is one k, half a line. */
static void block_f16(const block *b)
{
    RUN(LOAD_X("z0") LOAD_W("ld1h", "32") WIDEN_F16 FIRST);
}

/* A turn is two k, a line. */
static void block_bf16(const block *b)
{
    RUN(LOAD_X("z0") LOAD_X("z1") LOAD_W("ld1w", "64") SPLIT_BF16 LOW SECOND);
}

static inline void compute(const product *p, size_t begin, size_t count, float *c, uint64_t steps,
                           void (*multiply)(const block *b))
{
    for (size_t panel = begin; panel < begin + count; panel += TILES) {
        size_t tiles = size_min(TILES, begin + count - panel);
        block b = {.steps = steps, .c = c};
        for (size_t t = 0; t < TILES; t++)
            b.w[t] = p->panels + (panel + size_min(t, tiles - 1)) * p->layout->panel_stride;
        for (size_t row = 0; row < p->m; row += b.rows) {
            b.rows = row_block_at(ROW_BLOCK, p->m, row);
            b.x_step = b.rows * sizeof(float);
            b.x = (const float *)((const char *)p->x + row * exact_row_bytes(p->layout));
            multiply(&b);
            for (size_t t = 0; t < tiles; t++)
                product_store(p, row, b.rows, (panel + t) * PANEL_N, PANEL_N,
                              c + t * ROW_BLOCK * PANEL_N, PANEL_N);
        }
    }
}

static void compute_f32(const product *p, size_t begin, size_t count, void *scratch)
{
    compute(p, begin, count, scratch, layout_padded_k(p->layout), block_f32);
}

static void compute_f16(const product *p, size_t begin, size_t count, void *scratch)
{
    compute(p, begin, count, scratch, layout_padded_k(p->layout), block_f16);
}

static void compute_bf16(const product *p, size_t begin, size_t count, void *scratch)
{
    compute(p, begin, count, scratch, layout_padded_k(p->layout) / 2, block_bf16);
}

#define PEAK_TURNS 256

static void peak_round(void *arg)
{
    (void)arg;
    __asm__ volatile(".arch_extension sme\n"
                     "smstart\n"
                     "ptrue p0.s\n"
                     "ptrue p1.s\n"
                     "fmov z0.s, #1.0\n"
                     "fmov z2.s, #1.5\n"
                     "mov x7, %0\n"
                     "1:\n" MULTIPLY("z0", "z2", "z2", "z2", "z2") "subs x7, x7, #1\n"
                                                                   "b.ne 1b\n"
                                                                   "smstop\n"
                     :
                     : "i"(PEAK_TURNS)
                     : CLOBBERED);
}

static double peak(uint64_t ns)
{
    return peak_rate(ns, 2.0 * ROW_BLOCK * PANEL_N * TILES * PEAK_TURNS, peak_round, NULL);
}

/* Below a quarter of a block's rows most of the product is of rows that are not there. */
#define SME_PATH(weight_format, compute_weights)                                                   \
    {                                                                                              \
        .name = "sme exact", .features = YOKE_CPU_SME, .format = weight_format, .exact = true,     \
        .precision = YOKE_PRECISION_FULL, .min_m = ROW_BLOCK / 4, .row_block = ROW_BLOCK,          \
        .row_bytes = exact_row_bytes, .pack_x = exact_pack_x, .compute = compute_weights,          \
        .peak = peak                                                                               \
    }

const path path_f32_sme = SME_PATH(YOKE_F32, compute_f32);
const path path_f16_sme = SME_PATH(YOKE_F16, compute_f16);
const path path_bf16_sme = SME_PATH(YOKE_BF16, compute_bf16);

#else
typedef int sme_unused; /* a translation unit is never empty */
#endif
