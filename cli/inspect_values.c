#include "inspect_values.h"

#include <math.h>
#include <stdio.h>

#include "report/number.h"

static void add_value(inspect_values *of, float value)
{
    if (of->first_count < INSPECT_FIRST_VALUES)
        of->first[of->first_count++] = value;
    of->nans += isnan(value) != 0;
    of->infinities += isinf(value) != 0;
    of->zeros += value == 0;
    if (!isfinite(value))
        return;
    if (of->finite == 0 || value < of->least)
        of->least = value;
    if (of->finite == 0 || value > of->largest)
        of->largest = value;
    of->sum += value;
    of->finite++;
}

yoke_status inspect_values_of(const yoke_matrix *matrix, inspect_values *of, yoke_error *err)
{
    enum { CHUNK = 4096 };
    float chunk[CHUNK];
    *of = (inspect_values){0};
    for (size_t row = 0; row < matrix->rows && matrix->cols > 0; row++) {
        for (size_t col = 0; col < matrix->cols; col += CHUNK) {
            size_t count = matrix->cols - col < CHUNK ? matrix->cols - col : CHUNK;
            yoke_status status = yoke_matrix_read(matrix, row, col, count, chunk, err);
            if (status != YOKE_OK)
                return status;
            for (size_t i = 0; i < count; i++)
                add_value(of, chunk[i]);
        }
    }
    return YOKE_OK;
}

void inspect_values_print(const inspect_values *of)
{
    printf("values   %s finite, %s zero, %s NaN, %s infinite\n", number_count(of->finite).text,
           number_count(of->zeros).text, number_count(of->nans).text,
           number_count(of->infinities).text);
    if (of->finite > 0)
        printf("range    %.9g to %.9g, mean %.9g\n", of->least, of->largest,
               of->sum / (double)of->finite);
    for (size_t i = 0; i < of->first_count; i++)
        printf("%s %.9g", i == 0 ? "first   " : "", (double)of->first[i]);
    if (of->first_count > 0)
        putchar('\n');
}
