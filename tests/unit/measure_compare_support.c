#include "measure_compare_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Numbers that look normal, from a seed: the sum of twelve uniform ones, less six. */
static uint64_t state_of_random;

void compare_seed(uint64_t seed)
{
    state_of_random = seed;
}

static double uniform(void)
{
    state_of_random =
        state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state_of_random >> 11) / 9007199254740992.0;
}

double compare_normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

/* Times as a machine has them: most near the median, a tail of slow ones. */
static double time_near(double median)
{
    double tail = uniform() < 0.1 ? 0.5 * uniform() : 0;
    return median * exp(0.02 * compare_normal() + tail);
}

#define COUNT 40

yoke_record *compare_record(void)
{
    yoke_record *record;
    assert_int_equal(yoke_record_create(&record, NULL), YOKE_OK);
    record->artefact = (yoke_identity){.format = YOKE_F16, .n = 512, .k = 256, .bytes = 262144};
    strcpy(record->artefact.hash, "0123456789abcdef");
    return record;
}

void compare_times(yoke_record_row *row, double median)
{
    row->samples.count = 0;
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(yoke_series_add(&row->samples, time_near(median), NULL), YOKE_OK);
    assert_int_equal(yoke_record_row_summarise(row, NULL), YOKE_OK);
    row->time.unstable = false; /* whatever the dice said */
}

yoke_record_row *compare_row(yoke_record *record, double median)
{
    yoke_record_row *row;
    assert_int_equal(yoke_record_add_row(record, "read", "size", &row, NULL), YOKE_OK);
    strcpy(row->engine, "cpu");
    strcpy(row->precision, "full");
    strcpy(row->wait, "block");
    strcpy(row->check, "right");
    row->format = YOKE_F16;
    row->x_format = YOKE_F32;
    row->m = 1;
    row->n = 512;
    row->k = 256;
    row->bytes = 262144;
    compare_times(row, median);
    return row;
}
