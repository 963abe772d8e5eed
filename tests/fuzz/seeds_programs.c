#include "seeds_programs.h"

#define PROGRAM(body, outputs)                                                                     \
    "program(1.3)\n[buildInfo = dict<string, string>({{\"coremlc-version\", "                      \
    "\"3500.32.1\"}})]\n{\n"                                                                       \
    "func main<ios18>(tensor<fp16, [1, 4, 1, 1]> x, tensor<fp32, [1, 4]> v) {\n" body              \
    "} -> (" outputs ");\n}\n"

#define BLOB(type)                                                                                 \
    "tensor<" type ">(BLOBFILE(path = string(\"@model_path/weights/weight.bin\"), offset = "       \
    "uint64($)))"

/* A const in the weight file. */
#define STORED(type, name)                                                                         \
    "tensor<" type "> " name " = const()[name = string(\"" name "\"), val = " BLOB(type) "];\n"

/* The result of an operation, used as a weight. */
#define MADE(type, name, operation) "tensor<" type "> " name " = " operation ";\n"

static const char PLAIN[] = PROGRAM(
    STORED("fp16, [8, 4, 1, 1]", "c") STORED("fp16, [8, 4]", "l") STORED("fp32, [4, 8]", "m")
        MADE("fp16, [1, 8, 1, 1]", "y", "conv(x = x, weight = c)")
            MADE("fp16, [1, 8]", "z", "linear(x = v, weight = l)")
                MADE("fp32, [1, 8]", "u", "matmul(x = v, y = m, transpose_y = bool(false))"),
    "y, z, u");

static const char WRITTEN[] = PROGRAM(
    "tensor<fp32, [2, 4]> w = const()[val = tensor<fp32, [2, 4]>([[0x1p-2, -1.5, nan, inf], "
    "[1, 2, 3, 1e-3]])];\n" MADE("fp32, [1, 2]", "y", "linear(x = v, weight = w)"),
    "y");

static const char OLD_PALETTE[] =
    PROGRAM(MADE("fp16, [4, 8]", "w",
                 "constexpr_lut_to_dense()[indices = " BLOB("uint8, [16]") ", lut = " BLOB(
                     "fp16, [16]") ", shape = tensor<uint32, [2]>([4, 8]), name = string(\"w\")]"),
            "w");

static const char PALETTES[] =
    PROGRAM(STORED("uint4, [8, 4, 1, 1]", "i") STORED("fp16, [2, 1, 1, 1, 16, 1]", "p")
                MADE("fp16, [8, 4, 1, 1]", "w", "constexpr_lut_to_dense(indices = i, lut = p)")
                    MADE("fp16, [1, 8, 1, 1]", "y", "conv(weight = w, x = x)"),
            "y");

static const char COLUMN_PALETTES[] =
    PROGRAM(STORED("uint4, [4, 8]", "i") STORED("fp32, [1, 2, 16, 1]", "p")
                MADE("fp32, [4, 8]", "w", "constexpr_lut_to_dense(indices = i, lut = p)"),
            "w");

static const char VECTOR_PALETTE[] =
    PROGRAM(STORED("uint2, [2, 8]", "i") STORED("fp16, [1, 1, 4, 2]", "p")
                MADE("fp16, [4, 8]", "w",
                     "constexpr_lut_to_dense(indices = i, lut = p, vector_axis = int32(0))"),
            "w");

static const char SCALED_PALETTE[] = PROGRAM(
    STORED("uint2, [2, 4]", "i") STORED("int8, [1, 1, 4, 1]", "q") STORED("fp16, [1, 1, 1, 1]", "s")
        STORED("fp16, [2, 1]", "t") MADE("fp16, [1, 1, 4, 1]", "p",
                                         "constexpr_blockwise_shift_scale(data = q, scale = s)")
            MADE("fp16, [2, 4]", "l", "constexpr_lut_to_dense(indices = i, lut = p)")
                MADE("fp16, [2, 4]", "w", "constexpr_blockwise_shift_scale(data = l, scale = t)"),
    "w");

static const char AFFINE[] = PROGRAM(
    MADE(
        "fp16, [4, 8]", "w",
        "constexpr_affine_dequantize()[axis = int32(-1), quantized_data = " BLOB(
            "int8, [4, 8]") ", scale = " BLOB("fp16, [8]") ", zero_point = " BLOB("int8, [8]") "]"),
    "w");

static const char SCALED_ROWS[] =
    PROGRAM(STORED("int8, [8, 4]", "d") STORED("fp32, [8, 1]", "s")
                MADE("fp32, [8, 4]", "w", "constexpr_blockwise_shift_scale(data = d, scale = s)")
                    MADE("fp32, [1, 8]", "y", "linear(x = v, weight = w)"),
            "y");

static const char SCALED_BLOCKS[] =
    PROGRAM(STORED("int4, [4, 8]", "d") STORED("fp16, [4, 2]", "s") STORED("int4, [4, 2]", "o")
                MADE("fp16, [4, 8]", "w",
                     "constexpr_blockwise_shift_scale(data = d, scale = s, offset = o)")
                    MADE("fp16, [1, 8]", "y", "matmul(x = v, y = w)"),
            "y");

static const char OLD_SPARSE[] =
    PROGRAM(MADE("fp16, [4, 8]", "w",
                 "constexpr_sparse_to_dense()[mask = " BLOB("uint8, [4]") ", nonzero_data = " BLOB(
                     "fp16, [16]") ", shape = tensor<uint32, [2]>([4, 8])]"),
            "w");

static const char SPARSE[] =
    PROGRAM(STORED("uint1, [4, 8]", "m") STORED("fp16, [16]", "d")
                MADE("fp16, [4, 8]", "w", "constexpr_sparse_to_dense(mask = m, nonzero_data = d)"),
            "w");

static const char SPARSE_PALETTE[] = PROGRAM(
    STORED("uint1, [4, 8]", "m") STORED("uint1, [16]", "i") STORED("fp16, [4, 1, 2, 1]", "p")
        STORED("fp16, [2, 1]", "s") "tensor<uint1, [4, 8]> lm, tensor<fp16, [16]> ln = "
                                    "constexpr_lut_to_sparse(indices_mask = m, "
                                    "indices_nonzero_data = i, lut = p);\n"
                                    "tensor<uint1, [4, 8]> sm, tensor<fp16, [16]> sn = "
                                    "constexpr_sparse_blockwise_shift_scale(data_mask = lm, "
                                    "nonzero_data = ln, scale = s);\n" MADE(
                                        "fp16, [4, 8]", "w",
                                        "constexpr_sparse_to_dense(mask = sm, nonzero_data = sn)"),
    "w");

static const char JOINED[] =
    PROGRAM(STORED("fp16, [4, 4, 1, 1]", "h_1") STORED("fp16, [4, 4, 1, 1]", "h_2")
                MADE("fp16, [1, 4, 1, 1]", "a", "conv(x = x, weight = h_1)")
                    MADE("fp16, [1, 4, 1, 1]", "b", "conv(x = x, weight = h_2)")
                        MADE("fp16, [1, 8, 1, 1]", "y",
                             "concat(axis = int32(1), interleave = bool(false), values = (a, b))"),
            "y");

static const char NOT_DECODED[] =
    PROGRAM(STORED("int8, [4]", "d") MADE("fp16, [4]", "w", "constexpr_other(data = d)"), "w");

static const char TWO_FUNCTIONS[] =
    "program(1.3)\n[]\n{\nfunc one<ios18>(tensor<fp16, [1, 4]> x) {\n" STORED("fp16, [4, 4]", "w")
        MADE("fp16, [1, 4]", "y",
             "linear(x = x, weight = w)") "} -> (y);\nfunc two<ios18>(tensor<fp16, [1, 4]> x) "
                                          "{\n" STORED("fp16, [4, 4]", "w")
                                              MADE("fp16, [1, 4]", "y",
                                                   "linear(x = x, weight = w)") "} -> (y);\n}\n";

static const char OLD_SPELLING[] =
    "program(1.0)\n"
    "[buildInfo = dict<tensor<string, []>, tensor<string, []>>({{\"a\", \"b\"}})]\n{\n"
    "    func main<ios16>(tensor<fp16, [1, ?]> x) {\n"
    "            tensor<int32, []> n = const()[name = tensor<string, []>(\"n\"), val = "
    "tensor<int32, []>(1)];\n"
    "            tensor<fp16, [1, ?]> a, tensor<int32, [1]> b = topk(k = n, x = x)[name = "
    "tensor<string, []>(\"t\\\"\")];\n"
    "        } -> (a, b);\n}";

static const char SHAPES[] =
    "program(1.0)\n[]\n{\nfunc main<ios16>(tensor<fp16, [1, ?]> x, state<tensor<fp16, [4]>> s) "
    "[FlexibleShapeInformation = tuple<tuple<string, dict<string, tensor<int32, [?]>>>, "
    "tuple<string, dict<string, list<tensor<int32, [2]>, ?>>>>((("
    "\"DefaultShapes\", {{\"x\", [1, 4]}}), (\"RangeDims\", {{\"x\", [[1, 2], [3, 4]]}, {\"y\", "
    "()}})))] {\n} "
    "-> (x);\n}\n";

static const char LOOP[] =
    "program(1.3)\n[]\n{\nfunc main<ios18>(tensor<int32, [1]> i) {\n"
    "tensor<int32, [1]> a = while_loop(loop_vars = (i))[name = string(\"w\")] "
    "(tensor<int32, [1]> p) {\n bool q = less(x = p, y = int32(3));\n} -> (q) "
    "(tensor<int32, [1]> r) {\n tensor<int32, [1]> t = add(x = r, y = int32(1));\n} -> (t);\n"
    "} -> (a);\n}\n";

static const char STATE[] =
    "program(1.3)\n[]\n{\nfunc main<ios18>(state<tensor<fp16, [4]>> s, tensor<fp16, [4]> x) {\n"
    "tensor<fp16, [4]> a = read_state(input = s)[name = string(\"a\")];\n"
    "write_state(data = x, input = s)[name = string(\"b\")];\n"
    "} -> (a);\n}\n";

const program programs[] = {
    {"plain", PLAIN, {{MIL_FP16, 64}, {MIL_FP16, 64}, {MIL_FP32, 128}}},
    {"written", WRITTEN, {{0}}},
    {"old_palette", OLD_PALETTE, {{MIL_UINT8, 16}, {MIL_FP16, 32}}},
    {"palettes", PALETTES, {{MIL_UINT4, 16}, {MIL_FP16, 64}}},
    {"column_palettes", COLUMN_PALETTES, {{MIL_UINT4, 16}, {MIL_FP32, 128}}},
    {"vector_palette", VECTOR_PALETTE, {{MIL_UINT2, 4}, {MIL_FP16, 16}}},
    {"scaled_palette",
     SCALED_PALETTE,
     {{MIL_UINT2, 2}, {MIL_INT8, 4}, {MIL_FP16, 2}, {MIL_FP16, 4}}},
    {"affine", AFFINE, {{MIL_INT8, 32}, {MIL_FP16, 16}, {MIL_INT8, 8}}},
    {"scaled_rows", SCALED_ROWS, {{MIL_INT8, 32}, {MIL_FP32, 32}}},
    {"scaled_blocks", SCALED_BLOCKS, {{MIL_INT4, 16}, {MIL_FP16, 16}, {MIL_INT4, 4}}},
    {"old_sparse", OLD_SPARSE, {{MIL_UINT8, 4}, {MIL_FP16, 32}}},
    {"sparse", SPARSE, {{MIL_UINT1, 4}, {MIL_FP16, 32}}},
    {"sparse_palette",
     SPARSE_PALETTE,
     {{MIL_UINT1, 4}, {MIL_UINT1, 2}, {MIL_FP16, 16}, {MIL_FP16, 4}}},
    {"joined", JOINED, {{MIL_FP16, 32}, {MIL_FP16, 32}}},
    {"not_decoded", NOT_DECODED, {{MIL_INT8, 4}}},
    {"two_functions", TWO_FUNCTIONS, {{MIL_FP16, 32}, {MIL_FP16, 32}}},
    {"old_spelling", OLD_SPELLING, {{0}}},
    {"shapes", SHAPES, {{0}}},
    {"loop", LOOP, {{0}}},
    {"state", STATE, {{0}}},
};
const size_t program_count = sizeof programs / sizeof *programs;
