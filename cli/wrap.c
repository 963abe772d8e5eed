#include "wrap.h"

#include <string.h>

#include "cli.h"

void wrap_print(FILE *out, const char *text, size_t column, size_t indent)
{
    size_t gap = 0; /* no blank before the first word */
    while (*text && *text != '\n') {
        size_t word = strcspn(text, " \n");
        if (gap > 0 && column + gap + word > CLI_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            gap = 0;
        }
        fprintf(out, "%*s%.*s", (int)gap, "", (int)word, text);
        column += gap + word;
        text += word + strspn(text + word, " ");
        gap = 1;
    }
    fputc('\n', out);
}
