/* Text and numbers as HTML. Everything that comes from a record goes through here. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

#include "yoke/status.h"

/* Escaped, for content and for attributes in quotes. Control characters become U+FFFD. */
void html_text(FILE *out, const char *text);

/* Formatted, then escaped; up to 2 kB, then cut. */
void html_format(FILE *out, const char *format, ...) YOKE_PRINTF(2, 3);

/* A number with so many significant digits, the exact one in the element's value; NaN is "not
 * known". */
void html_number(FILE *out, double value, int significant);

/* A text as a JSON string within a script element, quotes and all. */
void html_json_text(FILE *out, const char *text);

#endif
