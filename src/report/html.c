#include "report/html.h"

#include <math.h>
#include <stdarg.h>

#include "report/number.h"

static void put(FILE *out, unsigned char c)
{
    switch (c) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default:
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fputs("&#xfffd;", out);
        else
            putc(c, out);
    }
}

void html_text(FILE *out, const char *text)
{
    for (; *text; text++)
        put(out, (unsigned char)*text);
}

void html_format(FILE *out, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    html_text(out, text);
}

void html_number(FILE *out, double value, int significant)
{
    if (isfinite(value))
        fprintf(out, "<data value=\"%.9g\">%s</data>", value,
                number_digits(value, significant).text);
    else
        fputs("<span class=\"unknown\">not known</span>", out);
}

void html_json_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\')
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}
