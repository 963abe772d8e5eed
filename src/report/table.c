#include "report/table.h"

#include <math.h>
#include <stdarg.h>

#include "report/html.h"

void table_begin(FILE *out, const char *caption, const table_column *columns, size_t count)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", out);
    html_text(out, caption);
    fputs("\"><table>\n<caption>", out);
    html_text(out, caption);
    fputs("</caption>\n<thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<th scope=\"col\"%s>", columns[i].unit ? " class=\"n\"" : "");
        html_text(out, columns[i].heading);
        if (columns[i].unit && *columns[i].unit)
            html_format(out, " (%s)", columns[i].unit);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

void table_row(FILE *out, const char *heading)
{
    fputs("<tr><th scope=\"row\">", out);
    html_text(out, heading);
    fputs("</th>", out);
}

void table_row_end(FILE *out)
{
    fputs("</tr>\n", out);
}

void table_text(FILE *out, const char *text)
{
    fputs("<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}

void table_format(FILE *out, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    table_text(out, text);
}

void table_number(FILE *out, double value, int significant)
{
    fputs("<td class=\"n\">", out);
    html_number(out, value, significant);
    fputs("</td>", out);
}

void table_size(FILE *out, size_t value)
{
    if (value == 0)
        table_number(out, (double)NAN, 1);
    else
        fprintf(out, "<td class=\"n\"><data value=\"%zu\">%zu</data></td>", value, value);
}

void table_percent(FILE *out, double fraction)
{
    if (isfinite(fraction))
        fprintf(out, "<td class=\"n\"><data value=\"%.9g\">%.1f</data>&nbsp;%%</td>", fraction,
                100 * fraction);
    else
        table_number(out, (double)NAN, 1);
}

void table_bar(FILE *out, double fraction)
{
    double width = isfinite(fraction) ? fmin(fmax(fraction, 0), 1) : 0;
    fprintf(out, "<td class=\"bar\" aria-hidden=\"true\"><span style=\"width:%.1f%%\"></span></td>",
            100 * width);
}

void table_failed(FILE *out, size_t columns, const char *reason)
{
    fprintf(out, "<td class=\"failed\" colspan=\"%zu\"><strong>FAILED</strong> ", columns);
    html_text(out, reason);
    fputs("</td>", out);
}
