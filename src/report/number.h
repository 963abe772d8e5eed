/* Numbers as people read them: decimal units, a few significant digits. Unknown (NaN) is "-". */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include <stdint.h>

/* Room for any of them; keep one on the stack and pass it along. */
typedef struct number_text {
    char text[32];
} number_text;

number_text number_bytes(uint64_t bytes); /* "512 B", "4.67 kB", "1050.67 MB", "1.24 TB" */
number_text number_time(double ns);       /* "870 ns", "12.3 us", "16.4 ms", "2.05 s" */
number_text number_digits(double value, int significant); /* "0.0123", "64.2", "1050" */
number_text number_percent(double fraction);              /* "97.3 %" */
number_text number_count(uint64_t count);                 /* "1,050,673" */

#endif
