#include "planner/near.h"

#include <ctype.h>
#include <string.h>

#include "base/size.h"

#define LONGEST 63

size_t near_distance(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b), row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST)
        return a_length + b_length;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t change = corner + !same;
            corner = row[j];
            row[j] = size_min(change, size_min(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}
