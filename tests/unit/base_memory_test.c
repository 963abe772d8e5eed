#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/size.h"

static void mapped_memory_is_zero_aligned_and_writable_to_its_end(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 64, 4096, 100000, ((size_t)2 << 20) - 1, (size_t)2 << 20, 5000001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = memory_map(sizes[i]);
        assert_non_null(memory);
        size_t alignment = sizes[i] >= (size_t)2 << 20 ? (size_t)2 << 20 : 64;
        assert_int_equal((uintptr_t)memory % alignment, 0);
        for (size_t b = 0; b < sizes[i]; b++)
            assert_int_equal(memory[b], 0);
        memory[0] = memory[sizes[i] - 1] = 1;
        memory_unmap(memory, sizes[i]);
    }
}

static void memory_that_cannot_be_had_is_null(void **state)
{
    (void)state;
    assert_null(memory_map(0));
    assert_null(memory_map(SIZE_MAX));
    assert_null(memory_map(SIZE_MAX / 2 + 1));
    memory_unmap(NULL, 64);
}

static void sizes_that_overflow_are_seen(void **state)
{
    (void)state;
    size_t out;
    assert_true(size_mul(SIZE_MAX / 2, 2, &out));
    assert_int_equal(out, SIZE_MAX - 1);
    assert_false(size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_true(size_add(SIZE_MAX, 0, &out));
    assert_false(size_add(SIZE_MAX, 1, &out));
}

static void rounding_up_reaches_the_next_multiple_and_no_further(void **state)
{
    (void)state;
    assert_int_equal(size_ceil_div(0, 16), 0);
    assert_int_equal(size_ceil_div(16, 16), 1);
    assert_int_equal(size_ceil_div(17, 16), 2);
    assert_int_equal(size_ceil_div(SIZE_MAX, 2), SIZE_MAX / 2 + 1);
    assert_int_equal(size_round_up(33, 32), 64);
}

static void an_array_grows_and_keeps_what_it_held(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        items = memory_room(items, i, &capacity, sizeof *items);
        assert_non_null(items);
        assert_true(capacity > i);
        items[i] = 3 * i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], 3 * i);
    const size_t before = capacity;
    assert_null(memory_room(items, capacity, &capacity, SIZE_MAX / 4));
    assert_int_equal(capacity, before);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_grows_and_keeps_what_it_held),
        cmocka_unit_test(mapped_memory_is_zero_aligned_and_writable_to_its_end),
        cmocka_unit_test(memory_that_cannot_be_had_is_null),
        cmocka_unit_test(sizes_that_overflow_are_seen),
        cmocka_unit_test(rounding_up_reaches_the_next_multiple_and_no_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
