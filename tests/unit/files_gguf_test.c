#include "files_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KV_U8 = 0, KV_U16 = 2, KV_U32 = 4, KV_I32 = 5, KV_STRING = 8, KV_ARRAY = 9, KV_F64 = 12 };
enum { F32 = 0, F16 = 1, Q4_0 = 2, Q8_0 = 8, Q4_K = 12 };

static void put_string(bytes *b, const char *text)
{
    put_u64(b, strlen(text));
    put_text(b, text);
}

static bytes start(uint32_t version, uint64_t tensors, uint64_t pairs)
{
    bytes b = {0};
    put_text(&b, "GGUF");
    put_u32(&b, version);
    put_u64(&b, tensors);
    put_u64(&b, pairs);
    return b;
}

static void put_key(bytes *b, const char *key, uint32_t type)
{
    put_string(b, key);
    put_u32(b, type);
}

static void put_tensor_2d(bytes *b, const char *name, uint64_t cols, uint64_t rows, uint32_t type,
                          uint64_t offset)
{
    put_string(b, name);
    put_u32(b, 2);
    put_u64(b, cols);
    put_u64(b, rows);
    put_u32(b, type);
    put_u64(b, offset);
}

static void pad(bytes *b, size_t alignment)
{
    while (b->size % alignment)
        put_u8(b, 0xee);
}

static void put_counted(bytes *b, size_t count, float first)
{
    for (size_t i = 0; i < count; i++)
        put_f32(b, first + (float)i);
}

/* One f32 tensor "w" of 2 rows by 4 columns, 0 to 7. */
static bytes small_file(uint32_t version)
{
    bytes b = start(version, 1, 0);
    put_tensor_2d(&b, "w", 4, 2, F32, 0);
    pad(&b, 32);
    put_counted(&b, 8, 0);
    return b;
}

static void check_small_file(yoke_file *file)
{
    const yoke_tensor *w = find(file, "w");
    assert_int_equal(w->rank, 2);
    assert_int_equal(w->shape[0], 2);
    assert_int_equal(w->shape[1], 4);
    assert_string_equal(w->type_name, "F32");
    for (size_t i = 0; i < 8; i++)
        assert_float_equal(element(file, "w", i / 4, i % 4), (float)i, 0);
    yoke_file_free(file);
}

static void shapes_are_listed_outermost_first(void **state)
{
    (void)state;
    yoke_file *file = open_good(small_file(3), "small.gguf");
    assert_string_equal(yoke_file_kind(file), "gguf v3");
    check_small_file(file);
    file = open_good(small_file(2), "small.gguf");
    assert_string_equal(yoke_file_kind(file), "gguf v2");
    check_small_file(file);
}

static void padding_behind_the_last_tensor_is_no_second_file(void **state)
{
    (void)state;
    for (size_t padding = 1; padding < 32; padding++) {
        bytes b = small_file(3);
        put_zeros(&b, padding);
        check_small_file(open_good(b, "padded.gguf"));
    }
}

static void two_files_joined_are_refused(void **state)
{
    (void)state;
    bytes b = small_file(3), second = small_file(3);
    pad(&b, 32);
    put(&b, second.data, second.size);
    bytes_free(&second);
    OPEN_BAD(b, "joined.gguf", "another GGUF file begins here");
}

static void a_file_without_tensors_may_end_before_its_data(void **state)
{
    (void)state;
    bytes b = start(3, 0, 1);
    put_key(&b, "general.name", KV_STRING);
    put_string(&b, "x");
    yoke_file *file = open_good(b, "vocabulary.gguf");
    assert_int_equal(yoke_file_tensor_count(file), 0);
    yoke_file_free(file);
}

static bytes aligned_file(uint32_t alignment)
{
    bytes b = start(3, 3, 1);
    put_key(&b, "general.alignment", KV_U32);
    put_u32(&b, alignment);
    /* 16 bytes each. */
    size_t step = alignment < 16 ? 16 : alignment;
    put_tensor_2d(&b, "a", 4, 1, F32, 0);
    put_tensor_2d(&b, "b", 4, 1, F32, step);
    put_tensor_2d(&b, "c", 4, 1, F32, 2 * step);
    pad(&b, alignment);
    for (size_t i = 0; i < 3; i++) {
        put_counted(&b, 4, (float)(4 * i));
        put_zeros(&b, step - 16);
    }
    return b;
}

static void any_alignment_finds_each_tensor(void **state)
{
    (void)state;
    static const uint32_t ALIGNMENTS[] = {1, 2, 4, 8, 16, 24, 32, 40, 64, 4096, 1 << 20};
    for (size_t i = 0; i < sizeof ALIGNMENTS / sizeof *ALIGNMENTS; i++) {
        yoke_file *file = open_good(aligned_file(ALIGNMENTS[i]), "aligned.gguf");
        assert_float_equal(element(file, "a", 0, 0), 0, 0);
        assert_float_equal(element(file, "b", 0, 1), 5, 0);
        assert_float_equal(element(file, "c", 0, 3), 11, 0);
        yoke_file_free(file);
    }
    static const uint32_t BAD[] = {0, 3, 12, 13, 0x80000001};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        bytes b = start(3, 0, 1);
        put_key(&b, "general.alignment", KV_U32);
        put_u32(&b, BAD[i]);
        OPEN_BAD(b, "alignment.gguf", "general.alignment, byte");
    }
}

static void an_alignment_of_another_type_is_refused(void **state)
{
    (void)state;
    bytes b = start(3, 0, 1);
    put_key(&b, "general.alignment", KV_I32);
    put_u32(&b, 32);
    OPEN_BAD(b, "signed.gguf", "not uint32");
    b = start(3, 0, 2);
    for (int i = 0; i < 2; i++) {
        put_key(&b, "general.alignment", KV_U32);
        put_u32(&b, 32);
    }
    OPEN_BAD(b, "twice.gguf", "twice");
}

/* Arrays in arrays, `depth` deep, with two bytes at the bottom. */
static void put_one(bytes *b, const char *key)
{
    put_key(b, key, KV_U32);
    put_u32(b, 1);
}

static void a_key_that_appears_twice_is_refused(void **state)
{
    (void)state;
    bytes b = start(3, 0, 3);
    put_one(&b, "general.file_type");
    put_one(&b, "general.file_typ");
    size_t again = b.size;
    put_one(&b, "general.file_type");
    char where[64];
    snprintf(where, sizeof where, "general.file_type, byte %zu: the key appears twice", again);
    OPEN_BAD(b, "twice.gguf", where);
}

static void put_nested(bytes *b, size_t depth)
{
    for (size_t i = 1; i < depth; i++) {
        put_u32(b, KV_ARRAY);
        put_u64(b, 1);
    }
    put_u32(b, KV_U8);
    put_u64(b, 2);
    put_u16(b, 0x0201);
}

static void put_numbered_key(bytes *b, const char *stem, uint32_t number, uint32_t type)
{
    char key[16];
    snprintf(key, sizeof key, "%s%u", stem, (unsigned)number);
    put_key(b, key, type);
}

static void values_of_every_type_are_passed_over(void **state)
{
    (void)state;
    static const uint8_t SIZES[13] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    bytes b = start(3, 1, 13 + 12 + 2);
    for (uint32_t type = 0; type < 13; type++) {
        put_numbered_key(&b, "key", type, type);
        if (type == KV_STRING)
            put_string(&b, "value");
        else if (type == KV_ARRAY)
            put_nested(&b, 1);
        else
            put_zeros(&b, SIZES[type]);
    }
    for (uint32_t type = 0; type < 13; type++) {
        if (type == KV_ARRAY)
            continue;
        put_numbered_key(&b, "array", type, KV_ARRAY);
        put_u32(&b, type);
        put_u64(&b, 3);
        for (int i = 0; i < 3; i++)
            type == KV_STRING ? put_string(&b, "v") : put_zeros(&b, SIZES[type]);
    }
    put_key(&b, "nested", KV_ARRAY);
    put_nested(&b, 8);
    put_key(&b, "wide", KV_ARRAY);
    put_u32(&b, KV_ARRAY);
    put_u64(&b, 2);
    put_nested(&b, 3);
    put_nested(&b, 1);
    put_tensor_2d(&b, "w", 4, 2, F32, 0);
    pad(&b, 32);
    put_counted(&b, 8, 0);
    check_small_file(open_good(b, "values.gguf"));
}

static void arrays_nested_without_end_are_refused(void **state)
{
    (void)state;
    bytes b = start(3, 0, 1);
    put_key(&b, "nested", KV_ARRAY);
    put_nested(&b, 100000);
    OPEN_BAD(b, "nested.gguf", "nested", "too deeply");
}

static void lengths_beyond_the_file_are_refused(void **state)
{
    (void)state;
    static const uint64_t LENGTHS[] = {1000, 1ull << 48, 1ull << 61, UINT64_MAX};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        OPEN_BAD(start(3, LENGTHS[i], 0), "tensors.gguf", "tensor count, byte 8");
        OPEN_BAD(start(3, 0, LENGTHS[i]), "pairs.gguf", "key-value count, byte 16");
        bytes b = start(3, 0, 1);
        put_u64(&b, LENGTHS[i]);
        put_zeros(&b, 20);
        OPEN_BAD(b, "key.gguf", "key, byte 24");
        for (uint32_t type = KV_U8; type <= KV_F64; type++) {
            b = start(3, 0, 1);
            put_key(&b, "k", KV_ARRAY);
            put_u32(&b, type);
            put_u64(&b, LENGTHS[i]);
            put_zeros(&b, 16);
            OPEN_BAD(b, "array.gguf", "k, byte");
        }
    }
}

static void a_text_mode_copy_is_suspected(void **state)
{
    (void)state;
    bytes b = start(3, 0, 1);
    put_u64(&b, 73939795391);
    put_text(&b, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    put_zeros(&b, 16);
    OPEN_BAD(b, "text.gguf", "suspect a copy in text mode");
}

static void versions_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    OPEN_BAD(start(1, 0, 0), "old.gguf", "GGUF v1");
    OPEN_BAD(start(4, 0, 0), "new.gguf", "GGUF v4");
    OPEN_BAD(start(0x03000000, 0, 0), "swapped.gguf", "big-endian GGUF file (v3)");
}

static void bad_tensor(uint64_t cols, uint64_t rows, uint32_t type, uint64_t offset,
                       const char *text)
{
    bytes b = start(3, 1, 0);
    put_tensor_2d(&b, "wide one", cols, rows, type, offset);
    pad(&b, 32);
    put_zeros(&b, 64);
    OPEN_BAD(b, "tensor.gguf", "\"wide one\"", text);
}

static void tensors_that_do_not_fit_are_refused_by_name(void **state)
{
    (void)state;
    bad_tensor(4, 5, F32, 0, "its 80 bytes from byte");
    bad_tensor(4, 1, F32, 64, "the file ends at byte");
    bad_tensor(4, 1, F32, 1ull << 40, "the file ends at byte");
    bad_tensor(4, 1, F32, UINT64_MAX - 31, "overflows");
    bad_tensor(4, 1, F32, 8, "not a multiple of the alignment 32");
    bad_tensor(UINT64_MAX, 2, F32, 0, "overflows");
    bad_tensor(1ull << 42, 1ull << 22, F16, 0, "overflows");
    bad_tensor(1ull << 63, 1, F32, 0, "overflows");
    bad_tensor(33, 1, Q4_0, 0, "33 columns are not a multiple of the 32");
    bad_tensor(128, 1, Q4_K, 0, "128 columns are not a multiple of the 256");
    bad_tensor(4, 1, 36, 0, "type 36 (IQ4_NL_4_4) was removed");
    bad_tensor(4, 1, 4, 0, "type 4 (Q4_2) was removed");
    bad_tensor(4, 1, 43, 0, "type 43 is unknown");
    bad_tensor(4, 1, UINT32_MAX, 0, "is unknown");
}

static void dimensions_are_at_most_four(void **state)
{
    (void)state;
    static const uint32_t COUNTS[] = {5, UINT32_MAX};
    for (size_t i = 0; i < 2; i++) {
        bytes b = start(3, 1, 0);
        put_string(&b, "w");
        put_u32(&b, COUNTS[i]);
        put_zeros(&b, 64);
        OPEN_BAD(b, "dimensions.gguf", "\"w\"", "at most 4");
    }
}

static void an_empty_tensor_is_listed(void **state)
{
    (void)state;
    bytes b = start(3, 2, 0);
    put_tensor_2d(&b, "empty", 4, 0, F32, 0);
    put_tensor_2d(&b, "no columns", 0, UINT64_MAX, Q8_0, 0);
    yoke_file *file = open_good(b, "empty.gguf");
    yoke_matrix matrix;
    assert_int_equal(yoke_file_matrix(file, find(file, "empty"), &matrix, NULL, NULL), YOKE_OK);
    assert_int_equal(matrix.rows, 0);
    assert_int_equal(matrix.cols, 4);
    assert_int_equal(find(file, "no columns")->bytes, 0);
    yoke_file_free(file);
}

static void tensors_that_overlap_or_share_a_name_are_refused(void **state)
{
    (void)state;
    bytes b = start(3, 2, 0);
    put_tensor_2d(&b, "a", 4, 3, F32, 0);
    put_tensor_2d(&b, "b", 4, 1, F32, 32);
    pad(&b, 32);
    put_zeros(&b, 64);
    OPEN_BAD(b, "overlap.gguf", "\"b\"", "lies in another tensor");
    b = start(3, 2, 0);
    put_tensor_2d(&b, "a", 4, 1, F32, 0);
    put_tensor_2d(&b, "a", 4, 1, F32, 32);
    pad(&b, 32);
    put_zeros(&b, 64);
    OPEN_BAD(b, "same.gguf", "duplicate tensor name \"a\"");
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    bytes whole = aligned_file(16);
    for (size_t size = 0; size < whole.size; size++) {
        bytes cut = {0};
        put(&cut, whole.data, size);
        OPEN_BAD(cut, "cut.gguf");
    }
    bytes_free(&whole);
}

/* One part: tensor "wNO" of 4 values from 4 * no on. */
static void write_part(const char *folder, const char *name, uint16_t no, uint16_t count,
                       uint32_t tensors)
{
    bytes b = start(3, 1, 3);
    char tensor[8];
    put_key(&b, "split.no", KV_U16);
    put_u16(&b, no);
    put_key(&b, "split.count", KV_U16);
    put_u16(&b, count);
    put_key(&b, "split.tensors.count", KV_I32);
    put_u32(&b, tensors);
    snprintf(tensor, sizeof tensor, "w%u", (unsigned)no);
    put_tensor_2d(&b, tensor, 4, 1, F32, 0);
    pad(&b, 32);
    put_counted(&b, 4, 4.0f * no);
    write_file(folder, name, &b);
}

static void any_part_opens_the_whole_set_in_order(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"m-00001-of-00003.gguf", "m-00002-of-00003.gguf",
                                        "m-00003-of-00003.gguf"};
    char *folder = make_folder();
    for (uint16_t no = 0; no < 3; no++)
        write_part(folder, NAMES[no], no, 3, 3);
    for (size_t opened = 0; opened < 3; opened++) {
        yoke_file *file = NULL;
        yoke_error err = {0};
        if (yoke_file_open(in_folder(folder, NAMES[opened]), &file, &err) != YOKE_OK)
            fail_msg("%s", err.text);
        assert_int_equal(yoke_file_part_count(file), 3);
        assert_string_equal(yoke_file_tensor(file, 0)->name, "w0");
        assert_string_equal(find(file, "w2")->path, in_folder(folder, NAMES[2]));
        assert_float_equal(element(file, "w0", 0, 1), 1, 0);
        assert_float_equal(element(file, "w1", 0, 1), 5, 0);
        assert_float_equal(element(file, "w2", 0, 3), 11, 0);
        yoke_file_free(file);
    }
    remove_folder(folder);
}

static void bad_set(const char *folder, const char *opened, const char *text)
{
    yoke_file *file = NULL;
    yoke_error err = {0};
    assert_int_not_equal(yoke_file_open(in_folder(folder, opened), &file, &err), YOKE_OK);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in: %s", text, err.text);
}

static void a_set_that_is_not_whole_is_refused(void **state)
{
    (void)state;
    static const char ONE[] = "m-00001-of-00002.gguf", TWO[] = "m-00002-of-00002.gguf";
    char *folder = make_folder();
    write_part(folder, ONE, 0, 2, 2);
    bad_set(folder, ONE, TWO);
    write_part(folder, TWO, 1, 3, 2);
    bad_set(folder, ONE, "split.count is 3, but 2");
    write_part(folder, TWO, 0, 2, 2);
    bad_set(folder, ONE, "duplicate tensor name \"w0\"");
    write_part(folder, TWO, 1, 2, 2);
    write_part(folder, ONE, 0, 2, 7);
    bad_set(folder, ONE, "split.tensors.count is 7, but the parts hold 2");
    write_part(folder, "renamed.gguf", 0, 2, 2);
    bad_set(folder, "renamed.gguf", "must end in -00001-of-00002.gguf");
    write_part(folder, ONE, 2, 2, 2);
    bad_set(folder, ONE, "split.no is 2 of split.count 2");
    write_part(folder, "alone.gguf", 0, 1, 2);
    bad_set(folder, "alone.gguf", "split.tensors.count is 2, but the file holds 1");
    remove_folder(folder);
}

static void every_ggml_type_is_named(void **state)
{
    (void)state;
    yoke_file *file = NULL;
    yoke_error err = {0};
    if (yoke_file_open(shared("models/gguf/real_alltypes_64x256.gguf"), &file, &err) != YOKE_OK)
        fail_msg("%s", err.text);
    assert_int_equal(yoke_file_tensor_count(file), 28);
    for (size_t i = 0; i < 28; i++) {
        /* kokoro.TYPE.weight */
        const yoke_tensor *tensor = yoke_file_tensor(file, i);
        char expected[64];
        snprintf(expected, sizeof expected, "kokoro.%s.weight", tensor->type_name);
        assert_int_equal(strlen(expected), tensor->name_length);
        for (size_t c = 0; c < tensor->name_length; c++)
            assert_int_equal(expected[c] | 0x20, tensor->name[c] | 0x20);
        assert_int_equal(tensor->shape[0], 64);
        assert_int_equal(tensor->shape[1], 256);
        size_t size = 0;
        assert_int_equal(yoke_format_bytes(tensor->format, 64, 256, &size, NULL), YOKE_OK);
        assert_int_equal(size, tensor->bytes);
    }
    yoke_file_free(file);
}

static void real_files_of_every_alignment_and_version_agree(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"models/gguf/real_silero_mixed.gguf",
                                        "models/gguf/real_silero_align64.gguf",
                                        "models/gguf/real_silero_v2.gguf"};
    yoke_file *source = NULL;
    assert_int_equal(
        yoke_file_open(shared("models/safetensors/silero_vad_16k.safetensors"), &source, NULL),
        YOKE_OK);
    yoke_matrix expected;
    yoke_file_matrix(source, find(source, "lstm_cell.weight_ih"), &expected, NULL, NULL);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        yoke_file *file = NULL;
        assert_int_equal(yoke_file_open(shared(NAMES[i]), &file, NULL), YOKE_OK);
        const yoke_tensor *conv = find(file, "silero.conv1.f16");
        assert_int_equal(conv->shape[0], 128);
        assert_int_equal(conv->shape[1], 387);
        for (size_t row = 0; row < 512; row += 37)
            for (size_t col = 0; col < 128; col++) {
                float value;
                yoke_matrix_read(&expected, row, col, 1, &value, NULL);
                assert_float_equal(element(file, "silero.lstm_ih.f16", row, col), value,
                                   0x1p-11 * (value < 0 ? -value : value) + 0x1p-24);
                if (i < 2)
                    assert_float_equal(element(file, "silero.lstm_ih.f32", row, col), value, 0);
            }
        yoke_file_free(file);
    }
    yoke_file_free(source);
}

static void published_vocabularies_have_no_tensors(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"models/gguf/ggml-vocab-bert-bge.gguf",
                                        "models/gguf/ggml-vocab-llama-spm.gguf"};
    for (size_t i = 0; i < 2; i++) {
        yoke_file *file = NULL;
        assert_int_equal(yoke_file_open(shared(NAMES[i]), &file, NULL), YOKE_OK);
        assert_string_equal(yoke_file_kind(file), "gguf v3");
        assert_int_equal(yoke_file_tensor_count(file), 0);
        yoke_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_listed_outermost_first),
        cmocka_unit_test(padding_behind_the_last_tensor_is_no_second_file),
        cmocka_unit_test(two_files_joined_are_refused),
        cmocka_unit_test(a_file_without_tensors_may_end_before_its_data),
        cmocka_unit_test(any_alignment_finds_each_tensor),
        cmocka_unit_test(an_alignment_of_another_type_is_refused),
        cmocka_unit_test(a_key_that_appears_twice_is_refused),
        cmocka_unit_test(values_of_every_type_are_passed_over),
        cmocka_unit_test(arrays_nested_without_end_are_refused),
        cmocka_unit_test(lengths_beyond_the_file_are_refused),
        cmocka_unit_test(a_text_mode_copy_is_suspected),
        cmocka_unit_test(versions_that_cannot_be_read_are_named),
        cmocka_unit_test(tensors_that_do_not_fit_are_refused_by_name),
        cmocka_unit_test(dimensions_are_at_most_four),
        cmocka_unit_test(an_empty_tensor_is_listed),
        cmocka_unit_test(tensors_that_overlap_or_share_a_name_are_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(any_part_opens_the_whole_set_in_order),
        cmocka_unit_test(a_set_that_is_not_whole_is_refused),
        cmocka_unit_test(every_ggml_type_is_named),
        cmocka_unit_test(real_files_of_every_alignment_and_version_agree),
        cmocka_unit_test(published_vocabularies_have_no_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
